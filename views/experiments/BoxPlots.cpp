#include "views/experiments/BoxPlots.h"

#include <algorithm>

#include "views/experiments/CellFigures.h"

namespace doppler::views {

namespace {

constexpr int kTop = 30;    // titles
constexpr int kBottom = 42; // numbers and unit
constexpr int kLeastRow = 26;
constexpr int kPadding = 14; // as in the cells of the table
constexpr double kBoxWidth = 0.46;
constexpr double kDot = 4.5;
constexpr double kMargin = 0.04; // of the range, beyond the largest

/// A layerable that calls back.
class PaintedTexts : public QCPLayerable {
public:
    using Paint = std::function<void(QCPPainter&)>;
    PaintedTexts(QCustomPlot* plot, Paint paint)
        : QCPLayerable(plot, QStringLiteral("axes")), paint_(std::move(paint)) {}

protected:
    void draw(QCPPainter* painter) override { paint_(*painter); }
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}

private:
    Paint paint_;
};

} // namespace

BoxPlots::BoxPlots(QWidget* parent) : QCustomPlot(parent), inset_(new QCPLayoutInset) {
    plotLayout()->clear();
    plotLayout()->setMargins(QMargins());
    plotLayout()->addElement(0, 0, inset_);
    setAccessibleName(tr("Spread over seeds"));
    setFocusPolicy(Qt::NoFocus); // the table says the same in numbers
    new PaintedTexts(this, [this](QCPPainter& painter) { paintTexts(painter); });
}

int BoxPlots::wantedHeight() const {
    return kTop + kBottom + kLeastRow * std::max<int>(static_cast<int>(data_.methods.size()), 3);
}

void BoxPlots::setData(BoxPlotData data) {
    data_ = std::move(data);
    updateGeometry();
    setMinimumHeight(wantedHeight());
    rebuild();
}

void BoxPlots::setColumns(const QList<std::pair<int, int>>& columns, int methodWidth) {
    columns_ = columns;
    methodWidth_ = methodWidth;
    place(size(), columns_);
    replot(QCustomPlot::rpQueuedReplot);
}

void BoxPlots::setSameScale(bool same) {
    sameScale_ = same;
    rebuild();
}

void BoxPlots::setTheme(const Theme& theme) {
    theme_ = theme;
    setBackground(QBrush(theme.base));
    rebuild();
}

QCPRange BoxPlots::rangeOf(int column) const {
    return ranges_[static_cast<std::size_t>(column)];
}

std::vector<QCPRange> BoxPlots::computeRanges() {
    std::vector<QCPRange> ranges;
    double widest = 0;
    for (const BoxPlotData::Column& column : data_.columns) {
        std::vector<double> medians;
        for (const std::vector<double>& sample : column.samples) {
            if (!sample.empty()) {
                medians.push_back(boxFigures(sample).median);
            }
        }
        const double limit = usualLargest(std::move(medians));
        double usual = 0;
        for (const std::vector<double>& sample : column.samples) {
            if (!sample.empty() && boxFigures(sample).median <= limit) {
                usual = std::max(usual, boxFigures(sample).largest);
            }
        }
        const double end = usual > 0 ? usual * (1 + kMargin) : 1;
        widest = std::max(widest, end);
        ranges.emplace_back(-kMargin * end, end); // a run at the bound is a whole dot
    }
    if (sameScale_) {
        std::fill(ranges.begin(), ranges.end(), QCPRange(-kMargin * widest, widest));
    }
    return ranges;
}

void BoxPlots::rebuild() {
    clearPlottables();
    for (int i = inset_->elementCount() - 1; i >= 0; --i) {
        inset_->removeAt(i);
    }
    rects_.clear();
    leftOut_.clear();
    ranges_ = computeRanges();
    for (std::size_t column = 0; column < data_.columns.size(); ++column) {
        auto* rect = new QCPAxisRect(this, false);
        rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        rect->setAutoMargins(QCP::msNone);
        rect->setMargins(QMargins(0, 0, 0, 0));
        rect->setMinimumMargins(QMargins(0, 0, 0, 0));
        rect->setRangeDrag({});
        rect->setRangeZoom({});
        inset_->addElement(rect, QRectF(0, 0, 1, 1));
        rects_.push_back(rect);
        styleAxes(rect, column);
        addColumn(column, rect, ranges_[column]);
    }
    leftOut_.removeDuplicates();
    place(size(), columns_);
    replot(QCustomPlot::rpQueuedReplot);
}

void BoxPlots::styleAxes(QCPAxisRect* rect, std::size_t column) {
    QCPAxis* left = rect->axis(QCPAxis::atLeft);
    QCPAxis* bottom = rect->axis(QCPAxis::atBottom);
    left->setRange(-0.5, static_cast<double>(data_.methods.size()) - 0.5);
    left->setRangeReversed(true);
    left->setTicks(false);
    left->setTickLabels(false);
    left->setBasePen(QPen(theme_.text, 1));
    left->grid()->setVisible(false);
    bottom->setRange(ranges_[column]);
    bottom->setNumberFormat(QStringLiteral("gb"));
    bottom->setNumberPrecision(4);
    bottom->ticker()->setTickCount(4);
    const std::vector<std::vector<double>>& samples = data_.columns[column].samples;
    const bool any = std::any_of(samples.begin(), samples.end(),
                                 [](const auto& sample) { return !sample.empty(); });
    bottom->setTicks(any);
    bottom->setTickLabels(any);
    bottom->setBasePen(QPen(theme_.border, 1));
    bottom->setTickPen(QPen(theme_.border, 1));
    bottom->setSubTicks(false);
    bottom->setTickLengthOut(3);
    bottom->setTickLengthIn(0);
    bottom->setTickLabelColor(theme_.secondary);
    bottom->setTickLabelFont(fontOfSize(11));
    bottom->setLabel(data_.columns[column].axis);
    bottom->setLabelColor(theme_.secondary);
    bottom->setLabelFont(fontOfSize(11));
    bottom->setLabelPadding(1);
    bottom->grid()->setPen(QPen(theme_.grid, 1));
    bottom->grid()->setZeroLinePen(Qt::NoPen);
    for (QCPAxis* axis : {left, bottom}) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
}

