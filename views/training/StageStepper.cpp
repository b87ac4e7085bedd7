#include "views/training/StageStepper.h"

#include <QPainter>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

constexpr double kRadius = 11;
constexpr int kHeight = 70;
constexpr int kLeastWidth = 240;
constexpr std::array<const char*, 3> kNumbers{"I", "II", "III"};

std::size_t indexOf(learn::Stage stage) {
    return static_cast<std::size_t>(stage);
}

} // namespace

StageStepper::StageStepper(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
    setAccessibleName(tr("Stages of the training"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
    setRun(nullptr);
}

QSize StageStepper::sizeHint() const {
    return {kLeastWidth, kHeight};
}

QSize StageStepper::minimumSizeHint() const {
    return sizeHint();
}

void StageStepper::setRun(const TrainingRun* run) {
    std::array<Step, 3> steps{Step{tr("Imitation"), tr("left out"), Progress::LeftOut},
                              Step{tr("Simulation"), tr("left out"), Progress::LeftOut},
                              Step{tr("Real system"), tr("left out"), Progress::LeftOut}};
    if (run != nullptr) {
        const learn::UpdateFacts* facts = run->facts();
        const std::size_t now = facts != nullptr ? indexOf(facts->stage) : 0;
        for (const learn::StagePlan& plan : run->options().stages) {
            const std::size_t index = indexOf(plan.stage);
            Step& step = steps[index];
            if (facts != nullptr && index < now) {
                step = {step.title, tr("done"), Progress::Done};
                continue;
            }
            const bool reached = facts != nullptr && index == now;
            step.progress = !reached          ? Progress::ToCome
                            : run->isActive() ? Progress::AtWork
                                              : Progress::Done;
            step.count =
                tr("%1 of %2")
                    .arg(countText(reached ? facts->stageEpisodes : 0), countText(plan.episodes));
        }
    }
    if (steps != steps_) {
        steps_ = steps;
        QStringList words;
        for (const Step& step : steps_) {
            words.append(step.title + QLatin1Char(' ') + step.count);
        }
        setAccessibleDescription(words.join(QStringLiteral(", ")));
        update();
    }
}

void StageStepper::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double column = width() / 3.0;
    const double y = kRadius + 2;
    const Theme& theme = appearance_.theme();
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
        const bool passed = steps_[i].progress == Progress::Done;
        painter.setPen(QPen(passed ? theme.accent : theme.border, 2));
        const double x = column * (static_cast<double>(i) + 0.5);
        painter.drawLine(QPointF(x + kRadius + 4, y), QPointF(x + column - kRadius - 4, y));
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        paintStep(painter, i, {column * (static_cast<double>(i) + 0.5), y});
    }
}

void StageStepper::paintStep(QPainter& painter, std::size_t index, const QPointF& centre) const {
    const Theme& theme = appearance_.theme();
    const Step& step = steps_[index];
    const bool atWork = step.progress == Progress::AtWork;
    const bool done = step.progress == Progress::Done;
    const QRectF disc(centre.x() - kRadius, centre.y() - kRadius, 2 * kRadius, 2 * kRadius);
    painter.setPen(QPen(done || atWork ? theme.accent : theme.control, atWork ? 2.5 : 1.5,
                        step.progress == Progress::LeftOut ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(done ? theme.accent : atWork ? theme.accentSoft : theme.base);
    painter.drawEllipse(disc);
    painter.setPen(done                                 ? theme.onAccent
                   : step.progress == Progress::LeftOut ? theme.disabled
                                                        : theme.text);
    painter.setFont(fontOfSize(11, true));
    painter.drawText(disc, Qt::AlignCenter, QLatin1String(kNumbers[index]));

    const double column = width() / 3.0;
    const QRectF title(centre.x() - column / 2, centre.y() + kRadius + 5, column, 17);
    painter.setFont(fontOfSize(12, atWork));
    painter.setPen(step.progress == Progress::LeftOut ? theme.disabled : theme.text);
    painter.drawText(
        title, Qt::AlignHCenter | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(step.title, Qt::ElideRight, static_cast<int>(column)));
    painter.setFont(fontOfSize(11));
    painter.setPen(step.progress == Progress::LeftOut ? theme.disabled : theme.secondary);
    painter.drawText(
        title.translated(0, 16), Qt::AlignHCenter | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(step.count, Qt::ElideRight, static_cast<int>(column)));
}

} // namespace doppler::views
