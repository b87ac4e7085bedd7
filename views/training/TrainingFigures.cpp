#include "views/training/TrainingFigures.h"

#include <QGridLayout>
#include <QLabel>
#include <cmath>

#include "core/sim/Bounds.h"
#include "views/format/Format.h"
#include "views/shell/ElidedLabel.h"

namespace doppler::views {

namespace {

enum RowIndex : std::size_t { kBest, kPolicy, kMean, kAgreement, kEntropy, kSpeed, kTime, kRows };

QString above(double makespan, Time bound) {
    return bound <= 0 || makespan <= 0
               ? QString()
               : TrainingFigures::tr("%1 above")
                     .arg(percentText(makespan / static_cast<double>(bound) - 1));
}

QString wholeSeconds(double seconds) {
    constexpr double kMinute = 60;
    return seconds >= kMinute ? secondsText(std::round(seconds))
                              : TrainingFigures::tr("%1 s").arg(std::round(seconds));
}

QString originText(learn::Origin origin) {
    switch (origin) {
    case learn::Origin::Teacher:
        return TrainingFigures::tr("by the teacher");
    case learn::Origin::Sample:
    case learn::Origin::Greedy:
        return TrainingFigures::tr("by the policy");
    case learn::Origin::Polish:
        break;
    }
    return TrainingFigures::tr("by polish");
}

} // namespace

TrainingFigures::TrainingFigures(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    const QString names[kRows] = {tr("Best"),     tr("Policy's best"), tr("Mean of last 100"),
                                  tr("Teacher"),  tr("Entropy"),       tr("Speed"),
                                  tr("Time left")};
    for (std::size_t i = 0; i < kRows; ++i) {
        Row row{new ElidedLabel(names[i], this), new QLabel(this), new ElidedLabel(this)};
        for (QLabel* label : std::initializer_list<QLabel*>{row.name, row.value, row.remark}) {
            label->setFont(fontOfSize(12, label == row.value && i == kBest));
        }
        row.remark->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const int line = static_cast<int>(i);
        grid->addWidget(row.name, line, 0);
        grid->addWidget(row.value, line, 1);
        grid->addWidget(row.remark, line, 2);
        rows_.push_back(row);
    }
    grid->setColumnStretch(0, 5);
    grid->setColumnStretch(1, 4);
    grid->setColumnStretch(2, 4);
    rows_[kAgreement].name->setToolTip(
        tr("Share of the teacher's choices that are the policy's first"));
    rows_[kPolicy].name->setToolTip(tr("Best episode of the policy itself, without polish"));
    rows_[kEntropy].name->setToolTip(tr("Mean over decisions, in nats: 0 is certain"));
    connect(&appearance, &Appearance::changed, this, &TrainingFigures::applyTheme);
    applyTheme();
}

void TrainingFigures::applyTheme() {
    for (const Row& row : rows_) {
        for (QLabel* label : std::initializer_list<QLabel*>{row.name, row.remark}) {
            QPalette palette = label->palette();
            palette.setColor(QPalette::WindowText, appearance_.theme().secondary);
            label->setPalette(palette);
        }
    }
}

void TrainingFigures::put(std::size_t row, const QString& value, const QString& remark) {
    rows_[row].value->setText(value.isEmpty() ? QStringLiteral("–") : value);
    rows_[row].remark->setText(remark);
}

void TrainingFigures::setRun(const TrainingRun* run, Time bound) {
    for (std::size_t i = 0; i < kRows; ++i) {
        put(i, {});
    }
    const learn::UpdateFacts* facts = run != nullptr ? run->facts() : nullptr;
    if (facts == nullptr) {
        return;
    }
    const cost::TimeUnit unit = run->problem()->costs->unit();
    const auto time = [unit](double makespan) {
        return makespan <= 0 ? QString() : timeText(static_cast<Time>(makespan), unit);
    };
    const auto best = static_cast<double>(facts->best);
    put(kBest, time(best),
        run->bests().empty() ? above(best, bound) : originText(run->bests().back().by));
    put(kPolicy, time(static_cast<double>(facts->policyBest)),
        above(static_cast<double>(facts->policyBest), bound));
    put(kMean, time(run->curve().mean()), above(run->curve().mean(), bound));
    const bool taught = facts->stage == learn::Stage::Imitation;
    put(kAgreement, taught ? percentText(facts->agreement) : QString(),
        taught ? tr("agreement") : QString());
    put(kEntropy, QString::number(facts->entropy, 'f', 3),
        tr("loss %1").arg(QString::number(facts->loss, 'g', 3)));
    put(kSpeed, tr("%1 ep/s").arg(countText(static_cast<std::int64_t>(facts->episodesPerSecond))),
        countOf(facts->episodes, tr("episode")));
    const bool over = !run->isActive();
    put(kTime,
        over                      ? QString()
        : facts->secondsLeft >= 0 ? wholeSeconds(facts->secondsLeft)
                                  : tr("unknown"),
        tr("%1 so far").arg(wholeSeconds(facts->seconds)));
}

} // namespace doppler::views
