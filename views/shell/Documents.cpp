#include "views/shell/Documents.h"

#include <QFileInfo>
#include <stdexcept>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/ReadMonitor.h"
#include "views/format/Format.h"
#include "views/shell/Prompts.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

/// Shows how far a read is, and ends it when its job is cancelled.
class JobMonitor : public io::ReadMonitor {
public:
    explicit JobMonitor(JobContext& context) : context_(context) {}

    void progress(double share) const override {
        if (context_.stopToken().stop_requested()) {
            throw std::runtime_error("cancelled");
        }
        context_.report(share, {});
    }

private:
    JobContext& context_;
};

} // namespace

Documents::Documents(Workspace& workspace, Prompts& prompts, QObject* parent)
    : QObject(parent), workspace_(workspace), prompts_(prompts) {
    // Also after a step that was folded into the last one, or that replaced an undone one.
    connect(&workspace_.undoStack(), &QUndoStack::indexChanged, this, [this] { ++edits_; });
}

QString Documents::openFilter() {
    return tr(
        "Graphs, traces, sessions, clusters, assignments (*.json *.txt *.doppler *.onnx *.et *.stg "
        "*.dax *.xml *.graphml *.dot *.gz);;All files (*)");
}

OpenRequest Documents::withContext(OpenRequest request) const {
    request.context = workspace_.problem();
    request.contextCluster = workspace_.clusterSource();
    request.contextProfile = workspace_.profile();
    return request;
}

void Documents::open(const QString& source) {
    OpenRequest request;
    request.source = source;
    request.asksDimensions = true;
    open(request);
}

void Documents::openRecent(const RecentEntry& entry) {
    OpenRequest request;
    request.source = entry.source;
    request.cluster = entry.cluster;
    request.costs = entry.costs;
    request.remembered = true;
    request.asksDimensions = true;
    open(request);
}

bool Documents::hasDimensions() const {
    const QString file = fileOf(workspace_.graphSource());
    return workspace_.hasProblem() && !file.isEmpty() && file != workspace_.graphSource();
}

void Documents::changeDimensions() {
    OpenRequest request;
    request.source = workspace_.graphSource();
    request.asksDimensions = true;
    request.asksAllDimensions = true;
    open(request);
}

/// Opens with the answer; without one all stays as it is.
void Documents::ask(OpenRequest request, const DimensionQuestion& question) {
    const std::optional<io::GraphDimensions> sizes = prompts_.dimensions(question);
    if (!sizes) {
        return;
    }
    io::GraphSource source = question.source;
    for (const auto& [name, size] : *sizes) {
        source.dimensions[name] = size;
    }
    request.source = QString::fromStdString(io::graphSourceText(source));
    request.asksDimensions = false;
    open(request);
}

void Documents::openWithDialog() {
    const QString path = prompts_.openPath(tr("Open a graph or session"), openFilter());
    if (!path.isEmpty()) {
        open(path);
    }
}

void Documents::open(const OpenRequest& request) {
    if (opening_) {
        opening_->cancel();
    }
    opening_ = workspace_.jobs().start<OpenedDocument>(
        {tr("Opening %1").arg(titleOf(request.source)), false, false},
        [request = withContext(request)](JobContext& context) {
            const JobMonitor monitor(context);
            return openDocument(request, &monitor);
        },
        [this, request](OpenedDocument document) {
            opening_.clear();
            if (document.question) {
                ask(request, *document.question);
            } else if (document.problem || document.session) {
                confirm([this, document = std::move(document)] { take(document); });
            } else {
                take(document);
            }
        },
        [this](const QString& message) {
            opening_.clear();
            Q_EMIT failed(message);
        });
}

void Documents::take(const OpenedDocument& document) {
    try {
        takeProblem(document);
    } catch (const InputError& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
        return;
    }
    if (!document.report.notes.empty()) {
        QStringList notes;
        for (const std::string& note : document.report.notes) {
            notes.append(QString::fromStdString(note));
        }
        Q_EMIT imported(titleOf(document.source), notes);
    }
}

void Documents::takeProblem(const OpenedDocument& document) {
    if (document.cluster) {
        const cost::CostModel before = workspace_.costModel();
        const bool timed =
            document.profile &&
            whyImpossible(cost::CostModel::Profiled, *workspace_.problem()->graph, true).isEmpty();
        const bool fromUnits = timed && before == cost::CostModel::Published;
        workspace_.changeProblem(
            document.cluster, document.clusterSource, timed ? cost::CostModel::Profiled : before,
            fromUnits ? sim::SimOptions() : workspace_.problem()->options, document.profile);
        return;
    }
    if (document.trace) {
        rememberTrace(document);
        Q_EMIT traceOpened(*document.trace);
        return;
    }
    if (document.placement) {
        const io::PlacementRecord& record = document.placement->record;
        workspace_.addPlacement(document.placement->assignment, titleOf(document.source),
                                record.seed.value_or(0), 0, true, true, objectiveOf(record));
        return;
    }
    if (document.session) {
        workspace_.openSession(*document.session);
        workspace_.setSessionPath(document.source);
    } else {
        workspace_.open(document.problem, document.source, document.clusterSource, document.costs,
                        document.profile);
    }
    remember(document.source);
    Q_EMIT opened();
}

