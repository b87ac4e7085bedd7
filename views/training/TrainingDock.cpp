#include "views/training/TrainingDock.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QSlider>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/shell/PrimaryButton.h"
#include "views/training/StageStepper.h"
#include "views/training/TrainingCurve.h"
#include "views/training/TrainingFigures.h"

namespace doppler::views {

namespace {

constexpr int kPadding = 12;
constexpr int kMostBaselines = 2;
const QString kCheckpoint = QStringLiteral("checkpoint.pt");

QToolButton* smallButton(const QString& text, const QString& toolTip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QByteArray csvOf(const TrainingRun& run) {
    QByteArray csv = "episode,makespan,running_mean\n";
    const CurveData& curve = run.curve();
    for (std::size_t i = 0; i < curve.episodes().size(); ++i) {
        csv += QByteArray::number(static_cast<qint64>(curve.episodes()[i].episode)) + ',' +
               QByteArray::number(curve.episodes()[i].makespan, 'f', 0) + ',' +
               QByteArray::number(curve.means()[i].makespan, 'f', 1) + '\n';
    }
    return csv;
}

} // namespace

TrainingDock::TrainingDock(Workspace& workspace, TrainingRuns& runs, Appearance& appearance,
                           QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , runs_(runs)
    , appearance_(appearance)
    , stack_(new QStackedLayout(this)) {
    empty_ = buildEmpty();
    body_ = buildRun();
    stack_->setContentsMargins(0, 0, 0, 0);
    stack_->addWidget(empty_);
    stack_->addWidget(body_);
    for (QWidget* page : {empty_, body_}) {
        page->setBackgroundRole(QPalette::Base);
        page->setAutoFillBackground(true);
    }
    connect(&runs, &TrainingRuns::runsChanged, this, &TrainingDock::runsChanged);
    connect(&runs, &TrainingRuns::runChanged, this, [this](TrainingRun* run) {
        if (run == shown_) {
            refresh();
        }
    });
    connect(&runs, &TrainingRuns::followChanged, this,
            [this] { follow_->setCurrentIndex(static_cast<int>(runs_.follow())); });
    for (const auto signal : {&Workspace::boundChanged, &Workspace::placementsChanged}) {
        connect(&workspace, signal, this, [this] {
            if (shown_ != nullptr && !shown_->isActive()) {
                refreshCurve();
            }
        });
    }
    connect(&appearance, &Appearance::changed, this, &TrainingDock::applyTheme);
    applyTheme();
    runsChanged();
}

void TrainingDock::applyTheme() {
    const Theme& theme = appearance_.theme();
    const auto entry = [](const QColor& colour, const char* sign, const QString& text) {
        return QStringLiteral("<span style='color:%1'>%2</span> %3")
            .arg(colour.name(), QString::fromUtf8(sign), text);
    };
    legend_->setText(QStringList{entry(theme.accent, "●", tr("episode")),
                                 entry(theme.ink, "—", tr("mean of %1").arg(CurveData::kMeanOf)),
                                 entry(theme.accent, "<b>—</b>", tr("best"))}
                         .join(QStringLiteral(" &nbsp; ")));
}

QWidget* TrainingDock::buildEmpty() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    auto* text = new QLabel(tr("Teach a policy to place this graph, and watch it learn: every "
                               "episode, the best so far, and the placement as it changes."),
                            page);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    auto* train = new QPushButton(tr("Train…"), page);
    makePrimary(train);
    connect(train, &QPushButton::clicked, this, &TrainingDock::trainRequested);
    column->addStretch();
    column->addWidget(text);
    column->addSpacing(8);
    column->addWidget(train, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

QWidget* TrainingDock::buildRun() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    column->setSpacing(8);

    auto* head = new QHBoxLayout();
    chooser_ = new QComboBox(page);
    chooser_->setAccessibleName(tr("Run"));
    chooser_->setToolTip(tr("The run that is shown"));
    chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    overlay_ = smallButton(tr("Overlay"), tr("Draw the other runs behind this one"), page);
    logarithmic_ = smallButton(tr("Log"), tr("Episodes on a logarithmic axis"), page);
    head->addWidget(chooser_, 1);
    head->addWidget(overlay_);
    head->addWidget(logarithmic_);
    column->addLayout(head);
    stepper_ = new StageStepper(appearance_, page);
    column->addWidget(stepper_);

    auto* caption = new QHBoxLayout();
    auto* title = new QLabel(tr("Makespan of each episode"), page);
    title->setFont(fontOfSize(12, true));
    unit_ = new QLabel(page);
    unit_->setFont(fontOfSize(12));
    caption->addWidget(title, 1);
    caption->addWidget(unit_);
    column->addLayout(caption);
    legend_ = new QLabel(page);
    legend_->setFont(fontOfSize(11));
    column->addWidget(legend_);
    curve_ = new TrainingCurve(appearance_, page);
    column->addWidget(curve_, 1);
    state_ = new QLabel(page);
    state_->setObjectName(QStringLiteral("state"));
    state_->setWordWrap(true);
    state_->setFont(fontOfSize(12, true));
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(state_);
    notes_ = new QLabel(page);
    notes_->setObjectName(QStringLiteral("notes"));
    notes_->setForegroundRole(QPalette::PlaceholderText);
    notes_->setWordWrap(true);
    notes_->setFont(fontOfSize(11));
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(notes_);
    figures_ = new TrainingFigures(appearance_, page);
    column->addWidget(figures_);

    auto* follow = new QHBoxLayout();
    auto* followName = new QLabel(tr("&Follow"), page);
    followName->setFont(fontOfSize(12));
    follow_ = new QComboBox(page);
    follow_->addItems({tr("the best"), tr("the latest"), tr("nothing")});
    follow_->setAccessibleName(tr("What canvas and timelines show"));
    follow_->setToolTip(tr("What canvas and timelines show while the policy learns"));
    followName->setBuddy(follow_);
    history_ = new QSlider(Qt::Horizontal, page);
    history_->setAccessibleName(tr("How the best placement changed"));
    history_->setToolTip(tr("How the best placement changed: shows each in turn"));
    historyText_ = new QLabel(page);
    historyText_->setFont(fontOfSize(11));
    follow->addWidget(followName);
    follow->addWidget(follow_);
    follow->addWidget(history_, 1);
    follow->addWidget(historyText_);
    column->addLayout(follow);

    auto* buttons = new QHBoxLayout();
    pause_ = new QPushButton(tr("Pause"), page);
    stop_ = new QPushButton(tr("Stop"), page);
    checkpoint_ = new QPushButton(tr("Checkpoint…"), page);
    checkpoint_->setToolTip(tr("Copy the weights to a file"));
    again_ = new QPushButton(tr("Train…"), page);
    makePrimary(again_);
    pause_->setProperty("primary", true);
    for (QPushButton* button : {again_, pause_, stop_, checkpoint_}) {
        buttons->addWidget(button);
    }
    column->addLayout(buttons);

    connect(chooser_, &QComboBox::activated, this,
            [this](int index) { show(runs_.runs()[static_cast<std::size_t>(index)].get()); });
    connect(overlay_, &QToolButton::toggled, this, &TrainingDock::refreshCurve);
    connect(logarithmic_, &QToolButton::toggled, curve_, &TrainingCurve::setLogarithmic);
    connect(follow_, &QComboBox::activated, this,
            [this](int index) { runs_.setFollow(static_cast<Follow>(index)); });
    connect(history_, &QSlider::valueChanged, this, [this](int value) {
        runs_.showBest(*shown_, static_cast<std::size_t>(value));
        refreshHistory();
    });
    connect(pause_, &QPushButton::clicked, this, [this] {
        runs_.setPaused(runs_.active() != nullptr && runs_.active()->state() != RunState::Paused);
    });
    connect(stop_, &QPushButton::clicked, &runs_, &TrainingRuns::stop);
    connect(checkpoint_, &QPushButton::clicked, this, &TrainingDock::copyCheckpoint);
    connect(again_, &QPushButton::clicked, this, &TrainingDock::trainRequested);
    return page;
}

QString TrainingDock::subtitle() const {
    return shown_ == nullptr ? QString() : tr("doppler · %1").arg(shown_->name());
}

void TrainingDock::runsChanged() {
    chooser_->clear();
    TrainingRun* wanted = runs_.active();
    for (const auto& run : runs_.runs()) {
        chooser_->addItem(run->name());
        wanted = runs_.active() == nullptr && run.get() == shown_ ? shown_ : wanted;
    }
    if (wanted == nullptr && !runs_.runs().empty()) {
        wanted = runs_.runs().back().get();
    }
    overlay_->setVisible(runs_.runs().size() > 1);
    show(wanted);
}

void TrainingDock::show(TrainingRun* run) {
    shown_ = run;
    stack_->setCurrentWidget(run == nullptr ? empty_ : body_);
    for (std::size_t i = 0; i < runs_.runs().size(); ++i) {
        if (runs_.runs()[i].get() == run) {
            chooser_->setCurrentIndex(static_cast<int>(i));
        }
    }
    if (run != nullptr) {
        refresh();
    }
    Q_EMIT subtitleChanged();
}

void TrainingDock::refresh() {
    stepper_->setRun(shown_);
    const bool ours = workspace_.isOpen(*shown_->problem());
    figures_->setRun(shown_, ours ? workspace_.bound().value : 0);
    // While all goes well the figures say it.
    const bool ordinary = shown_->state() == RunState::Running && shown_->activity().isEmpty();
    state_->setVisible(!ordinary);
    state_->setText(shown_->stateText());
    const bool bad = shown_->state() == RunState::Failed;
    state_->setForegroundRole(bad ? QPalette::BrightText : QPalette::WindowText);
    const QString notes = shown_->notesText();
    notes_->setVisible(!notes.isEmpty());
    notes_->setText(notes);
    refreshCurve();
    refreshHistory();
    refreshButtons();
}

std::vector<std::pair<QString, Time>> TrainingDock::baselines() const {
    std::vector<std::pair<QString, Time>> lines;
    for (const Placement& row : workspace_.placements()) {
        const bool learnt = row.method.startsWith(QLatin1String("doppler"));
        if (row.timeline && !row.stale && !row.edited && !learnt) {
            lines.emplace_back(row.method, row.makespan());
        }
    }
    // The paper's baseline, and the best of the rest.
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        const bool first = a.first == QLatin1String("critical-path");
        const bool second = b.first == QLatin1String("critical-path");
        return first != second ? first : a.second < b.second;
    });
    lines.resize(std::min<std::size_t>(lines.size(), kMostBaselines));
    return lines;
}

void TrainingDock::refreshCurve() {
    if (shown_ == nullptr) {
        return;
    }
    std::vector<const CurveData*> others;
    if (overlay_->isChecked()) {
        for (const auto& run : runs_.runs()) {
            if (run.get() != shown_ && run->problem() == shown_->problem()) {
                others.push_back(&run->curve());
            }
        }
    }
    std::vector<TrainingCurve::Level> levels;
    if (workspace_.isOpen(*shown_->problem())) {
        for (const auto& [name, makespan] : baselines()) {
            levels.push_back({name, makespan, false});
        }
        if (workspace_.bound().value > 0) {
            levels.push_back({tr("bound"), workspace_.bound().value, true});
        }
    }
    const cost::TimeUnit unit = shown_->problem()->costs->unit();
    curve_->setCurves(&shown_->curve(), others, levels, unit);
    unit_->setText(curve_->unit());
}

void TrainingDock::refreshHistory() {
    const auto count = static_cast<int>(shown_->bests().size());
    const bool atEnd = history_->value() == history_->maximum();
    const QSignalBlocker blocker(history_);
    history_->setEnabled(count > 1 && workspace_.isOpen(*shown_->problem()));
    history_->setRange(0, std::max(0, count - 1));
    if (atEnd) {
        history_->setValue(history_->maximum());
    }
    historyText_->setText(count == 0 ? QString()
                                     : tr("%1 of %2").arg(history_->value() + 1).arg(count));
}

void TrainingDock::refreshButtons() {
    const bool active = shown_->isActive();
    const bool paused = shown_->state() == RunState::Paused;
    pause_->setText(paused ? tr("Resume") : tr("Pause"));
    pause_->setVisible(active);
    stop_->setVisible(active);
    again_->setVisible(!active);
    again_->setEnabled(runs_.active() == nullptr && workspace_.hasProblem());
    pause_->setEnabled(shown_->state() != RunState::Stopping);
    stop_->setEnabled(shown_->state() != RunState::Stopping);
    checkpoint_->setEnabled(QFile::exists(QDir(shown_->settings().folder).filePath(kCheckpoint)));
}

void TrainingDock::copyCheckpoint() {
    const QString from = QDir(shown_->settings().folder).filePath(kCheckpoint);
    const QString to = QFileDialog::getSaveFileName(this, tr("Copy the checkpoint"), kCheckpoint,
                                                    tr("Checkpoints (*.pt);;All files (*)"));
    if (to.isEmpty()) {
        return;
    }
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly) || !target.open(QIODevice::WriteOnly) ||
        target.write(source.readAll()) != source.size() || !target.commit()) {
        QMessageBox::warning(this, tr("Copy the checkpoint"),
                             tr("%1 cannot be written: %2").arg(to, target.errorString()));
    }
}

bool TrainingDock::exportCurve(const QString& path, QString* error) {
    if (shown_ == nullptr) {
        *error = tr("There is no run to export.");
        return false;
    }
    if (!path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        return curve_->saveAs(path, error);
    }
    // Every episode, as the run's folder has it; where that is gone, the points of the chart.
    QFile episodes(QDir(shown_->settings().folder).filePath(QStringLiteral("episodes.csv")));
    QSaveFile file(path);
    const QByteArray csv = episodes.open(QIODevice::ReadOnly) ? episodes.readAll() : csvOf(*shown_);
    if (!file.open(QIODevice::WriteOnly) || file.write(csv) != csv.size() || !file.commit()) {
        *error = tr("%1 cannot be written: %2").arg(path, file.errorString());
        return false;
    }
    return true;
}

void TrainingDock::exportCurve() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the curve"), QStringLiteral("training.png"),
                                     tr("Pictures (*.png *.svg *.pdf);;CSV table (*.csv)"));
    QString error;
    if (!path.isEmpty() && !exportCurve(path, &error)) {
        QMessageBox::warning(this, tr("Export the curve"), error);
    }
}

} // namespace doppler::views
