#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <optional>

/// The folders as layers: each may include itself and what stands before it.
namespace {

const QStringList kLayers = {
    QStringLiteral("core/graph"), QStringLiteral("core/cluster"), QStringLiteral("core/cost"),
    QStringLiteral("core/sim"),   QStringLiteral("core/io"),      QStringLiteral("core/workload"),
    QStringLiteral("core/place"), QStringLiteral("core/learn"),   QStringLiteral("core/engine"),
    QStringLiteral("views"),      QStringLiteral("app"),
};

/// Third-party headers that only some folders may see.
struct RestrictedHeaders {
    QRegularExpression header;
    QStringList folders; ///< where they are allowed
    QString what;
};

const QList<RestrictedHeaders>& restrictedHeaders() {
    static const QList<RestrictedHeaders> rules = {
        {QRegularExpression(QStringLiteral("^(torch|ATen|c10|caffe2)/")),
         {QStringLiteral("core/learn/"), QStringLiteral("core/engine/cpu/")},
         QStringLiteral("LibTorch")},
        {QRegularExpression(QStringLiteral("^(cuda|cublas|nvml|nccl|nvrtc|curand|cuda_).*\\.h$")),
         {QStringLiteral("core/engine/cuda/")},
         QStringLiteral("CUDA")},
        {QRegularExpression(
             QStringLiteral("^(Q[A-Z]\\w*|Qt[A-Z]\\w*/.*|qcustomplot\\.h|q\\w+\\.h)$")),
         {QStringLiteral("views/"), QStringLiteral("app/")},
         QStringLiteral("Qt")},
        {QRegularExpression(QStringLiteral("^CLI/")),
         {QStringLiteral("app/")},
         QStringLiteral("CLI11")},
    };
    return rules;
}

QString layerOf(const QString& path) {
    for (const QString& layer : kLayers) {
        if (path.startsWith(layer + QLatin1Char('/'))) {
            return layer;
        }
    }
    return {};
}

struct Include {
    QString header;
    bool quoted;
    int line;
};

QList<Include> includesOf(const QString& text) {
    static const QRegularExpression pattern(
        QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"));
    QList<Include> includes;
    int line = 0;
    for (const QString& row : text.split(QLatin1Char('\n'))) {
        ++line;
        const QRegularExpressionMatch match = pattern.match(row);
        if (match.hasMatch()) {
            includes.append({match.captured(2), match.captured(1) == QLatin1String("\""), line});
        }
    }
    return includes;
}

/// What is wrong with `include` in the file `path` (from the root of the sources), if anything.
std::optional<QString> faultOf(const QString& path, const Include& include,
                               const QSet<QString>& sources) {
    for (const RestrictedHeaders& rule : restrictedHeaders()) {
        const bool allowed =
            std::any_of(rule.folders.begin(), rule.folders.end(),
                        [&](const QString& folder) { return path.startsWith(folder); });
        if (rule.header.match(include.header).hasMatch() && !allowed) {
            return rule.what + QStringLiteral(" header outside of ") + rule.folders.join(", ");
        }
    }
    if (!include.quoted) {
        const bool ours = include.header.startsWith(QLatin1String("core/")) ||
                          include.header.startsWith(QLatin1String("views/")) ||
                          include.header.startsWith(QLatin1String("app/"));
        return ours ? std::optional(QStringLiteral("own header in angle brackets")) : std::nullopt;
    }
    if (include.header.endsWith(QLatin1String(".moc"))) {
        return std::nullopt;
    }
    if (!sources.contains(include.header)) {
        return QStringLiteral("include path does not mirror the folder path");
    }
    const qsizetype from = kLayers.indexOf(layerOf(path));
    const qsizetype to = kLayers.indexOf(layerOf(include.header));
    if (to < 0) {
        return QStringLiteral("header of a folder outside of the layers");
    }
    if (to > from) {
        return kLayers[from] + QStringLiteral(" must not know ") + kLayers[to];
    }
    return std::nullopt;
}

} // namespace

class TestIncludeRules : public QObject {
    Q_OBJECT

    QMap<QString, QString> texts_; // by path from the root of the sources
    QSet<QString> sources_;

private Q_SLOTS:
    void initTestCase() {
        const QDir root(QStringLiteral(DOPPLER_SOURCE_DIR));
        for (const char* top : {"core", "views", "app"}) {
            QDirIterator files(root.filePath(QLatin1String(top)),
                               {QStringLiteral("*.h"), QStringLiteral("*.cpp"),
                                QStringLiteral("*.cu"), QStringLiteral("*.cuh")},
                               QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString path = root.relativeFilePath(file.fileName());
                texts_.insert(path, QString::fromUtf8(file.readAll()));
                sources_.insert(path);
            }
        }
        QVERIFY(texts_.contains(QStringLiteral("core/graph/Graph.h")));
    }