void Documents::remember(const QString& source) {
    const bool session = source == workspace_.sessionPath();
    RecentEntry entry;
    const QString file = fileOf(source);
    entry.source =
        file.isEmpty() ? source : QFileInfo(file).absoluteFilePath() + source.mid(file.size());
    entry.kind = session           ? RecentEntry::Kind::Session
                 : !file.isEmpty() ? RecentEntry::Kind::Graph
                                   : RecentEntry::Kind::Workload;
    entry.summary = QStringLiteral("%1 · %2").arg(
        countOf(workspace_.problem()->opCount(), QStringLiteral("op")),
        countOf(workspace_.problem()->deviceCount(), QStringLiteral("device")));
    if (!session) {
        const QString cluster = workspace_.clusterSource();
        const QFileInfo clusterFile(cluster);
        entry.cluster = clusterFile.isFile() ? clusterFile.absoluteFilePath() : cluster;
        entry.costs = workspace_.costModel();
    } else {
        entry.summary += QStringLiteral(" · ") +
                         countOf(static_cast<std::int64_t>(workspace_.placements().size()),
                                 QStringLiteral("placement"));
    }
    entry.when = QDateTime::currentDateTime();
    recent_.add(entry);
}

void Documents::rememberTrace(const OpenedDocument& document) {
    RecentEntry entry;
    entry.source = QFileInfo(document.source).absoluteFilePath();
    entry.kind = RecentEntry::Kind::Graph;
    entry.summary = document.trace->description;
    entry.when = QDateTime::currentDateTime();
    recent_.add(entry);
}

bool Documents::openRecovered(const QString& path) {
    try {
        workspace_.openSession(
            io::parseSession(io::readFile(path.toStdString()), path.toStdString()));
    } catch (const InputError& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
        return false;
    }
    workspace_.undoStack().resetClean();
    Q_EMIT opened();
    return true;
}

void Documents::save(std::function<void(bool)> then) {
    if (workspace_.sessionPath().isEmpty()) {
        saveAs(std::move(then));
    } else {
        writeSession(workspace_.sessionPath(), std::move(then));
    }
}

void Documents::saveAs(std::function<void(bool)> then) {
    const QString path =
        workspace_.hasProblem()
            ? prompts_.savePath(tr("Save the session"), tr("Sessions (*.doppler);;All files (*)"),
                                title().section(QLatin1Char(':'), 0, 0) +
                                    QStringLiteral(".doppler"))
            : QString();
    if (!path.isEmpty()) {
        writeSession(path, std::move(then));
    } else if (then) {
        then(false);
    }
}

void Documents::writeSession(const QString& path, std::function<void(bool)> then) {
    const int edits = edits_;
    workspace_.jobs().start<bool>(
        {tr("Saving %1").arg(titleOf(path)), false, false},
        [session = workspace_.toSession(), file = path.toStdString()](JobContext&) {
            io::writeFileAtomically(file, io::writeSession(session));
            return true;
        },
        [this, path, edits, then](bool) {
            if (edits_ == edits) {
                workspace_.setSessionPath(path);
            }
            remember(path);
            Q_EMIT saved(path);
            if (then) {
                then(true);
            }
        },
        [this, then](const QString& message) {
            Q_EMIT failed(message);
            if (then) {
                then(false);
            }
        });
}

void Documents::confirm(std::function<void()> proceed) {
    if (!workspace_.hasProblem() || !workspace_.isModified()) {
        proceed();
        return;
    }
    switch (prompts_.askToSave(title())) {
    case Prompts::SaveAnswer::Save:
        save([this, proceed = std::move(proceed)](bool done) {
            if (done) {
                confirm(proceed); // asks again if there were edits while the file was written
            }
        });
        break;
    case Prompts::SaveAnswer::Discard:
        proceed();
        break;
    case Prompts::SaveAnswer::Cancel:
        break;
    }
}

void Documents::closeProblem() {
    confirm([this] { workspace_.close(); });
}

QString Documents::title() const {
    if (!workspace_.hasProblem()) {
        return {};
    }
    return titleOf(workspace_.sessionPath().isEmpty() ? workspace_.graphSource()
                                                      : workspace_.sessionPath());
}

} // namespace doppler::views
