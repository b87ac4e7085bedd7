#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/io/Formats.h"
#include "core/io/ReadMonitor.h"

using namespace doppler;
using namespace doppler::io;

namespace {

struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
};

class Recorder : public ReadMonitor {
public:
    explicit Recorder(std::size_t cancelAfter = 1'000'000) : cancelAfter_(cancelAfter) {}

    void progress(double share) const override {
        shares.push_back(share);
        if (shares.size() > cancelAfter_) {
            throw Cancelled();
        }
    }

    mutable std::vector<double> shares;

private:
    std::size_t cancelAfter_;
};

std::string chain(int ops) {
    std::string nodes;
    std::string edges;
    for (int op = 0; op < ops; ++op) {
        nodes += std::string(op == 0 ? "" : ",") + R"({"kind": "fill", "outputBytes": 4})";
        edges += op == 0 ? ""
                         : std::string(op == 1 ? "" : ",") + "[" + std::to_string(op - 1) + "," +
                               std::to_string(op) + "]";
    }
    return R"({"format": "doppler-graph/1", "ops": [)" + nodes + R"(], "edges": [)" + edges + "]}";
}

std::string trace(int spans) {
    std::string text = "[";
    for (int i = 0; i < spans; ++i) {
        text += std::string(i == 0 ? "" : ",") + R"({"ph": "X", "name": "a", "dur": 1, "ts": )" +
                std::to_string(i) + "}";
    }
    return text + "]";
}

} // namespace

class TestReadMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void largeTextsReportHowFarTheyAre_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("graph") << QByteArray::fromStdString(chain(20'000));
        QTest::newRow("trace") << QByteArray::fromStdString(trace(20'000));
    }

    void largeTextsReportHowFarTheyAre() {
        QFETCH(QByteArray, text);
        const Recorder recorder;
        parseGraphOrTrace(text.toStdString(), "t.json", {}, &recorder);
        QVERIFY(recorder.shares.size() >= 10);
        QVERIFY(std::is_sorted(recorder.shares.begin(), recorder.shares.end()));
        QVERIFY(recorder.shares.back() > 0.6);
        QVERIFY(recorder.shares.back() <= 1);
        const Recorder impatient(3);
        QVERIFY_EXCEPTION_THROWN(parseGraphOrTrace(text.toStdString(), "t.json", {}, &impatient),
                                 Cancelled);
        QCOMPARE(impatient.shares.size(), std::size_t{4});
    }

    void filesReportWhileTheyAreLoaded() {
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "large.txt";
        writeFileAtomically(path, std::string(1 << 20, 'x'));
        const Recorder recorder;
        QCOMPARE(readFile(path, &recorder).size(), std::size_t{1} << 20);
        QVERIFY(recorder.shares.size() > 4);
        QVERIFY(recorder.shares.back() > recorder.shares.front());
        const Recorder impatient(1);
        QVERIFY_EXCEPTION_THROWN(readFile(path, &impatient), Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestReadMonitor)
#include "TestReadMonitor.moc"
