#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include "core/cluster/Cluster.h"
#include "core/graph/GraphBuilder.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "tests/support/XmlTexts.h"
#include "views/render/RenderGantt.h"

using namespace doppler;
using namespace doppler::views;

class TestRenderGantt : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::shared_ptr<const sim::Problem> problem_;
    sim::Assignment assignment_;
    sim::Timeline timeline_;
    sim::Report report_;

    bool render(const QString& path, const Theme& theme, QSize size, QString* error) {
        return renderGantt(path, *problem_, assignment_, timeline_, report_, timeline_.makespan / 2,
                           theme, size, error);
    }

    static int pixelsOf(const QImage& image, const QColor& colour) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                count += image.pixelColor(x, y) == colour ? 1 : 0;
            }
        }
        return count;
    }

private Q_SLOTS:
    void initTestCase() {
        problem_ =
            sim::makeProblem(workload::generate("ffnn"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(3)),
                             cost::CostModel::Physical, {});
        for (OpId op = 0; op < problem_->opCount(); ++op) {
            assignment_.push_back(op % 3);
        }
        timeline_ = sim::simulate(problem_, assignment_);
        report_ = sim::makeReport(*problem_, assignment_, timeline_);
    }

    void pngShowsTheDevices_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void pngShowsTheDevices() {
        QFETCH(bool, dark);
        const Theme theme = dark ? Theme::darkTheme() : Theme::light();
        const QString path = folder_.filePath(QStringLiteral("gantt.PNG"));
        QString error;
        QVERIFY2(render(path, theme, QSize(900, 300), &error), qPrintable(error));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1800, 600)); // two dots a pixel
        QCOMPARE(image.pixelColor(1799, 599), theme.base);
        for (DeviceId device = 0; device < 3; ++device) {
            QVERIFY(pixelsOf(image, theme.device(device).fill) > 500);
        }
        QVERIFY(pixelsOf(image, theme.ink) > 100); // chain and makespan
    }

    void svgAndPdfCanBeRead() {
        QString error;
        const QString svg = folder_.filePath(QStringLiteral("gantt.svg"));
        QVERIFY2(render(svg, Theme::light(), QSize(640, 240), &error), qPrintable(error));
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox(), QRect(0, 0, 640, 240));
        const QString pdf = folder_.filePath(QStringLiteral("gantt.pdf"));
        QVERIFY2(render(pdf, Theme::light(), QSize(640, 240), &error), qPrintable(error));
        QFile file(pdf);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray data = file.readAll();
        QVERIFY(data.startsWith("%PDF-"));
        QVERIFY(data.contains("%%EOF"));
    }

    void namesDoNotBreakTheSvg() {
        graph::GraphBuilder builder("g\x02");
        builder.addOp({.name = "a\x01"
                               "b",
                       .flops = 1'000'000});
        auto cluster = cluster::uniformCluster(1);
        const auto problem =
            sim::makeProblem(builder.build(), std::make_shared<const cluster::Cluster>(cluster),
                             cost::CostModel::Physical, {});
        const sim::Timeline timeline = sim::simulate(problem, {0});
        const QString svg = folder_.filePath(QStringLiteral("controls.svg"));
        QString error;
        QVERIFY2(renderGantt(svg, *problem, {0}, timeline, sim::makeReport(*problem, {0}, timeline),
                             0, Theme::light(), QSize(640, 240), &error),
                 qPrintable(error));
        const tests::XmlTexts read = tests::textsOfXml(svg);
        QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
        const QString& texts = read.texts;
        QVERIFY2(texts.contains(QStringLiteral("a\uFFFDb")), qPrintable(texts));
        QVERIFY2(texts.contains(QStringLiteral("g\uFFFD on")), qPrintable(texts));
    }

    void faultsAreSaid() {
        QString error;
        QVERIFY(!render(folder_.filePath(QStringLiteral("gantt.bmp")), Theme::light(),
                        QSize(640, 240), &error));
        QVERIFY(error.contains(QStringLiteral(".png, .svg or .pdf")));
        QVERIFY(!render(QStringLiteral("/no/such/folder/gantt.png"), Theme::light(),
                        QSize(640, 240), &error));
        QVERIFY(error.contains(QStringLiteral("/no/such/folder/gantt.png")));
        QVERIFY(!render(folder_.filePath(QStringLiteral("gantt.png")), Theme::light(), QSize(0, 9),
                        &error));
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("gantt.bmp"))));
    }
};

QTEST_MAIN(TestRenderGantt)
#include "TestRenderGantt.moc"
