#include "views/format/OpName.h"

namespace doppler::views {

namespace {
constexpr qsizetype kLongest = 160;    // characters that are looked at: measuring costs time
constexpr qsizetype kLeastLetters = 3; // of a name with an ellipsis, which is one of them
} // namespace

QString shortOpName(const graph::Graph& graph, OpId op) {
    const QString name = QString::fromStdString(graph.opName(op));
    const QString number = QString::number(op);
    return !graph.hasOwnName(op) || name.endsWith(' ' + number) ? number : name;
}

QString fittingOpName(const graph::Graph& graph, OpId op, const QFontMetricsF& metrics,
                      double width) {
    QString name = QString::fromStdString(graph.opName(op));
    if (name.size() > kLongest) {
        name = name.left(kLongest) + QChar(0x2026);
    }
    if (metrics.horizontalAdvance(name) <= width) {
        return name;
    }
    const QString number = QString::number(op);
    if (shortOpName(graph, op) == number) { // "mm 146" cut would be "mm 1..."
        return metrics.horizontalAdvance(number) <= width ? number : QString();
    }
    const QString elided = metrics.elidedText(name, Qt::ElideRight, width);
    return elided.size() >= kLeastLetters ? elided : QString();
}

} // namespace doppler::views
