#include "views/format/OpName.h"

#include "views/format/ShownText.h"

namespace doppler::views {

namespace {
constexpr qsizetype kLongest = 160;    // characters that are looked at: measuring costs time
constexpr qsizetype kLeastLetters = 3; // of a name with an ellipsis, which is one of them
constexpr QChar kEllipsis(0x2026);

/// As many of the last parts of a path as fit behind an ellipsis; the last one alone where not
/// even that does. Names that are no path stay whole.
QString lastParts(const QString& path, const QFontMetricsF& metrics, double width) {
    const qsizetype last = path.lastIndexOf(u'/', -2) + 1; // a path may end with a separator
    QString fitting = path.mid(last);
    for (qsizetype begin = last; begin > 0;) {
        const QString marked = kEllipsis + path.mid(begin);
        if (metrics.horizontalAdvance(marked) > width) {
            break;
        }
        fitting = marked;
        begin = begin > 1 ? path.lastIndexOf(u'/', begin - 2) + 1 : 0;
    }
    return fitting;
}

/// Without its middle or its beginning if it ends with a number, which is what tells it apart.
QString elidedName(const QString& name, const QFontMetricsF& metrics, double width) {
    qsizetype digits = 0;
    while (digits < name.size() && name[name.size() - 1 - digits].isDigit()) {
        ++digits;
    }
    if (digits == 0) {
        return metrics.elidedText(name, Qt::ElideRight, width);
    }
    const QString middle = metrics.elidedText(name, Qt::ElideMiddle, width);
    return middle.endsWith(name.right(digits)) ? middle
                                               : metrics.elidedText(name, Qt::ElideLeft, width);
}

} // namespace

QString shortOpName(const graph::Graph& graph, OpId op) {
    const QString name = shownText(graph.opName(op));
    const QString number = QString::number(op);
    return !graph.hasOwnName(op) || name.endsWith(' ' + number) ? number : name;
}

QString fittingOpName(const graph::Graph& graph, OpId op, const QFontMetricsF& metrics,
                      double width) {
    const QString name = shownText(graph.opName(op));
    const QString whole = name.size() > kLongest ? name.left(kLongest) + kEllipsis : name;
    // Measuring is what takes time, and most names are far too long for a node.
    const bool mayFit =
        static_cast<double>(whole.size()) * metrics.horizontalAdvance(u'i') <= width;
    if (mayFit && metrics.horizontalAdvance(whole) <= width) {
        return whole;
    }
    const QString number = QString::number(op);
    if (shortOpName(graph, op) == number) { // "mm 146" cut would be "mm 1..."
        return metrics.horizontalAdvance(number) <= width ? number : QString();
    }
    const QString rest = lastParts(name.right(kLongest), metrics, width);
    const QString elided = elidedName(rest, metrics, width);
    return elided.size() >= kLeastLetters ? elided : QString();
}

} // namespace doppler::views
