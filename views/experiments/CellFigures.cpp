#include "views/experiments/CellFigures.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "views/experiments/ObjectiveText.h"

namespace doppler::views {

namespace {

constexpr double kPercent = 100;
constexpr double kFarBeyond = 2.5; // medians

QString translated(const char* text) {
    return QCoreApplication::translate("Experiments", text);
}

QString plusMinus(const QString& number) {
    return QStringLiteral("\u00B1 ") + number;
}

QString distanceText(const place::CellSummary& cell) {
    const QString text = signedPercentText(cell.overBestMean);
    return cell.standing == place::Standing::Alike ? QStringLiteral("\u2248 ") + text : text;
}

/// Value and texts of a cell; the unit of a column is that of its largest value.
void fillFigure(CellFigure& figure, const place::CellSummary& cell, CellValue value, double bound,
                Time bestKnown, const TimeScale& scale, int decimals) {
    const bool several = cell.runs.size() > 1;
    const auto percent = [&](double ratio, double reference) {
        figure.value = ratio;
        figure.text = percentText(ratio);
        if (several && reference > 0) {
            figure.spread = cell.sd / reference;
            figure.spreadText = plusMinus(QString::number(kPercent * figure.spread, 'f', 1));
        }
    };
    switch (value) {
    case CellValue::Gap:
        if (cell.gap) {
            percent(*cell.gap, bound);
            break;
        }
        [[fallthrough]]; // no bound holds: what else tells how good it is
    case CellValue::OverBestKnown:
        percent(cell.overBestKnown, static_cast<double>(bestKnown));
        break;
    case CellValue::Makespan:
        figure.value = cell.mean;
        figure.text = timeNumber(std::llround(cell.mean), scale, decimals) + scale.unit;
        if (several) {
            figure.spread = cell.sd;
            figure.spreadText = plusMinus(timeNumber(std::llround(cell.sd), scale, decimals));
        }
        break;
    case CellValue::Seconds:
        figure.value = cell.meanSeconds;
        figure.text = secondsText(cell.meanSeconds);
        break;
    case CellValue::Traffic:
        figure.value = static_cast<double>(cell.best().trafficBytes);
        figure.text = bytesText(cell.best().trafficBytes);
        break;
    case CellValue::Memory:
        figure.value = static_cast<double>(cell.peakMemory);
        figure.text = bytesText(cell.peakMemory);
        break;
    }
}

QString standingSentence(const place::CellSummary& cell) {
    const auto p = [&] { return QString::number(cell.test->pValue, 'g', 2); };
    switch (cell.standing) {
    case place::Standing::Best:
        return translated("Least mean of all methods");
    case place::Standing::Worse:
        return translated("Significantly above the best (Welch, p = %1)").arg(p());
    case place::Standing::Alike:
        return translated("Not significantly above the best (Welch, p = %1)").arg(p());
    case place::Standing::Unfit:
        return translated("Does not fit the memory in %1 of %2 runs: not compared")
            .arg(cell.overflows)
            .arg(cell.runs.size());
    case place::Standing::Fixed:
        return translated("Nothing to test: the runs are all equal, and those of the best too");
    case place::Standing::Untested:
        break;
    }
    return translated("Not tested: that takes two seeds or more");
}

} // namespace

QString cellValueName(CellValue value) {
    switch (value) {
    case CellValue::Gap:
        return translated("gap, %");
    case CellValue::OverBestKnown:
        return translated("over best known, %");
    case CellValue::Makespan:
        return translated("makespan");
    case CellValue::Seconds:
        return translated("time to find");
    case CellValue::Traffic:
        return translated("traffic");
    case CellValue::Memory:
        break;
    }
    return translated("peak memory");
}

double usualLargest(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const double median = values[(values.size() - 1) / 2];
    if (median <= 0) {
        return values.back();
    }
    return *std::find_if(values.rbegin(), values.rend(),
                         [&](double each) { return each <= kFarBeyond * median; });
}

BoxFigures boxFigures(std::vector<double> sample) {
    BoxFigures figures;
    if (sample.empty()) {
        return figures;
    }
    std::sort(sample.begin(), sample.end());
    const auto quantile = [&](double share) {
        const double place = share * static_cast<double>(sample.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, sample.size() - 1);
        return sample[below] + (place - std::floor(place)) * (sample[above] - sample[below]);
    };
    return {sample.front(), quantile(0.25), quantile(0.5), quantile(0.75), sample.back()};
}

ColumnFigures::ColumnFigures(const place::Experiment& experiment,
                             const place::Comparison& comparison, std::size_t problem,
                             CellValue value)
    : figures_(experiment.methods.size()) {
    const place::ExperimentProblem& prepared = experiment.problems[problem];
    double largest = 0;
    for (std::size_t method = 0; method < figures_.size(); ++method) {
        largest = std::max(largest, comparison.cell(problem, method).mean);
    }
    const TimeScale scale = timeScale(std::llround(largest), prepared.problem->costs->unit());
    const int decimals = makespanDecimals(std::llround(largest), scale);
    std::vector<double> ends;
    for (std::size_t method = 0; method < figures_.size(); ++method) {
        const place::CellSummary& cell = comparison.cell(problem, method);
        CellFigure& figure = figures_[method];
        if (cell.empty()) {
            continue;
        }
        figure.known = true;
        fillFigure(figure, cell, value, static_cast<double>(experiment.boundOf(problem)),
                   comparison.bestKnown[problem], scale, decimals);
        figure.best = cell.standing == place::Standing::Best;
        if (!figure.best) {
            figure.distanceText = distanceText(cell);
        }
        ends.push_back(figure.value + figure.spread);
    }
    const double usual = usualLargest(std::move(ends));
    barEnd_ = usual > 0 ? usual : 1;
}

QString cellSummaryText(const place::Experiment& experiment, const place::Comparison& comparison,
                        std::size_t problem, std::size_t method) {
    const place::CellSummary& cell = comparison.cell(problem, method);
    const place::ExperimentProblem& prepared = experiment.problems[problem];
    const QString title = QStringLiteral("%1, %2").arg(
        QString::fromStdString(experiment.methods[method]), QString::fromStdString(prepared.label));
    if (cell.empty()) {
        return title + QLatin1Char('\n') + translated("No run yet");
    }
    const cost::TimeUnit unit = prepared.problem->costs->unit();
    QStringList lines = {title};
    QString mean = (experiment.objective == place::Objective()
                        ? translated("Makespan %1")
                        : objectiveText(experiment.objective) + QStringLiteral(": %1"))
                       .arg(timeText(std::llround(cell.mean), unit));
    if (cell.runs.size() > 1) {
        mean +=
            translated(" \u00B1 %1, best %2")
                .arg(timeText(std::llround(cell.sd), unit), timeText(cell.best().compared(), unit));
    }
    lines.append(mean);
    lines.append(cell.gap ? translated("%1 above the bound, %2 above the best known")
                                .arg(percentText(*cell.gap), percentText(cell.overBestKnown))
                          : translated("%1 above the best known; no bound holds here")
                                .arg(percentText(cell.overBestKnown)));
    lines.append(standingSentence(cell));
    lines.append(translated("Traffic %1, peak memory %2%3")
                     .arg(bytesText(cell.best().trafficBytes), bytesText(cell.peakMemory),
                          cell.overflows > 0 ? translated(": more than there is") : QString()));
    lines.append(
        translated("%1 of %2 in %3 each")
            .arg(cell.runs.size())
            .arg(countOf(cell.expectedRuns, translated("run")), secondsText(cell.meanSeconds)));
    for (const std::string& note : cell.best().notes) {
        lines.append(QString::fromStdString(note));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace doppler::views
