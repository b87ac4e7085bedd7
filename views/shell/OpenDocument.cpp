#include "views/shell/OpenDocument.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "core/engine/DetectCluster.h"
#include "core/engine/ProfileCheck.h"
#include "core/graph/InputError.h"
#include "core/io/ProfileJson.h"
#include "core/io/ReadMonitor.h"
#include "core/sim/ProfiledProblem.h"
#include "core/workload/Workload.h"
#include "views/gantt/TraceTrack.h"

namespace doppler::views {

namespace {

constexpr std::size_t kTagWindow = 4096; // a format tag stands near the beginning

bool isTagged(std::string_view text, std::string_view tag) {
    return text.substr(0, kTagWindow).find(tag) != std::string_view::npos;
}

/// The paper's assignments: device numbers on one line, separated by commas.
bool looksLikeCommaList(std::string_view text) {
    while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != text.npos) {
        text.remove_suffix(1);
    }
    return text.find(',') != text.npos && text.find_first_not_of("0123456789, \t") == text.npos;
}

const sim::Problem& contextOf(const OpenRequest& request, const char* what) {
    if (!request.context) {
        throw InputError(request.source.toStdString() + ": this is " + what +
                         "; open the graph it belongs to first");
    }
    return *request.context;
}

/// What the user asked for, what the open problem has, or what suits best.
cost::CostModel costsOf(const OpenRequest& request, const graph::Graph& graph, bool measured) {
    const auto possible = [&](cost::CostModel costs) {
        return whyImpossible(costs, graph, measured).isEmpty();
    };
    if (request.costs && (!request.remembered || possible(*request.costs))) {
        return *request.costs;
    }
    if (request.costs == cost::CostModel::Profiled && possible(cost::CostModel::Physical)) {
        return cost::CostModel::Physical; // times as well
    }
    if (!request.cluster.isEmpty() && possible(cost::CostModel::Profiled)) {
        return cost::CostModel::Profiled;
    }
    if (request.context && possible(request.context->costs->model())) {
        return request.context->costs->model();
    }
    return cost::defaultCostModel(graph);
}

/// The window only simulates with such times; but not without a word.
void tellProfile(const cluster::Profile* profile, const QString& cluster,
                 io::ImportReport& report) {
    if (profile == nullptr) {
        return;
    }
    const std::string where = cluster.toStdString();
    try {
        engine::checkProfileFits(*profile, profile->runtime, where);
    } catch (const InputError& error) {
        report.notes.emplace_back(error.what());
    }
    if (const std::string note = engine::disturbanceNote(*profile); !note.empty()) {
        report.notes.push_back(where + ": " + note);
    }
}

/// Builds the problem around a graph.
void completeProblem(const OpenRequest& request, std::shared_ptr<const graph::Graph> graph,
                     OpenedDocument& document) {
    std::shared_ptr<const cluster::Cluster> cluster;
    if (!request.cluster.isEmpty()) {
        try {
            cluster = openClusterSource(request.cluster);
            document.clusterSource = request.cluster;
            document.profile = io::openProfile(request.cluster.toStdString());
        } catch (const InputError&) {
            if (!request.remembered) {
                throw;
            }
        }
    }
    if (!cluster && request.context) {
        cluster = request.context->cluster;
        document.clusterSource = request.contextCluster;
        document.profile = request.contextProfile;
    }
    document.costs = costsOf(request, *graph, document.profile != nullptr);
    if (!cluster) {
        document.clusterSource = document.costs == cost::CostModel::Published
                                     ? QStringLiteral("uniform:4")
                                     : QStringLiteral("p100x4");
        cluster = openClusterSource(document.clusterSource);
    }
    if (document.costs == cost::CostModel::Profiled && document.profile != request.contextProfile) {
        tellProfile(document.profile.get(), document.clusterSource, document.report);
    }
    const sim::SimOptions options = request.options.value_or(defaultOptions(document.costs));
    document.problem =
        document.costs == cost::CostModel::Profiled && document.profile
            ? sim::makeProfiledProblem(std::move(graph), std::move(cluster), *document.profile,
                                       options)
            : sim::makeProblem(std::move(graph), std::move(cluster), document.costs, options);
}

/// What is to be asked before the model in `text` is opened; nothing if all is known.
std::optional<DimensionQuestion> questionOf(const OpenRequest& request, const io::GraphSource& file,
                                            std::string_view text) {
    if (!request.asksDimensions) {
        return std::nullopt;
    }
    DimensionQuestion question{file, io::inputDimensions(text)};
    const bool open = std::any_of(
        question.dimensions.begin(), question.dimensions.end(),
        [&](const io::OpenDimension& each) { return !file.dimensions.contains(each.name); });
    const bool again = request.asksAllDimensions && !question.dimensions.empty();
    return open || again ? std::optional(std::move(question)) : std::nullopt;
}

/// The source's file and sizes; only the path where they cannot be read.
io::GraphSource sourceOf(const QString& source) {
    try {
        return io::parseGraphSource(source.toStdString());
    } catch (const InputError&) {
        return {source.toStdString(), {}};
    }
}

} // namespace