    void everyFileLivesInALayer() {
        QStringList strays;
        for (const QString& path : sources_) {
            if (layerOf(path).isEmpty()) {
                strays.append(path);
            }
        }
        QVERIFY2(strays.isEmpty(), qPrintable(strays.join(QLatin1Char('\n'))));
    }

    void includesPointOnlyToEarlierLayers() {
        QStringList faults;
        for (auto file = texts_.cbegin(); file != texts_.cend(); ++file) {
            for (const Include& include : includesOf(file.value())) {
                if (const auto fault = faultOf(file.key(), include, sources_)) {
                    faults.append(QStringLiteral("%1:%2: \"%3\": %4")
                                      .arg(file.key())
                                      .arg(include.line)
                                      .arg(include.header, *fault));
                }
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    }

    void fileNamesAreUnique() {
        QMap<QString, QString> seen;
        QStringList twice;
        for (const QString& path : sources_) {
            const QString name = path.section(QLatin1Char('/'), -1);
            if (name == QLatin1String("main.cpp")) {
                continue; // one a program
            }
            if (seen.contains(name)) {
                twice.append(path + QStringLiteral(" and ") + seen[name]);
            }
            seen.insert(name, path);
        }
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QLatin1Char('\n'))));
    }

    void headersHaveGuards() {
        QStringList bare;
        for (auto file = texts_.cbegin(); file != texts_.cend(); ++file) {
            if (file.key().endsWith(QLatin1String(".h")) &&
                !file.value().contains(QLatin1String("#pragma once"))) {
                bare.append(file.key());
            }
        }
        QVERIFY2(bare.isEmpty(), qPrintable(bare.join(QLatin1Char('\n'))));
    }

    void findsFaults_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("fault");
        QTest::newRow("earlier layer") << "core/sim/Report.h"
                                       << "#include \"core/graph/Graph.h\"" << false;
        QTest::newRow("own layer") << "core/graph/Graph.cpp"
                                   << "#include \"core/graph/Graph.h\"" << false;
        QTest::newRow("later layer") << "core/graph/Graph.h"
                                     << "#include \"core/cluster/Cluster.h\"" << true;
        QTest::newRow("core knows views") << "core/sim/Report.h"
                                          << "#include \"views/Main.h\"" << true;
        QTest::newRow("short path") << "core/graph/Graph.cpp"
                                    << "#include \"Graph.h\"" << true;
        QTest::newRow("angle brackets") << "core/graph/Graph.cpp"
                                        << "#include <core/graph/Graph.h>" << true;
        QTest::newRow("Qt in core") << "core/sim/Report.h"
                                    << "#include <QString>" << true;
        QTest::newRow("Qt module in core") << "core/sim/Report.h"
                                           << "#include <QtCore/QString>" << true;
        QTest::newRow("Qt in views") << "views/Main.h"
                                     << "#include <QString>" << false;
        QTest::newRow("queue is not Qt") << "core/sim/Report.h"
                                         << "#include <queue>" << false;
        QTest::newRow("LibTorch in sim") << "core/sim/Report.h"
                                         << "#include <torch/torch.h>" << true;
        QTest::newRow("LibTorch in learn") << "core/learn/Trainer.cpp"
                                           << "#include <torch/torch.h>" << false;
        QTest::newRow("CUDA in engine") << "core/engine/SystemInfo.cpp"
                                        << "#include <cuda_runtime.h>" << true;
        QTest::newRow("CUDA in cuda") << "core/engine/cuda/CudaInfo.cpp"
                                      << "#include <cuda_runtime_api.h>" << false;
        QTest::newRow("NCCL in views") << "views/Main.h"
                                       << "#include <nccl.h>" << true;
        QTest::newRow("CLI11 in views") << "views/Main.h"
                                        << "#include <CLI/CLI.hpp>" << true;
    }

    void findsFaults() {
        QFETCH(QString, path);
        QFETCH(QString, line);
        QFETCH(bool, fault);
        const QList<Include> includes = includesOf(line);
        QCOMPARE(includes.size(), 1);
        const QSet<QString> sources = {QStringLiteral("core/graph/Graph.h"),
                                       QStringLiteral("core/cluster/Cluster.h"),
                                       QStringLiteral("views/Main.h")};
        QCOMPARE(faultOf(path, includes.front(), sources).has_value(), fault);
    }
};

QTEST_GUILESS_MAIN(TestIncludeRules)
#include "TestIncludeRules.moc"
