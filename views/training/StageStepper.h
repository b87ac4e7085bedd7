#pragma once

#include <QWidget>
#include <array>

#include "views/theme/Appearance.h"
#include "views/training/TrainingRun.h"

namespace doppler::views {

/// The three stages in a row: done, at work, to come or left out, each with its episodes.
class StageStepper : public QWidget {
    Q_OBJECT

public:
    explicit StageStepper(const Appearance& appearance, QWidget* parent = nullptr);

    /// Null: none.
    void setRun(const TrainingRun* run);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    enum class Progress { LeftOut, ToCome, AtWork, Done };
    struct Step {
        QString title;
        QString count;
        Progress progress = Progress::LeftOut;
        bool operator==(const Step&) const = default;
    };

    void paintEvent(QPaintEvent* event) override;
    void paintStep(QPainter& painter, std::size_t index, const QPointF& centre) const;

    const Appearance& appearance_;
    std::array<Step, 3> steps_;
};

} // namespace doppler::views