void BoxPlots::addColumn(std::size_t column, QCPAxisRect* rect, const QCPRange& range) {
    const BoxPlotData::Column& source = data_.columns[column];
    for (std::size_t method = 0; method < source.samples.size(); ++method) {
        const std::vector<double>& sample = source.samples[method];
        if (sample.empty()) {
            continue;
        }
        const BoxFigures figures = boxFigures(sample);
        if (figures.least > range.upper) {
            leftOut_.append(data_.methods[static_cast<qsizetype>(method)]);
            continue;
        }
        const bool best = static_cast<int>(method) == source.best;
        const QColor line = best ? theme_.accent : theme_.ink;
        const double row = static_cast<double>(method);
        if (sample.size() > 1) {
            auto* box =
                new QCPStatisticalBox(rect->axis(QCPAxis::atLeft), rect->axis(QCPAxis::atBottom));
            box->setWidth(kBoxWidth);
            box->setWhiskerWidth(kBoxWidth / 2);
            box->setPen(QPen(line, 1.2));
            box->setWhiskerPen(QPen(line, 1.2));
            box->setWhiskerBarPen(QPen(line, 1.2));
            box->setMedianPen(QPen(line, 2.4, Qt::SolidLine, Qt::FlatCap));
            box->setBrush(best ? theme_.accentSoft : theme_.idle);
            box->setAntialiased(false);
            box->addData(row, figures.least, figures.lowerQuartile, figures.median,
                         figures.upperQuartile, figures.largest);
        }
        auto* dots = new QCPGraph(rect->axis(QCPAxis::atLeft), rect->axis(QCPAxis::atBottom));
        dots->setLineStyle(QCPGraph::lsNone);
        dots->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(line, 1), theme_.base, kDot));
        for (std::size_t run = 0; run < sample.size(); ++run) {
            // Apart by turns, so that equal runs are seen to be several.
            const double offset =
                sample.size() == 1 ? 0 : (static_cast<double>(run % 3) - 1) * kBoxWidth / 4;
            dots->addData(row + offset, sample[run]);
        }
    }
}

void BoxPlots::place(const QSize& size, const QList<std::pair<int, int>>& columns) {
    placed_ = columns;
    const double width = std::max(size.width(), 1);
    const double height = std::max(size.height(), 1);
    for (std::size_t i = 0; i < rects_.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        const auto [left, wide] = at < columns.size() ? columns[at] : std::pair{0, 0};
        const double inside = std::max(wide - 2 * kPadding, 1);
        inset_->setInsetPlacement(static_cast<int>(i), QCPLayoutInset::ipFree);
        inset_->setInsetRect(static_cast<int>(i),
                             QRectF((left + kPadding) / width, kTop / height, inside / width,
                                    std::max(height - kTop - kBottom, 1.0) / height));
    }
}

void BoxPlots::paintTexts(QCPPainter& painter) const {
    painter.setPen(theme_.text);
    painter.setFont(fontOfSize(12, true));
    const auto elided = [&painter](const QRect& rect, int alignment, const QString& text) {
        painter.drawText(rect, alignment,
                         painter.fontMetrics().elidedText(text, Qt::ElideMiddle, rect.width()));
    };
    for (qsizetype i = 0; i < placed_.size() && i < static_cast<qsizetype>(data_.columns.size());
         ++i) {
        elided(QRect(placed_[i].first + kPadding, 4, placed_[i].second - 2 * kPadding, kTop - 8),
               Qt::AlignLeft | Qt::AlignVCenter, data_.columns[static_cast<std::size_t>(i)].title);
    }
    if (rects_.empty() || data_.methods.isEmpty()) {
        return;
    }
    const QRect rows = rects_.front()->rect();
    const double step =
        static_cast<double>(rows.height()) / static_cast<double>(data_.methods.size());
    const int left = placed_.isEmpty() ? 0 : placed_.front().first - methodWidth_;
    for (qsizetype i = 0; i < data_.methods.size(); ++i) {
        painter.setFont(fontOfSize(13, i == 0));
        const QRect row(left + kPadding,
                        rows.top() + static_cast<int>(step * static_cast<double>(i)),
                        methodWidth_ - kPadding - 4, static_cast<int>(step));
        elided(row, Qt::AlignLeft | Qt::AlignVCenter, data_.methods[i]);
    }
}

void BoxPlots::paintTo(QPainter& painter, const QSize& size,
                       const QList<std::pair<int, int>>& columns) {
    const QList<std::pair<int, int>> before = placed_;
    place(size, columns);
    QPicture picture;
    QCPPainter recorder(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    recorder.setMode(QCPPainter::pmNoCaching);
    toPainter(&recorder, size.width(), size.height());
    recorder.end();
    picture.play(&painter);
    place(this->size(), before);
    replot();
}

void BoxPlots::resizeEvent(QResizeEvent* event) {
    if (event->size().isEmpty()) {
        return; // nothing to paint on
    }
    QCustomPlot::resizeEvent(event);
    place(size(), columns_);
    replot(QCustomPlot::rpQueuedReplot);
}

} // namespace doppler::views
