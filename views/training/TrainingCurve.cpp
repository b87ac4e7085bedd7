#include "views/training/TrainingCurve.h"

#include <QSvgGenerator>
#include <algorithm>

#include "views/charts/ChartStyle.h"

namespace doppler::views {

namespace {

constexpr int kTextSize = 11;
constexpr double kNameGap = 1;       // pixels between names of lines
constexpr double kLeastNamed = 0.05; // share of the width from which a stage is named
constexpr double kRoom = 0.04;       // of the range, above and below
// Dots above this share of the values do not stretch the axis.
constexpr double kShownShare = 0.98;

const char* numeral(learn::Stage stage) {
    switch (stage) {
    case learn::Stage::Imitation:
        return "I";
    case learn::Stage::Simulation:
        return "II";
    case learn::Stage::System:
        break;
    }
    return "III";
}

double shareOf(const std::vector<CurveData::Point>& points, double share) {
    std::vector<double> values;
    values.reserve(points.size());
    for (const CurveData::Point& point : points) {
        values.push_back(point.makespan);
    }
    const auto nth = values.begin() +
                     static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

} // namespace

TrainingCurve::TrainingCurve(const Appearance& appearance, QWidget* parent)
    : QCustomPlot(parent)
    , appearance_(appearance)
    , dots_(addGraph())
    , mean_(addGraph())
    , best_(addGraph()) {
    setAccessibleName(tr("Makespan of each episode"));
    setFocusPolicy(Qt::StrongFocus);
    dots_->setLineStyle(QCPGraph::lsNone);
    best_->setLineStyle(QCPGraph::lsStepLeft);
    dots_->setAdaptiveSampling(true);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    connect(this, &QCustomPlot::mouseWheel, this, [this] { zoomed_ = true; });
    connect(this, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
        zoomed_ = zoomed_ || (event->buttons() & Qt::LeftButton);
    });
    connect(this, &QCustomPlot::mouseDoubleClick, this, [this] {
        zoomed_ = false;
        fitRanges();
        redraw();
    });
    connect(this, &QCustomPlot::afterLayout, this, &TrainingCurve::placeLevelNames);
    connect(&appearance, &Appearance::changed, this, &TrainingCurve::applyTheme);
    applyTheme();
}

void TrainingCurve::applyTheme() {
    const Theme& theme = appearance_.theme();
    styleChart(*this, theme);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setLabelFont(fontOfSize(kTextSize));
        axis->setLabelColor(theme.secondary);
        axis->setTickLength(0, 3);
        axis->setNumberFormat(QStringLiteral("gb"));
    }
    xAxis->setLabel(tr("episodes"));
    xAxis->setLabelPadding(2);
    QColor faint = theme.accent;
    faint.setAlphaF(0.45F);
    dots_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, faint, 2));
    mean_->setPen(QPen(theme.ink, 1.4));
    best_->setPen(QPen(theme.accent, 2));
    fillOthers();
    fillStages();
    fillLevels();
    redraw();
}

// There is nothing to draw on until it is shown.
void TrainingCurve::redraw() {
    if (isVisible()) {
        replot(rpQueuedReplot);
    }
}

void TrainingCurve::resizeEvent(QResizeEvent* event) {
    if (!event->size().isEmpty()) { // in a closed dock there is nothing to paint on
        QCustomPlot::resizeEvent(event);
    }
}

void TrainingCurve::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    redraw();
}

void TrainingCurve::setLogarithmic(bool on) {
    logarithmic_ = on;
    if (on) {
        xAxis->setScaleType(QCPAxis::stLogarithmic);
        xAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    } else {
        xAxis->setScaleType(QCPAxis::stLinear);
        xAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    }
    zoomed_ = false;
    fitRanges();
    redraw();
}

