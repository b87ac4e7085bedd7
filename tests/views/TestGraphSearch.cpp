#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "views/canvas/GraphSearch.h"

using namespace doppler;
using namespace doppler::views;

class TestGraphSearch : public QObject {
    Q_OBJECT

private:
    GraphSearch search_;

private Q_SLOTS:
    void initTestCase() {
        graph::GraphBuilder builder;
        const auto add = [&](const char* name, graph::OpKind kind, const char* kindName,
                             graph::Shape shape) {
            builder.addOp({.name = name,
                           .kind = kind,
                           .kindName = kindName,
                           .shape = std::move(shape),
                           .dtype = graph::DType::F32});
        };
        add("mm 0", graph::OpKind::Contraction, "matmul", {2500, 5000});
        add("mm 1", graph::OpKind::Contraction, "matmul", {2500, 2500});
        add("sum 2", graph::OpKind::Formation, "sum", {2500, 5000});
        add("layer.1/relu", graph::OpKind::Elementwise, "relu", {16});
        add("mm 12", graph::OpKind::Contraction, "matmul", {16, 16});
        search_.setGraph(builder.build());
    }

    void finds_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<std::vector<OpId>>("ops");
        using Ops = std::vector<OpId>;
        QTest::newRow("part of a name") << "relu" << Ops{3};
        QTest::newRow("kind") << "contraction" << Ops{0, 1, 4};
        QTest::newRow("operator, any case") << "MatMul" << Ops{0, 1, 4};
        QTest::newRow("id first, then starts of words") << "1" << Ops{1, 3, 4};
        QTest::newRow("whole name first, then what it begins") << "mm 1" << Ops{1, 4};
        QTest::newRow("a name while it is typed") << "su 2" << Ops{2};
        QTest::newRow("dimension") << "16" << Ops{3, 4};
        QTest::newRow("shape") << "2500x5000" << Ops{0, 2};
        QTest::newRow("spaced shape") << "2500 x 5000" << Ops{0, 2};
        QTest::newRow("typographic shape") << QString::fromUtf8("2500 × 2500") << Ops{1};
        QTest::newRow("two words") << "mm 5000" << Ops{0};
        QTest::newRow("type") << "f32 sum" << Ops{2};
        QTest::newRow("nothing") << "conv" << Ops{};
        QTest::newRow("empty") << "  " << Ops{};
    }

    void finds() {
        QFETCH(QString, query);
        QFETCH(std::vector<OpId>, ops);
        QCOMPARE(search_.setQuery(query), int(ops.size()));
        QCOMPARE(search_.matches(), ops);
    }

    void stepsRoundBothWays() {
        search_.setQuery(QStringLiteral("matmul"));
        QCOMPARE(search_.current(), 0);
        QCOMPARE(search_.step(true), 1);
        QCOMPARE(search_.step(true), 4);
        QCOMPARE(search_.step(true), 0);
        QCOMPARE(search_.step(false), 4);
        search_.setQuery(QStringLiteral("conv"));
        QCOMPARE(search_.step(true), kNoOp);
    }

    void maskIsEmptyWithoutASearch() {
        search_.setQuery({});
        QVERIFY(search_.mask().empty());
        search_.setQuery(QStringLiteral("conv")); // found nothing: everything is outside
        QCOMPARE(search_.mask(), std::vector<std::uint8_t>(5, 0));
        search_.setQuery(QStringLiteral("sum"));
        QCOMPARE(search_.mask(), (std::vector<std::uint8_t>{0, 0, 1, 0, 0}));
    }
};

QTEST_GUILESS_MAIN(TestGraphSearch)
#include "TestGraphSearch.moc"
