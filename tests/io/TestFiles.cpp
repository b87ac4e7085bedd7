#include <sys/stat.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/graph/InputError.h"
#include "core/io/CheckWritable.h"
#include "core/io/Formats.h"
#include "core/io/ReadMonitor.h"

using namespace doppler;
using namespace doppler::io;

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatItWrote() {
        const std::string text("zero \0 and more\n", 16);
        writeFileAtomically(path("a.txt"), text);
        QCOMPARE(readFile(path("a.txt")), text);
        writeFileAtomically(path("a.txt"), "shorter");
        QCOMPARE(readFile(path("a.txt")), std::string("shorter"));
        QCOMPARE(QDir(folder_.path()).entryList(QDir::Files).size(), 1);
    }

    void replacesTheFileBehindALink() {
        writeFileAtomically(path("real.txt"), "old");
        std::filesystem::create_symlink(path("real.txt"), path("link.txt"));
        writeFileAtomically(path("link.txt"), "new");
        QCOMPARE(readFile(path("real.txt")), std::string("new"));
        QVERIFY(std::filesystem::is_symlink(path("link.txt")));
    }

    void keepsPermissions() {
        writeFileAtomically(path("secret.txt"), "x");
        const auto mine = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
        std::filesystem::permissions(path("secret.txt"), mine);
        writeFileAtomically(path("secret.txt"), "y");
        QCOMPARE(std::filesystem::status(path("secret.txt")).permissions(), mine);
    }

    void writesToDevices() {
        writeFileAtomically("/dev/null", "gone");
        QVERIFY(!std::filesystem::is_regular_file("/dev/null"));
    }

    void aCheckLeavesEverythingAsItIs() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("kept").toStdString();
        writeFileAtomically(path, "kept");
        checkWritable(path);
        checkWritable(folder.filePath("new").toStdString());
        checkWritable("/dev/null");
        QCOMPARE(readFile(path), std::string("kept"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"kept"});
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, checkWritable("/no/such/folder/x"));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, checkWritable(folder.path().toStdString()));
    }

    void refusesWhatIsTooLargeBeforeReadingIt() {
        class Untouched : public ReadMonitor {
            void progress(double) const override { throw std::logic_error("read"); }
        };
        const Untouched untouched;
        writeFileAtomically(path("huge"), "");
        std::filesystem::resize_file(path("huge"), (std::uintmax_t{2} << 30) + 1); // a hole
        QVERIFY_THROWS_EXCEPTION(InputError, readFile(path("huge"), &untouched));
        std::filesystem::remove(path("huge"));
    }

    void refusesWhatMayNeverEnd() {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        QVERIFY_THROWS_EXCEPTION(InputError, readFile(path("pipe")));
        QVERIFY_THROWS_EXCEPTION(InputError, readFile("/dev/zero"));
    }

    void saysWhatWentWrong() {
        QVERIFY_EXCEPTION_THROWN(readFile(path("absent.txt")), InputError);
        QVERIFY_EXCEPTION_THROWN(readFile(folder_.path().toStdString()), InputError);
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(path("no/folder.txt"), ""),
                                 std::runtime_error);
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder_.path().toStdString(), ""),
                                 std::runtime_error);
    }

private:
    std::filesystem::path path(const char* name) const {
        return folder_.filePath(QString::fromLatin1(name)).toStdString();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestFiles)
#include "TestFiles.moc"
