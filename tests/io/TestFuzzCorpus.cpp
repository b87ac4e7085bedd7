#include <QDirIterator>
#include <QTest>

#include "tests/support/FuzzTargets.h"

using namespace doppler;

/// Replays what the fuzzers learnt in every normal build.
class TestFuzzCorpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyInputIsAnswered_data() {
        QTest::addColumn<int>("target");
        for (std::size_t i = 0; i < tests::fuzzTargets().size(); ++i) {
            const std::string_view name = tests::fuzzTargets()[i].name;
            QTest::newRow(std::string(name).c_str()) << static_cast<int>(i);
        }
    }

    void everyInputIsAnswered() {
        QFETCH(int, target);
        const tests::FuzzTarget& reader = tests::fuzzTargets()[static_cast<std::size_t>(target)];
        const QString folder = QStringLiteral(DOPPLER_SOURCE_DIR "/tests/fuzz/corpus/") +
                               QString::fromUtf8(reader.name.data(), qsizetype(reader.name.size()));
        int inputs = 0;
        for (QDirIterator file(folder, QDir::Files); file.hasNext(); ++inputs) {
            // Not with our reader: it would unpack what is packed.
            QFile input(file.next());
            QVERIFY(input.open(QIODevice::ReadOnly));
            const QByteArray bytes = input.readAll();
            try {
                reader.run(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                           static_cast<std::size_t>(bytes.size()));
            } catch (const std::exception& error) {
                QFAIL((input.fileName().toStdString() + ": " + error.what()).c_str());
            }
        }
        QVERIFY2(inputs > 0, qPrintable(folder));
    }
};

QTEST_GUILESS_MAIN(TestFuzzCorpus)
#include "TestFuzzCorpus.moc"
