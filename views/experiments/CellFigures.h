#pragma once

#include <QString>
#include <vector>

#include "core/place/Comparison.h"
#include "views/format/Format.h"

namespace doppler::views {

/// What the cells of the table show.
enum class CellValue { Gap, OverBestKnown, Makespan, Seconds, Traffic, Memory };

/// The name of a value for menus and titles: "gap to the bound, %".
QString cellValueName(CellValue value);

/// One cell as it is shown.
struct CellFigure {
    bool known = false;
    double value = 0;     ///< what the bar shows
    double spread = 0;    ///< standard deviation in the same unit; 0: none to show
    QString text;         ///< "12.5 %"
    QString spreadText;   ///< "± 6.3"
    QString distanceText; ///< from the least mean: "+7.2 %", "≈ +0.3 %" if not significant
    bool best = false;
};

/// Texts, in one unit a column, and the length of the bars.
class ColumnFigures {
public:
    ColumnFigures() = default;
    /// Of one problem of a comparison.
    ColumnFigures(const place::Experiment& experiment, const place::Comparison& comparison,
                  std::size_t problem, CellValue value);

    const CellFigure& method(std::size_t method) const { return figures_[method]; }
    /// The value at the end of a bar: the largest but for those far beyond the others.
    double barEnd() const { return barEnd_; }

private:
    std::vector<CellFigure> figures_;
    double barEnd_ = 1;
};

/// The largest of `values` that is not far (2.5 times) beyond their median; 0 without any.
double usualLargest(std::vector<double> values);

/// Five numbers of a sample, by linear interpolation between its order statistics (Hyndman and
/// Fan's type 7, as R and NumPy have it).
struct BoxFigures {
    double least = 0, lowerQuartile = 0, median = 0, upperQuartile = 0, largest = 0;
};
BoxFigures boxFigures(std::vector<double> sample);

/// What a tooltip and a screen reader say of a cell, in lines.
QString cellSummaryText(const place::Experiment& experiment, const place::Comparison& comparison,
                        std::size_t problem, std::size_t method);

} // namespace doppler::views