OpenedDocument openDocument(const OpenRequest& request, const io::ReadMonitor* monitor) {
    OpenedDocument document;
    document.source = request.source;
    const std::string source = request.source.toStdString();
    const bool isFile = QFileInfo::exists(request.source);
    if (!isFile && workload::isWorkload(source)) {
        completeProblem(request, workload::generate(source), document);
        return document;
    }
    const io::GraphSource file = io::parseGraphSource(source);
    const std::string text = io::readFile(file.path, monitor);
    if (io::looksLikeSession(text)) {
        document.session = io::parseSession(text, source);
        if (document.session->costs == cost::CostModel::Profiled) {
            tellProfile(document.session->profile.get(),
                        QString::fromStdString(document.session->clusterSource), document.report);
        }
    } else if (isTagged(text, "doppler-cluster/")) {
        contextOf(request, "a cluster");
        document.cluster = io::parseClusterJson(text, source);
        document.profile = io::openProfile(source);
        document.clusterSource = request.source;
        tellProfile(document.profile.get(), request.source, document.report);
    } else if (isTagged(text, "doppler-assignment/") || looksLikeCommaList(text)) {
        const sim::Problem& context = contextOf(request, "an assignment");
        document.placement = io::parsePlacement(text, source, *context.graph, *context.cluster);
    } else if ((document.question = questionOf(request, file, text))) {
        return document;
    } else {
        io::GraphOrTrace read =
            io::parseGraphOrTrace(text, file.path.string(), file.dimensions, monitor);
        if (auto* trace = std::get_if<io::ReadTrace>(&read)) {
            document.report = std::move(trace->report);
            document.trace = traceTrack(*trace->timeline);
        } else {
            auto& graph = std::get<io::ReadGraph>(read);
            document.report = std::move(graph.report);
            completeProblem(request, std::move(graph.graph), document);
        }
    }
    return document;
}

std::shared_ptr<const cluster::Cluster> openClusterSource(const QString& source) {
    return source == kThisMachine ? engine::detectCluster().cluster
                                  : io::openCluster(source.toStdString());
}

sim::SimOptions defaultOptions(cost::CostModel costs) {
    return costs == cost::CostModel::Published ? sim::SimOptions::published() : sim::SimOptions();
}

QString whyImpossible(cost::CostModel costs, const graph::Graph& graph, bool measured) {
    if (costs == cost::CostModel::Published) {
        return graph.hasFileCosts()
                   ? QString()
                   : QCoreApplication::translate("Costs", "This graph states no costs of its own");
    }
    if (costs == cost::CostModel::Profiled && !measured) {
        return QCoreApplication::translate("Costs", "Nothing was measured on this cluster");
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (graph.flops(op) > 0 || graph.outputBytes(op) > 0) {
            return {};
        }
    }
    return QCoreApplication::translate("Costs", "This graph states neither FLOPs nor bytes");
}

QString fileOf(const QString& source) {
    const QString path = QString::fromStdString(sourceOf(source).path.string());
    return QFileInfo::exists(path) ? path : QString();
}

QString titleOf(const QString& source) {
    const QString file = fileOf(source);
    return file.isEmpty() ? source : QFileInfo(file).completeBaseName() + source.mid(file.size());
}

} // namespace doppler::views