void TrainingCurve::setCurves(const CurveData* curve, const std::vector<const CurveData*>& others,
                              const std::vector<Level>& levels, cost::TimeUnit unit) {
    curve_ = curve;
    others_ = others;
    levels_ = levels;
    Time largest = 0;
    for (const Level& level : levels) {
        largest = std::max(largest, level.makespan);
    }
    if (curve != nullptr) {
        largest = std::max(largest, curve->best());
    }
    scale_ = timeScale(largest, unit);
    fitRanges();
    fillCurve();
    fillOthers();
    fillStages();
    fillLevels();
    redraw();
}

void TrainingCurve::fitRanges() {
    double lower = 0;
    double upper = 0;
    double episodes = 10;
    const auto include = [&](double value) {
        lower = lower == 0 ? value : std::min(lower, value);
        upper = std::max(upper, value);
    };
    for (const Level& level : levels_) {
        include(static_cast<double>(level.makespan));
    }
    const auto includeCurve = [&](const CurveData& curve, bool dots) {
        if (!curve.bests().empty()) {
            include(curve.bests().back().makespan);
        }
        if (!curve.means().empty()) {
            include(shareOf(dots ? curve.episodes() : curve.means(), kShownShare));
        }
        episodes = std::max(episodes, static_cast<double>(curve.episodeCount()));
    };
    if (curve_ != nullptr) {
        includeCurve(*curve_, true);
    }
    for (const CurveData* other : others_) {
        includeCurve(*other, false);
    }
    const double room = kRoom * std::max(upper - lower, 0.01 * upper);
    upper_ = upper + room;
    if (!zoomed_) {
        yAxis->setRange(shown(lower - room), shown(upper_));
        xAxis->setRange(logarithmic_ ? 1 : 0, episodes);
    }
}

void TrainingCurve::fillCurve() {
    const auto fill = [this](QCPGraph* graph, const std::vector<CurveData::Point>& points) {
        QVector<double> x;
        QVector<double> y;
        x.reserve(static_cast<qsizetype>(points.size()));
        y.reserve(static_cast<qsizetype>(points.size()));
        for (const CurveData::Point& point : points) {
            x.append(point.episode);
            y.append(shown(std::min(point.makespan, upper_)));
        }
        graph->setData(x, y, true);
    };
    if (curve_ == nullptr) {
        for (QCPGraph* graph : {dots_, mean_, best_}) {
            graph->data()->clear();
        }
        return;
    }
    fill(dots_, curve_->episodes());
    fill(mean_, curve_->means());
    std::vector<CurveData::Point> bests = curve_->bests();
    if (!bests.empty()) {
        bests.push_back({static_cast<double>(curve_->episodeCount()), bests.back().makespan});
    }
    fill(best_, bests);
}

void TrainingCurve::fillOthers() {
    for (QCPGraph* graph : otherGraphs_) {
        removeGraph(graph);
    }
    otherGraphs_.clear();
    for (std::size_t i = 0; i < others_.size(); ++i) {
        QCPGraph* graph = addGraph();
        QPen pen(appearance_.theme().secondary, 1);
        pen.setStyle(i % 2 == 0 ? Qt::SolidLine : Qt::DashLine);
        graph->setPen(pen);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        std::vector<CurveData::Point> bests = others_[i]->bests();
        if (!bests.empty()) {
            bests.push_back(
                {static_cast<double>(others_[i]->episodeCount()), bests.back().makespan});
        }
        for (const CurveData::Point& point : bests) {
            graph->addData(point.episode, shown(std::min(point.makespan, upper_)));
        }
        otherGraphs_.push_back(graph);
    }
}

