#pragma once

/// views/experiments: the mode that compares methods over graphs and seeds. A session runs it in
/// the background and knows its results; everything else shows them.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/cost/CostTable.h"
#include "core/place/Objective.h"
#include "core/sim/SimOptions.h"

namespace doppler::views {

/// One graph that an experiment may run on.
struct ExperimentGraph {
    QString source;  ///< workload or file
    QString cluster; ///< preset or file; empty: the experiment's
    bool chosen = true;

    bool operator==(const ExperimentGraph&) const = default;
};

/// Which execution modes an experiment runs in.
enum class ExperimentModes { WorkConserving, BulkSynchronous, Both };

/// What someone asks an experiment to do.
struct ExperimentSetup {
    static constexpr int kMostSeeds = 100;

    QString name;
    std::vector<ExperimentGraph> graphs;
    QStringList methods; ///< the chosen ones, in the order of the registry
    QString cluster = QStringLiteral("uniform:4");
    std::optional<cost::CostModel> costs; ///< none: published where the graph has such costs
    ExperimentModes modes = ExperimentModes::WorkConserving;
    int seeds = 3;
    double budgetSeconds = 2;
    place::Objective objective; ///< that methods make small and are compared by

    bool operator==(const ExperimentSetup&) const = default;

    /// Four workloads and the quick methods.
    static ExperimentSetup usual(const QString& name);
};

/// "format": "doppler-experiment/1".
QByteArray writeSetup(const ExperimentSetup& setup);
/// Throws InputError. Methods that this program does not know are left out.
ExperimentSetup parseSetup(const QByteArray& text, const QString& where);

/// The setups in a folder, one file each, named as they are.
class SetupFolder {
public:
    explicit SetupFolder(QString folder) : folder_(std::move(folder)) {}

    QString path() const { return folder_; }
    QStringList names() const;
    /// The setup of that name; usual(name) where there is none. A file that cannot be read is
    /// renamed, `problem` says why and how, and it is usual(name) too.
    ExperimentSetup load(const QString& name, QString* problem) const;
    /// Throws std::runtime_error.
    void save(const ExperimentSetup& setup) const;
    void remove(const QString& name) const;
    /// `name`, or with a number where it is taken.
    QString freeName(const QString& name) const;
    /// Whether a file can be called so.
    static bool isName(const QString& name);

private:
    QString fileOf(const QString& name) const;
    ExperimentSetup replaceBroken(const QString& name, const QString& why, QString* problem) const;

    QString folder_;
};

} // namespace doppler::views
