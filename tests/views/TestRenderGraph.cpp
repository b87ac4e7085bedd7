#include <QFile>
#include <QImage>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include "core/cluster/Cluster.h"
#include "core/graph/GraphBuilder.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "tests/support/XmlTexts.h"
#include "views/render/RenderGraph.h"

using namespace doppler;
using namespace doppler::views;

class TestRenderGraph : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::shared_ptr<const sim::Problem> problem_;
    sim::Assignment assignment_;
    sim::Timeline timeline_;

    QString path(const char* name) { return folder_.filePath(QString::fromLatin1(name)); }
    QString render(const char* name, const Theme& theme, QSize size = {}) {
        QString error;
        renderGraph(path(name), *problem_, &assignment_, &timeline_, theme, size, &error);
        return error;
    }

private Q_SLOTS:
    void initTestCase() {
        problem_ =
            sim::makeProblem(workload::generate("chainmm"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Published, {});
        for (int op = 0; op < 76; ++op) {
            assignment_.push_back(op % 4);
        }
        timeline_ = sim::simulate(problem_, assignment_);
    }

    void pngShowsEveryDeviceInBothThemes() {
        for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
            QCOMPARE(render("graph.png", theme, {1000, 420}), QString());
            const QImage image(path("graph.png"));
            QCOMPARE(image.size(), QSize(2000, 840)); // twice, for sharp text
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    colours.insert(image.pixel(x, y));
                }
            }
            QCOMPARE(image.pixelColor(2, 2), theme.canvas);
            for (const DeviceId device : {0, 1, 2, 3}) {
                QVERIFY(colours.contains(theme.device(device).fill.rgb()));
                QVERIFY(colours.contains(theme.device(device).line.rgb()));
            }
            QVERIFY(colours.contains(theme.ink.rgb())); // critical
        }
    }

    void svgHasTheTextsAndOpensAgain() {
        QCOMPARE(render("graph.svg", Theme::light()), QString());
        QFile file(path("graph.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        for (const char* text : {">75<", ">28<", ">contraction<", ">crosses<", ">critical<"}) {
            QVERIFY2(svg.contains(text), text);
        }
        QVERIFY(!svg.contains("<image"));
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QVERIFY(renderer.defaultSize().width() > 900);
    }

    void namesDoNotBreakTheSvg() {
        graph::GraphBuilder builder("g<\x02&");
        for (const char* name : {"a\x01"
                                 "b",
                                 "<c>\x1F", "\xEF\xBF\xBF"}) {
            builder.addOp({.name = name, .kindName = "k\x03", .group = "layer\x04"});
        }
        const auto graph = builder.build();
        const auto problem =
            sim::makeProblem(graph, problem_->cluster, cost::CostModel::Physical, {});
        QString error;
        QVERIFY2(renderGraph(path("controls.svg"), *problem, nullptr, nullptr, Theme::light(), {},
                             &error),
                 qPrintable(error));
        const tests::XmlTexts read = tests::textsOfXml(path("controls.svg"));
        QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
        const QString& texts = read.texts;
        QVERIFY2(texts.contains(QStringLiteral("a\uFFFDb")), qPrintable(texts));
        QVERIFY2(texts.contains(QStringLiteral("g<\uFFFD&")), qPrintable(texts));
    }

    void pdfIsAPdf() {
        QCOMPARE(render("graph.pdf", Theme::light()), QString());
        QFile file(path("graph.pdf"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(5) == "%PDF-");
        QVERIFY(file.size() > 4000);
    }

    void withoutAnAssignmentNothingIsColoured() {
        QString error;
        QVERIFY(renderGraph(path("plain.svg"), *problem_, nullptr, nullptr, Theme::light(), {},
                            &error));
        QFile file(path("plain.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(!svg.contains("#0072b2"));
        QVERIFY(svg.contains(">75<"));
    }

    void failuresSaySo() {
        QVERIFY(render("graph.gif", Theme::light()).contains(QStringLiteral("expected .png")));
        QVERIFY(render("missing/folder/graph.png", Theme::light())
                    .contains(QStringLiteral("cannot be written")));
    }

    void anEmptyGraphIsAnEmptyPicture() {
        const auto empty =
            sim::makeProblem(graph::GraphBuilder().build(),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(1)),
                             cost::CostModel::Physical, {});
        QString error;
        QVERIFY(
            renderGraph(path("empty.png"), *empty, nullptr, nullptr, Theme::light(), {}, &error));
        QVERIFY(!QImage(path("empty.png")).isNull());
    }
};

QTEST_MAIN(TestRenderGraph)
#include "TestRenderGraph.moc"