void TrainingCurve::fillStages() {
    for (QCPAbstractItem* item : stageItems_) {
        removeItem(item);
    }
    stageItems_.clear();
    if (curve_ == nullptr) {
        return;
    }
    const Theme& theme = appearance_.theme();
    const std::vector<CurveData::StageStart>& stages = curve_->stages();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const auto x = static_cast<double>(std::max<std::int64_t>(1, stages[i].episode));
        auto* line = new QCPItemStraightLine(this);
        line->point1->setCoords(x, 0);
        line->point2->setCoords(x, 1);
        line->setPen(QPen(theme.border, 1));
        line->setSelectable(false);
        stageItems_.push_back(line);
        if (i + 1 < stages.size() &&
            static_cast<double>(stages[i + 1].episode) - x < kLeastNamed * xAxis->range().size()) {
            continue; // no room for its name
        }
        auto* name = new QCPItemText(this);
        name->position->setTypeX(QCPItemPosition::ptPlotCoords);
        name->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        name->position->setCoords(x, 0);
        name->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        name->setPadding(QMargins(4, 3, 0, 0));
        name->setText(QLatin1String(numeral(stages[i].stage)));
        name->setFont(fontOfSize(kTextSize, true));
        name->setColor(theme.secondary);
        name->setSelectable(false);
        stageItems_.push_back(name);
    }
}

void TrainingCurve::fillLevels() {
    for (QCPAbstractItem* item : levelLines_) {
        removeItem(item);
    }
    for (QCPItemText* item : levelNames_) {
        removeItem(item);
    }
    levelLines_.clear();
    levelNames_.clear();
    const Theme& theme = appearance_.theme();
    for (const Level& level : levels_) {
        const double y = shown(static_cast<double>(level.makespan));
        auto* line = new QCPItemStraightLine(this);
        line->point1->setCoords(1, y);
        line->point2->setCoords(2, y);
        line->setPen(QPen(theme.text, 1, level.isBound ? Qt::SolidLine : Qt::DashLine));
        line->setSelectable(false);
        levelLines_.push_back(line);
        auto* name = new QCPItemText(this);
        name->position->setType(QCPItemPosition::ptAbsolute);
        name->setPositionAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setText(QStringLiteral("%1 %2").arg(
            level.name,
            timeNumber(level.makespan, scale_, makespanDecimals(level.makespan, scale_))));
        name->setFont(fontOfSize(kTextSize));
        name->setColor(theme.text);
        QColor behind = theme.canvas;
        behind.setAlphaF(0.85F);
        name->setBrush(behind);
        name->setPadding(QMargins(3, 0, 3, 0));
        name->setSelectable(false);
        levelNames_.push_back(name);
    }
}

// On its line at the right end, moved down or up where two would overlap.
void TrainingCurve::placeLevelNames() {
    const QRect area = axisRect()->rect();
    const double height = QFontMetricsF(fontOfSize(kTextSize)).height() + kNameGap;
    std::vector<std::size_t> order(levels_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return levels_[a].makespan < levels_[b].makespan;
    });
    double lowest = area.bottom() - height / 2; // the next name ends above this
    for (const std::size_t i : order) {
        const double line = yAxis->coordToPixel(shown(static_cast<double>(levels_[i].makespan)));
        const bool visible = line >= area.top() && line <= area.bottom() + 1;
        levelNames_[i]->setVisible(visible);
        if (visible) {
            const double y = std::min(line, lowest);
            levelNames_[i]->position->setCoords(area.right() - 2, y);
            lowest = y - height;
        }
    }
}

bool TrainingCurve::saveAs(const QString& path, QString* error) {
    const QString ending = path.section(QLatin1Char('.'), -1).toLower();
    constexpr int kWidth = 960;
    constexpr int kHeight = 540;
    bool written = false;
    if (ending == QLatin1String("png")) {
        written = savePng(path, kWidth, kHeight, 2);
    } else if (ending == QLatin1String("pdf")) {
        written = savePdf(path, kWidth, kHeight);
    } else if (ending == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize({kWidth, kHeight});
        svg.setViewBox(QRect(0, 0, kWidth, kHeight));
        QCPPainter painter;
        written = painter.begin(&svg);
        if (written) {
            toPainter(&painter, kWidth, kHeight);
            written = painter.end();
        }
    }
    if (!written) {
        *error = tr("%1 cannot be written; a chart is .png, .svg or .pdf").arg(path);
    }
    return written;
}

} // namespace doppler::views
