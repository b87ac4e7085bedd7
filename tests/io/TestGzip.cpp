#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/Gzip.h"

using namespace doppler;
using namespace doppler::io;

namespace {

std::string packed(const std::string& text) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return {};
    }
    std::string result(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<unsigned char*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}

QString refusalOf(const std::string& bytes) {
    try {
        gunzip(bytes, "t.gz");
    } catch (const InputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestGzip : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unpacksAllMembers() {
        QCOMPARE(gunzip(packed("one, ") + packed("two"), "t"), std::string("one, two"));
        QCOMPARE(gunzip(packed("one") + std::string(512, '\0'), "t"), std::string("one"));
        QCOMPARE(gunzip(packed(""), "t"), std::string());
        QVERIFY(!looksGzipped("\x1F\x8B"));
        QVERIFY(!looksGzipped("{\"format\": \"doppler-graph/1\"}"));
    }

    void filesAreToldByContent() {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "pair.stg.gz";
        writeFileAtomically(path, packed("2\n0 3 0\n1 4 1 0\n"));
        const ReadGraph read = readGraphFile(path);
        QCOMPARE(read.format, std::string("STG"));
        QCOMPARE(read.graph->name(), std::string("pair"));
    }

    void refusesDamagedFiles() {
        const std::string good = packed("some text that is packed, some text that is packed");
        QVERIFY(refusalOf(good.substr(0, good.size() - 3)).contains(QStringLiteral("its end")));
        std::string bad = good;
        bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 0x55);
        QVERIFY2(refusalOf(bad).contains(QStringLiteral("incorrect data check")),
                 qPrintable(refusalOf(bad)));
        QVERIFY(refusalOf(good + "and more").contains(QStringLiteral("other data after")));
    }

    void refusesBombs() {
        // 80 MiB of zeros in 80 kB.
        const std::string part = packed(std::string(std::size_t{8} << 20, '\0'));
        std::string bomb;
        for (int i = 0; i < 10; ++i) {
            bomb += part;
        }
        QVERIFY(bomb.size() < 500'000);
        QVERIFY2(refusalOf(bomb).contains(QStringLiteral("more than 200 times its size")),
                 qPrintable(refusalOf(bomb)));
        QCOMPARE(gunzip(packed(std::string(1 << 20, '\0')), "t").size(), std::size_t{1} << 20);
    }
};

QTEST_GUILESS_MAIN(TestGzip)
#include "TestGzip.moc"
