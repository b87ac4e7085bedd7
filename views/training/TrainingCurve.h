#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "views/charts/QCustomPlotHeader.h"
#include "views/format/Format.h"
#include "views/theme/Appearance.h"
#include "views/training/CurveData.h"

namespace doppler::views {

/// Makespan of each episode: dots, their running mean, the best so far, the lines of other methods
/// and the bound. Wheel zooms, drag pans, double click shows all again.
class TrainingCurve : public QCustomPlot {
    Q_OBJECT

public:
    /// A makespan of something else, as a line across.
    struct Level {
        QString name;
        Time makespan = 0;
        bool isBound = false;
        bool operator==(const Level&) const = default;
    };

    explicit TrainingCurve(const Appearance& appearance, QWidget* parent = nullptr);

    /// The curve, those of other runs behind it (thin), and the lines. Null curve: empty axes.
    void setCurves(const CurveData* curve, const std::vector<const CurveData*>& others,
                   const std::vector<Level>& levels, cost::TimeUnit unit);
    /// Of the values on the upright axis: "ms".
    QString unit() const { return scale_.column; }
    bool isLogarithmic() const { return logarithmic_; }
    void setLogarithmic(bool on);
    /// Writes what is shown as .png, .svg or .pdf; false with a sentence in `error`.
    bool saveAs(const QString& path, QString* error);

    QSize minimumSizeHint() const override { return {200, 200}; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void redraw();
    void applyTheme();
    void fillCurve();
    void fillOthers();
    void fillStages();
    void fillLevels();
    void fitRanges();
    void placeLevelNames();
    double shown(double makespan) const { return makespan / scale_.factor; }

    const Appearance& appearance_;
    const CurveData* curve_ = nullptr;
    std::vector<const CurveData*> others_;
    std::vector<Level> levels_;
    TimeScale scale_;
    double upper_ = 1; ///< of the makespans shown; what is above sits on the edge
    bool logarithmic_ = false;
    bool zoomed_ = false;
    QCPGraph* dots_;
    QCPGraph* mean_;
    QCPGraph* best_;
    std::vector<QCPGraph*> otherGraphs_;
    std::vector<QCPAbstractItem*> stageItems_;
    std::vector<QCPItemText*> levelNames_;
    std::vector<QCPAbstractItem*> levelLines_;
};

} // namespace doppler::views
