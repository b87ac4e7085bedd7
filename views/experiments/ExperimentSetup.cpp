#include "views/experiments/ExperimentSetup.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <array>

#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/place/Registry.h"
#include "core/workload/Workload.h"

namespace doppler::views {

namespace {

constexpr const char* kFormat = "doppler-experiment/1";
constexpr double kLongestBudget = 86'400; // seconds
const QString kEnding = QStringLiteral(".experiment.json");

constexpr std::array kModes{
    std::pair{ExperimentModes::WorkConserving, "wc"},
    std::pair{ExperimentModes::BulkSynchronous, "bsp"},
    std::pair{ExperimentModes::Both, "both"},
};

} // namespace

ExperimentSetup ExperimentSetup::usual(const QString& name) {
    constexpr int kChosenGraphs = 4;
    ExperimentSetup setup;
    setup.name = name;
    for (const workload::WorkloadInfo& info : workload::workloads()) {
        setup.graphs.push_back({QString::fromStdString(info.name),
                                {},
                                static_cast<int>(setup.graphs.size()) < kChosenGraphs});
    }
    for (const place::PlacerInfo& info : place::placers()) {
        // Rules cost nothing; of the searches only the strongest.
        if (!info.search || info.name == "anneal") {
            setup.methods.append(QString::fromStdString(info.name));
        }
    }
    return setup;
}

QByteArray writeSetup(const ExperimentSetup& setup) {
    io::JsonText text;
    text.member("format", kFormat);
    text.beginList("graphs");
    for (const ExperimentGraph& graph : setup.graphs) {
        io::OrderedJson json = {{"source", graph.source.toStdString()}, {"chosen", graph.chosen}};
        if (!graph.cluster.isEmpty()) {
            json["cluster"] = graph.cluster.toStdString();
        }
        text.element(json);
    }
    text.endList();
    text.beginList("methods");
    for (const QString& method : setup.methods) {
        text.element(method.toStdString());
    }
    text.endList();
    text.member("cluster", setup.cluster.toStdString());
    if (setup.costs) {
        text.member("costs", cost::name(*setup.costs));
    }
    for (const auto& [modes, word] : kModes) {
        if (modes == setup.modes) {
            text.member("mode", word);
        }
    }
    text.member("seeds", setup.seeds);
    text.member("budgetSeconds", io::tidyNumber(setup.budgetSeconds));
    if (setup.objective != place::Objective()) {
        text.member("objective", place::name(setup.objective));
    }
    return QByteArray::fromStdString(text.finish());
}

ExperimentSetup parseSetup(const QByteArray& text, const QString& where) {
    const io::JsonDocument document = io::parseJson(text.toStdString(), where.toStdString());
    const io::JsonField root = io::requireFormat(document, kFormat);
    ExperimentSetup setup;
    for (const io::JsonField& graph : root["graphs"].elements()) {
        setup.graphs.push_back({QString::fromStdString(graph["source"].string()),
                                QString::fromStdString(graph.stringOr("cluster", "")),
                                graph.booleanOr("chosen", true)});
    }
    QStringList wanted;
    for (const io::JsonField& method : root["methods"].elements()) {
        wanted.append(QString::fromStdString(method.string()));
    }
    for (const place::PlacerInfo& info : place::placers()) {
        const QString name = QString::fromStdString(info.name);
        if (wanted.contains(name)) {
            setup.methods.append(name);
        }
    }
    setup.cluster = QString::fromStdString(root["cluster"].string());
    const std::string costs = root.stringOr("costs", "");
    for (const cost::CostModel model : {cost::CostModel::Published, cost::CostModel::Physical}) {
        if (costs == cost::name(model)) {
            setup.costs = model;
        }
    }
    const std::string mode = root.stringOr("mode", "wc");
    for (const auto& [modes, word] : kModes) {
        if (mode == word) {
            setup.modes = modes;
        }
    }
    setup.seeds = root["seeds"].integer32(1, ExperimentSetup::kMostSeeds);
    setup.budgetSeconds = std::clamp(root["budgetSeconds"].number(), 0.001, kLongestBudget);
    setup.objective = place::parseObjective(root.stringOr("objective", "makespan"));
    return setup;
}

QString SetupFolder::fileOf(const QString& name) const {
    return QDir(folder_).filePath(name + kEnding);
}

QStringList SetupFolder::names() const {
    QStringList names;
    for (const QString& file : QDir(folder_).entryList({QLatin1Char('*') + kEnding}, QDir::Files,
                                                       QDir::Name | QDir::IgnoreCase)) {
        names.append(file.chopped(kEnding.size()));
    }
    return names;
}

ExperimentSetup SetupFolder::load(const QString& name, QString* problem) const {
    QFile file(fileOf(name));
    if (!file.exists()) {
        return ExperimentSetup::usual(name);
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return replaceBroken(name, file.errorString(), problem);
    }
    try {
        ExperimentSetup setup = parseSetup(file.readAll(), file.fileName());
        setup.name = name;
        return setup;
    } catch (const std::exception& error) {
        return replaceBroken(name, QString::fromUtf8(error.what()), problem);
    }
}

ExperimentSetup SetupFolder::replaceBroken(const QString& name, const QString& why,
                                           QString* problem) const {
    const QString file = fileOf(name);
    QString kept = file + QStringLiteral(".broken");
    for (int number = 2; QFileInfo::exists(kept); ++number) {
        kept = QStringLiteral("%1.broken-%2").arg(file).arg(number);
    }
    const bool renamed = QFile::rename(file, kept);
    *problem = QCoreApplication::translate("Experiments",
                                           "The experiment \"%1\" cannot be read and begins anew; "
                                           "its file is kept as \"%2\": %3")
                   .arg(name, renamed ? kept : file, why);
    return ExperimentSetup::usual(renamed ? name : freeName(name)); // what is there stays
}

void SetupFolder::save(const ExperimentSetup& setup) const {
    QDir().mkpath(folder_);
    io::writeFileAtomically(fileOf(setup.name).toStdString(), writeSetup(setup).toStdString());
}

void SetupFolder::remove(const QString& name) const {
    QFile::remove(fileOf(name));
}

QString SetupFolder::freeName(const QString& name) const {
    const QStringList taken = names();
    QString free = name;
    for (int number = 2; taken.contains(free, Qt::CaseInsensitive); ++number) {
        free = QStringLiteral("%1-%2").arg(name).arg(number);
    }
    return free;
}

bool SetupFolder::isName(const QString& name) {
    constexpr int kLongest = 60;
    return !name.trimmed().isEmpty() && name.size() <= kLongest &&
           !name.startsWith(QLatin1Char('.')) && !name.contains(QLatin1Char('/'));
}

} // namespace doppler::views
