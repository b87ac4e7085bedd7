#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "views/format/OpName.h"
#include "views/format/ShownText.h"
#include "views/theme/Theme.h"

using namespace doppler;
using namespace doppler::views;

class TestOpName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreNeverReplacedByNumbers() {
        graph::GraphBuilder builder("g");
        builder.addOp({.name = "A rather long name"});
        builder.addOp({.kindName = "matmul"});
        builder.addOp({.name = "product 2"}); // as the workloads name their ops
        const auto graph = builder.build();
        const QFontMetricsF metrics(fontOfSize(11));
        for (double width = 0; width < 200; width += 1) {
            const QString named = fittingOpName(*graph, 0, metrics, width);
            QVERIFY(metrics.horizontalAdvance(named) <= width);
            QVERIFY2(named.isEmpty() || named == QStringLiteral("A rather long name") ||
                         (named.startsWith(u'A') && named.endsWith(QChar(0x2026))),
                     qPrintable(named));
            const QString plain = fittingOpName(*graph, 1, metrics, width);
            QVERIFY(metrics.horizontalAdvance(plain) <= width);
            QVERIFY2(plain.isEmpty() || plain == QStringLiteral("1") ||
                         plain == QStringLiteral("matmul 1"),
                     qPrintable(plain));
            const QString numbered = fittingOpName(*graph, 2, metrics, width);
            QVERIFY2(numbered.isEmpty() || numbered == QStringLiteral("2") ||
                         numbered == QStringLiteral("product 2"),
                     qPrintable(numbered));
        }
        QCOMPARE(fittingOpName(*graph, 0, metrics, 500), QStringLiteral("A rather long name"));
        QCOMPARE(fittingOpName(*graph, 1, metrics, 500), QStringLiteral("matmul 1"));
        QCOMPARE(shortOpName(*graph, 0), QStringLiteral("A rather long name"));
        QCOMPARE(shortOpName(*graph, 1), QStringLiteral("1"));
    }

    void controlCharactersAreNotShown() {
        QCOMPARE(shownText(std::string_view("a\tb\r\nc\x01"
                                            "d\x7F \u00E9")),
                 QStringLiteral("a b  c\uFFFDd\uFFFD \u00E9"));
        QCOMPARE(shownText(QString(QChar(0xFFFF)) + QChar(0x2028) + u'x'),
                 QStringLiteral("\uFFFD x"));
        graph::GraphBuilder builder("g");
        builder.addOp({.name = "a\x1B[31m"});
        const auto graph = builder.build();
        const QFontMetricsF metrics(fontOfSize(11));
        QCOMPARE(fittingOpName(*graph, 0, metrics, 500), QStringLiteral("a\uFFFD[31m"));
        QCOMPARE(shortOpName(*graph, 0), QStringLiteral("a\uFFFD[31m"));
    }

    void theEndOfAPathTellsOpsApart() {
        graph::GraphBuilder builder("g");
        builder.addOp({.name = "/layers.0/attention/MatMul"});
        builder.addOp({.name = "Conv_nc_rename_6401"});
        builder.addOp({.name = "/" + std::string(400, 'x') + "/Add"});
        builder.addOp({.name = "/"});
        const auto graph = builder.build();
        const QFontMetricsF metrics(fontOfSize(11));
        const auto fitting = [&](OpId op, const QString& room) {
            return fittingOpName(*graph, op, metrics, metrics.horizontalAdvance(room) + 0.5);
        };
        const QString path = QStringLiteral("/layers.0/attention/MatMul");
        QCOMPARE(fitting(0, path), path);
        QCOMPARE(fitting(0, QStringLiteral("…attention/MatMul")),
                 QStringLiteral("…attention/MatMul"));
        QCOMPARE(fitting(0, QStringLiteral("…attention/MatM")), QStringLiteral("…MatMul"));
        QCOMPARE(fitting(0, QStringLiteral("MatMul")), QStringLiteral("MatMul"));
        QCOMPARE(fitting(0, QStringLiteral("Mat…")), QStringLiteral("Mat…"));
        QVERIFY(fitting(1, QStringLiteral("Conv_…6401")).startsWith(QStringLiteral("Co")));
        QVERIFY(fitting(1, QStringLiteral("Conv_…6401")).endsWith(QStringLiteral("…6401")) ||
                fitting(1, QStringLiteral("Conv_…6401")).endsWith(QStringLiteral("…_6401")));
        QCOMPARE(fitting(1, QStringLiteral("…6401")), QStringLiteral("…6401"));
        QCOMPARE(fitting(2, QStringLiteral("……Add")), QStringLiteral("…Add"));
        for (double width = 0; width < 200; width += 1) {
            for (OpId op = 0; op < graph->opCount(); ++op) {
                QVERIFY(metrics.horizontalAdvance(fittingOpName(*graph, op, metrics, width)) <=
                        width);
            }
        }
    }
};

QTEST_MAIN(TestOpName)
#include "TestOpName.moc"
