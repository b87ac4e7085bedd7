#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

/// Broken files end with exit code 3 and one message that names the place.
class TestMalformedInput : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString write(const QString& name, const QByteArray& text) const {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
            return {};
        }
        return file.fileName();
    }

    static void verifyRefused(const ProgramRun& run, const QString& place) {
        QVERIFY2(run.exitCode == 3, (run.out + run.err).constData());
        QVERIFY2(run.out.isEmpty(), run.out.constData());
        QVERIFY2(run.err.startsWith("doppler: "), run.err.constData());
        QVERIFY2(run.err.count('\n') == 1, run.err.constData());
        QVERIFY2(run.err.contains(place.toUtf8()),
                 (run.err + " does not name " + place.toUtf8()).constData());
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void graphFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* fault, const char* name, const QByteArray& text,
                            const char* place) {
            QTest::newRow(fault) << QString::fromLatin1(name) << text << QString::fromLatin1(place);
        };
        const QByteArray start = "4\n0\n0,1\n1,2\n10,40,matmul\n";
        row("cycle", "loop.txt",
            "4\n0\n0,1,2\n1,2,0\n10,40,matmul\n10,40,matmul\n5,20,einsummable\n", "cycle");
        row("id that is not there", "id.txt",
            "4\n0\n0,1\n1,9\n10,40,matmul\n10,40,matmul\n5,20,einsummable\n", "id.txt, line 4");
        row("missing line", "short.txt", start + "10,40,matmul\n", "short.txt");
        row("text for a number", "text.txt", start + "ten,40,matmul\n5,20,einsummable\n",
            "text.txt, line 6");
        row("negative cost", "negative.txt", start + "10,-40,matmul\n5,20,einsummable\n",
            "negative.txt, line 6");
        row("cost of 20 digits", "long.txt",
            start + "99999999999999999999,40,matmul\n5,20,einsummable\n", "long.txt, line 6");
        row("empty file", "empty.txt", "", "empty.txt");
        row("binary file", "binary.bin",
            QByteArray("\x7f"
                       "ELF\x02\x01\x01\0\0\xff\xfe",
                       11),
            "binary.bin");
        row("archive", "packed.zip", QByteArray("PK\x03\x04\x14\0\0\0", 8), "a zip archive");
        row("prose", "prose.md", "# Read me\n", "STG, DOT, DAX, GraphML, ONNX");
        row("truncated JSON", "cut.json",
            "{\n\"format\": \"doppler-graph/1\",\n\"ops\": [{\"kind\": \"fi", "cut.json, line 3");
        row("packed file that is cut off", "cut.json.gz",
            QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xab\x56\x4a\xcb\x2f\xca\x4d\x2c",
                       17) +
                "..",
            "cut.json.gz, byte");
        row("garbage that only begins like a packed file", "noise.gz",
            QByteArray("\x1f\x8b\x08\x00", 4) + QByteArray("garbage").repeated(9), "noise.gz");
        row("trace with a bad time", "when.json", "[{\"ph\": \"X\", \"ts\": \"noon\"}]",
            "when.json, event 0");
        row("trace records cut off", "cut.et",
            QByteArray("\x07\x0a\x05"
                       "0.0.4"
                       "\x50\x08\x01",
                       11),
            "cut.et, byte 9");
        row("wrong format tag", "tag.json", "{\"format\": \"doppler-graph/99\", \"ops\": []}",
            "doppler-graph/99");
    }

    void graphFiles() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        const QString file = write(name, text);
        verifyRefused(runDoppler({QStringLiteral("graph"), file, QStringLiteral("--json")}), place);
    }

    void whatIsNoFile() {
        verifyRefused(runDoppler({QStringLiteral("graph"), folder_.path()}),
                      QStringLiteral("a folder"));
        verifyRefused(runDoppler({QStringLiteral("graph"), folder_.filePath("absent.json")}),
                      QStringLiteral("absent.json"));
        const QString secret = write(QStringLiteral("secret.json"), "{}");
        QFile::setPermissions(secret, QFile::Permissions());
        if (!QFile(secret).open(QIODevice::ReadOnly)) { // root may read everything
            verifyRefused(runDoppler({QStringLiteral("graph"), secret}),
                          QStringLiteral("secret.json"));
        }
    }

    void dimensionsAddToThoseOfTheGraph() {
        const ProgramRun run = runDoppler({QStringLiteral("graph"), QStringLiteral("chainmm:n=100"),
                                           QStringLiteral("--dim"), QStringLiteral("n=200")});
        QVERIFY2(run.exitCode != 0, run.err.constData());
        QVERIFY2(!run.err.contains("100:n"), run.err.constData());
    }

    void aTraceIsNoGraph() {
        const QString trace =
            write(QStringLiteral("trace.json"),
                  R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2}]})");
        verifyRefused(runDoppler({QStringLiteral("place"), trace, QStringLiteral("--placer"),
                                  QStringLiteral("heft"), QStringLiteral("--cluster"),
                                  QStringLiteral("p100x4")}),
                      QStringLiteral("a timeline"));
    }

    void placementFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("list too short")
            << QStringLiteral("few.txt") << QByteArray("0,1,0") << QStringLiteral("few.txt");
        QTest::newRow("device number that is not there")
            << QStringLiteral("far.txt") << QByteArray("0,").repeated(75) + "7"
            << QStringLiteral("far.txt");
        QTest::newRow("device name that is not there")
            << QStringLiteral("name.json")
            << QByteArray("{\"format\": \"doppler-assignment/1\", \"devices\": [\"GPU 9\"]}")
            << QStringLiteral("name.json");
        QTest::newRow("empty file")
            << QStringLiteral("none.txt") << QByteArray() << QStringLiteral("none.txt");
    }

    void placementFiles() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        const QString file = write(name, text);
        verifyRefused(runDoppler({QStringLiteral("simulate"), QStringLiteral("chainmm"),
                                  QStringLiteral("--cluster"), QStringLiteral("p100x4"),
                                  QStringLiteral("--assignment"), file}),
                      place);
    }

    void clusterAndOptionFiles() {
        const QString cluster = write(QStringLiteral("cluster.json"),
                                      R"({"format": "doppler-cluster/1", "devices": []})");
        verifyRefused(runDoppler({QStringLiteral("place"), QStringLiteral("chainmm"),
                                  QStringLiteral("--placer"), QStringLiteral("heft"),
                                  QStringLiteral("--cluster"), cluster}),
                      QStringLiteral("cluster.json"));
        const QString options =
            write(QStringLiteral("options.json"), R"({"contention": "everywhere"})");
        verifyRefused(runDoppler({QStringLiteral("place"), QStringLiteral("chainmm"),
                                  QStringLiteral("--placer"), QStringLiteral("heft"),
                                  QStringLiteral("--cluster"), QStringLiteral("p100x4"),
                                  QStringLiteral("--sim"), options}),
                      QStringLiteral("contention"));
    }
};

QTEST_GUILESS_MAIN(TestMalformedInput)
#include "TestMalformedInput.moc"
