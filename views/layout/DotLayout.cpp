#include "views/layout/DotLayout.h"

#include <QElapsedTimer>
#include <QProcess>
#include <charconv>
#include <string_view>

namespace doppler::views {

namespace {

constexpr double kPointsPerInch = 72;
constexpr int kPollMs = 30;

EdgeId edgeBetween(const graph::Graph& graph, OpId from, OpId to) {
    for (EdgeId edge = graph.firstOutEdge(from); edge < graph.endOutEdge(from); ++edge) {
        if (graph.target(edge) == to) {
            return edge;
        }
    }
    return kNoEdge;
}

/// Words and numbers of one line of dot's plain format.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}

    std::string_view word() {
        const std::size_t begin = std::min(rest_.find_first_not_of(' '), rest_.size());
        const std::size_t end = std::min(rest_.find(' ', begin), rest_.size());
        const std::string_view word = rest_.substr(begin, end - begin);
        rest_ = rest_.substr(end);
        return word;
    }

    template <typename Number>
    Number number() {
        const std::string_view text = word();
        Number value{};
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
        good_ = good_ && fault == std::errc() && end == text.data() + text.size();
        return value;
    }

    bool good() const { return good_; }

private:
    std::string_view rest_;
    bool good_ = true;
};

} // namespace

QByteArray dotSource(const graph::Graph& graph, const LayoutShape& shape) {
    const auto inches = [](double pixels) {
        return QByteArray::number(pixels / kPointsPerInch, 'f', 4);
    };
    QByteArray text = "digraph {\n  graph [rankdir=";
    text += shape.leftToRight ? "LR" : "TB";
    text += " splines=true nodesep=" + inches(shape.nodeGap) + " ranksep=" + inches(shape.levelGap);
    text += "]\n  node [shape=box fixedsize=true label=\"\" width=" + inches(kNodeWidth) +
            " height=" + inches(kNodeHeight) + "]\n  edge [arrowhead=none]\n";
    for (OpId op = 0; op < graph.opCount(); ++op) {
        text += QByteArray::number(op) + "\n";
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        text += QByteArray::number(graph.source(edge)) + "->" +
                QByteArray::number(graph.target(edge)) + "\n";
    }
    return text + "}\n";
}

std::optional<GraphLayout> parsePlain(const QByteArray& plain, const graph::Graph& graph,
                                      const LayoutShape& shape) {
    GraphLayout layout;
    layout.engine = LayoutEngine::Dot;
    layout.leftToRight = shape.leftToRight;
    layout.centres.resize(static_cast<std::size_t>(graph.opCount()));
    std::vector<std::vector<QPointF>> curves(static_cast<std::size_t>(graph.edgeCount()));
    int nodes = 0;
    int edges = 0;
    double height = 0;
    const auto point = [&height](Words& words) {
        const double x = words.number<double>();
        const double y = words.number<double>();
        return QPointF(x * kPointsPerInch, (height - y) * kPointsPerInch); // dot's y grows upwards
    };
    std::string_view text(plain.constData(), static_cast<std::size_t>(plain.size()));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        Words words(text.substr(0, end));
        text = text.substr(std::min(end + 1, text.size()));
        const std::string_view what = words.word();
        if (what == "graph") {
            words.number<double>(); // scale
            words.number<double>(); // width
            height = words.number<double>();
        } else if (what == "node") {
            const OpId op = words.number<OpId>();
            const QPointF centre = point(words);
            if (!words.good() || op < 0 || op >= graph.opCount()) {
                return std::nullopt;
            }
            layout.centres[static_cast<std::size_t>(op)] = centre;
            ++nodes;
        } else if (what == "edge") {
            const OpId from = words.number<OpId>();
            const OpId to = words.number<OpId>();
            const int count = words.number<int>();
            const bool known = words.good() && from >= 0 && from < graph.opCount();
            const EdgeId edge = known ? edgeBetween(graph, from, to) : kNoEdge;
            if (edge == kNoEdge || count < 4 || count % 3 != 1) {
                return std::nullopt;
            }
            std::vector<QPointF>& curve = curves[static_cast<std::size_t>(edge)];
            for (int i = 0; i < count && words.good(); ++i) {
                curve.push_back(point(words));
            }
            if (!words.good()) {
                return std::nullopt;
            }
            ++edges;
        }
    }
    if (nodes != graph.opCount() || edges != graph.edgeCount()) {
        return std::nullopt;
    }
    for (const std::vector<QPointF>& curve : curves) {
        layout.curvePoints.insert(layout.curvePoints.end(), curve.begin(), curve.end());
        layout.curveBegin.push_back(static_cast<std::uint32_t>(layout.curvePoints.size()));
    }
    layout.updateBounds();
    return layout;
}

DotResult dotLayout(const graph::Graph& graph, const LayoutShape& shape,
                    const std::stop_token& stop, const QString& program, int timeoutSeconds) {
    if (stop.stop_requested()) {
        return {};
    }
    QProcess process;
    process.start(program, {QStringLiteral("-Tplain")});
    if (!process.waitForStarted()) {
        return {nullptr, QStringLiteral("Graphviz \"%1\" could not be started (%2); the built-in "
                                        "layout is used")
                             .arg(program, process.errorString())};
    }
    process.write(dotSource(graph, shape));
    process.closeWriteChannel();
    QElapsedTimer timer;
    timer.start();
    while (!process.waitForFinished(kPollMs) && process.state() != QProcess::NotRunning) {
        const bool late = timer.elapsed() > qint64{1000} * timeoutSeconds;
        if (stop.stop_requested() || late) {
            process.kill();
            process.waitForFinished();
            return {nullptr, late ? QStringLiteral("Graphviz needed more than %1 s; the built-in "
                                                   "layout is used")
                                        .arg(timeoutSeconds)
                                  : QString()};
        }
    }
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0) {
        if (auto layout = parsePlain(process.readAllStandardOutput(), graph, shape)) {
            return {std::make_shared<const GraphLayout>(std::move(*layout)), {}};
        }
    }
    const QString detail =
        QString::fromLocal8Bit(process.readAllStandardError()).trimmed().section(u'\n', 0, 0);
    return {nullptr, QStringLiteral("Graphviz failed (%1); the built-in layout is used")
                         .arg(detail.isEmpty() ? process.errorString() : detail)};
}

} // namespace doppler::views
