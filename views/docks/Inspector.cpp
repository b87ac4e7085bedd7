#include "views/docks/Inspector.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/docks/BestMovesList.h"
#include "views/docks/ChainStrip.h"
#include "views/docks/InspectorFacts.h"
#include "views/docks/MakespanScale.h"
#include "views/docks/WhatIfBars.h"
#include "views/docks/WhyText.h"
#include "views/format/Format.h"
#include "views/icons/Icons.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr int kPadding = 12;
constexpr int kSectionGap = 16;
constexpr int kMovesDelayMs = 120;
constexpr std::size_t kMovesShown = 10;
constexpr int kPreferredWidth = 324;
constexpr int kFactsAtOnce = 20'000; // ops and edges
// Beyond this many ops + edges times devices, what-if goes to the background.
constexpr std::int64_t kWhatIfAtOnce = 40'000;
// Trying every move of a graph is quadratic; above this many it would take minutes.
constexpr int kLargestMoveScan = 20'000;

QLabel* wrapped(QLabel* label) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

} // namespace

Inspector::Inspector(Workspace& workspace, Appearance& appearance, QWidget* parent)
    : QScrollArea(parent), workspace_(workspace), appearance_(appearance) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Inspector"));
    buildPage();

    refreshTimer_.setSingleShot(true);
    refreshTimer_.setInterval(0);
    connect(&refreshTimer_, &QTimer::timeout, this, &Inspector::refresh);
    movesTimer_.setSingleShot(true);
    movesTimer_.setInterval(kMovesDelayMs);
    connect(&movesTimer_, &QTimer::timeout, this, &Inspector::refreshMoves);

    connect(&workspace.selection(), &Selection::changed, this, &Inspector::refreshSoon);
    for (const auto signal : {&Workspace::problemChanged, &Workspace::timelineChanged,
                              &Workspace::boundChanged, &Workspace::pinsChanged}) {
        connect(&workspace, signal, this, &Inspector::refreshSoon);
    }
    connect(whatIf_, &WhatIfBars::previewed, this, [this](DeviceId device) {
        std::map<OpId, DeviceId> changes;
        if (device != kNoDevice) {
            for (const OpId op : workspace_.selection().ops()) {
                changes[op] = device;
            }
        }
        workspace_.setPreview(changes);
    });
    // What is shown of the graph or cluster before must not be read with the ids of the new one.
    connect(&workspace, &Workspace::graphChanged, this, [this] {
        factsGraph_ = nullptr;
        moves_ = {};
        movesTimeline_ = nullptr;
        movesList_->setMoves({});
        Q_EMIT moveGainsChanged();
    });
    connect(&workspace, &Workspace::problemChanged, this,
            [this] { whatIf_->setValues({}, kNoDevice); });
    connect(&workspace, &Workspace::pinsChanged, this, [this] {
        movesList_->setStale(true);
        movesTimer_.start();
    });
    for (const auto signal : {&Workspace::problemChanged, &Workspace::timelineChanged}) {
        connect(&workspace, signal, this, [this] {
            const Placement* shown = workspace_.committed();
            const auto timeline = shown == nullptr ? nullptr : shown->timeline;
            if (workspace_.isPreviewing() || (timeline && timeline == movesTimeline_)) {
                return;
            }
            movesTimeline_ = timeline;
            movesList_->setStale(true);
            movesTimer_.start();
        });
    }
    connect(&appearance, &Appearance::changed, this, [this] {
        restyle();
        refreshSoon();
    });
    restyle();
    refresh();
}

QSize Inspector::sizeHint() const {
    return {kPreferredWidth, 600};
}

QWidget* Inspector::section(QLabel** title, QLabel** aside) {
    auto* box = new QWidget(widget());
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, kSectionGap, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout();
    *title = new QLabel(box);
    *aside = new QLabel(box);
    head->addWidget(*title, 1);
    head->addWidget(*aside);
    layout->addLayout(head);
    return box;
}

void Inspector::buildPage() {
    auto* page = new QWidget();
    page->setObjectName(QStringLiteral("inspectorPage"));
    setWidget(page);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    layout->setSpacing(4);

    auto* head = new QHBoxLayout();
    title_ = new QLabel(page);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title_->setWordWrap(true);
    badge_ = new QLabel(page);
    head->addWidget(title_, 1);
    head->addWidget(badge_, 0, Qt::AlignTop);
    layout->addLayout(head);
    subtitle_ = new QLabel(page);
    subtitle_->setWordWrap(true);
    layout->addWidget(subtitle_);
    layout->addSpacing(6);

    factsGrid_ = new QGridLayout();
    factsGrid_->setHorizontalSpacing(12);
    factsGrid_->setVerticalSpacing(5);
    factsGrid_->setColumnStretch(1, 1);
    layout->addLayout(factsGrid_);

    deviceRow_ = new QWidget(page);
    auto* deviceLayout = new QHBoxLayout(deviceRow_);
    deviceLayout->setContentsMargins(0, 4, 0, 0);
    deviceBox_ = new QComboBox(deviceRow_);
    deviceBox_->setAccessibleName(QStringLiteral("Device of the selected ops"));
    deviceBox_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    pinButton_ = new QPushButton(QStringLiteral("Pin"), deviceRow_);
    pinButton_->setCheckable(true);
    pinButton_->setToolTip(QStringLiteral("Keep on this device, whatever a method says (P)"));
    deviceLayout->addWidget(deviceBox_, 1);
    deviceLayout->addWidget(pinButton_);
    layout->addWidget(deviceRow_);
    connect(deviceBox_, &QComboBox::activated, this,
            [this](int index) { chooseDevice(deviceBox_->itemData(index).toInt()); });
    connect(pinButton_, &QPushButton::clicked, this,
            [this](bool pinned) { workspace_.setPinned(workspace_.selection().ops(), pinned); });

    QLabel* whyAside = nullptr;
    whySection_ = section(&whyTitle_, &whyAside);
    whyText_ = wrapped(new QLabel(whySection_));
    whyText_->setTextFormat(Qt::RichText);
    connect(whyText_, &QLabel::linkActivated, this, [this](const QString& link) {
        workspace_.selection().reveal(link.mid(QStringLiteral("op:").size()).toInt());
    });
    chain_ = new ChainStrip(workspace_, appearance_, whySection_);
    whySection_->layout()->addWidget(whyText_);
    whySection_->layout()->addWidget(chain_);
    layout->addWidget(whySection_);

    whatIfSection_ = section(&whatIfTitle_, &whatIfUnit_);
    whatIf_ = new WhatIfBars(workspace_, appearance_, whatIfSection_);
    whatIfNote_ = new QLabel(whatIfSection_);
    whatIfSection_->layout()->addWidget(whatIf_);
    whatIfSection_->layout()->addWidget(whatIfNote_);
    layout->addWidget(whatIfSection_);
    connect(whatIf_, &WhatIfBars::chosen, this, &Inspector::chooseDevice);

    movesSection_ = section(&movesTitle_, &movesNote_);
    movesTitle_->setText(QStringLiteral("Best moves"));
    movesList_ = new BestMovesList(workspace_, appearance_, movesSection_);
    movesSection_->layout()->addWidget(movesList_);
    layout->addWidget(movesSection_);
    layout->addStretch(1);
}

void Inspector::restyle() {
    const Theme& theme = appearance_.theme();
    widget()->setStyleSheet(
        QStringLiteral("#inspectorPage { background: %1; }").arg(theme.base.name()));
    const QString secondary =
        QStringLiteral("color: %1; font-size: 12px;").arg(theme.secondary.name());
    for (QLabel* label : {subtitle_, whatIfUnit_, whatIfNote_, movesNote_}) {
        label->setStyleSheet(secondary);
    }
    title_->setStyleSheet(QStringLiteral("font-size: 16px; font-weight: bold;"));
    for (QLabel* label : {whyTitle_, whatIfTitle_, movesTitle_}) {
        label->setStyleSheet(QStringLiteral("font-size: 12px; font-weight: bold;"));
    }
    whyText_->setStyleSheet(QStringLiteral("font-size: 12px;"));
    badge_->setStyleSheet(
        QStringLiteral("background: %1; color: %2; border-radius: 9px; padding: 2px 8px; "
                       "font-size: 11px; font-weight: bold;")
            .arg(theme.ink.name(), theme.base.name()));
    pinButton_->setIcon(icon(IconName::Pin, theme));
}

// A preview changes what the other views show, not what is said here.
void Inspector::refreshSoon() {
    if (!workspace_.isPreviewing()) {
        refreshTimer_.start();
    }
}

void Inspector::refresh() {
    const Selection& selection = workspace_.selection();
    widget()->setVisible(workspace_.hasProblem());
    if (!workspace_.hasProblem()) {
        return;
    }
    if (selection.device() != kNoDevice) {
        showDevice(selection.device());
    } else if (selection.ops().empty()) {
        showNothing();
    } else if (selection.ops().size() == 1) {
        showOp(*selection.ops().begin());
    } else {
        showSeveral();
    }
    refreshWhatIf();
}

void Inspector::setFacts(const std::vector<std::pair<QString, QString>>& facts) {
    const QString secondary =
        QStringLiteral("color: %1; font-size: 12px;").arg(appearance_.theme().secondary.name());
    const int shown = static_cast<int>(facts.size());
    for (int row = 0; row < std::max(shown, factsGrid_->rowCount()); ++row) {
        auto* item = factsGrid_->itemAtPosition(row, 0);
        if (item == nullptr && row < shown) {
            auto* label = new QLabel(widget());
            auto* value = new QLabel(widget());
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            value->setWordWrap(true);
            value->setStyleSheet(QStringLiteral("font-size: 12px;"));
            factsGrid_->addWidget(label, row, 0, Qt::AlignTop);
            factsGrid_->addWidget(value, row, 1);
            item = factsGrid_->itemAtPosition(row, 0);
        }
        if (item == nullptr) {
            continue;
        }
        auto* label = qobject_cast<QLabel*>(item->widget());
        auto* value = qobject_cast<QLabel*>(factsGrid_->itemAtPosition(row, 1)->widget());
        label->setVisible(row < shown);
        value->setVisible(row < shown);
        if (row < shown) {
            label->setStyleSheet(secondary);
            label->setText(facts[static_cast<std::size_t>(row)].first);
            value->setText(facts[static_cast<std::size_t>(row)].second);
        }
    }
}

const graph::GraphFacts* Inspector::graphFacts() {
    const std::shared_ptr<const graph::Graph> graph = workspace_.problem()->graph;
    if (factsGraph_ != graph) {
        factsGraph_ = graph;
        facts_.reset();
        if (graph->opCount() + graph->edgeCount() <= kFactsAtOnce) {
            facts_ = graph::graphFacts(*graph);
        } else {
            workspace_.jobs().start<graph::GraphFacts>(
                {.title = tr("Facts"), .hidden = true, .owner = this},
                [graph](JobContext&) { return graph::graphFacts(*graph); },
                [this, graph](const graph::GraphFacts& facts) {
                    if (factsGraph_ == graph) {
                        facts_ = facts;
                        refreshSoon();
                    }
                });
        }
    }
    return facts_ ? &*facts_ : nullptr;
}

void Inspector::showNothing() {
    title_->setText(QStringLiteral("Nothing selected"));
    subtitle_->setText(QStringLiteral("Click an op, a lane or a link to see why it started when it "
                                      "did, and what would change if it moved."));
    badge_->hide();
    setFacts(problemFacts(workspace_, graphFacts()));
    deviceRow_->hide();
    whySection_->hide();
    chain_->setOp(kNoOp);
}

void Inspector::showDevice(DeviceId device) {
    const cluster::Device& facts = workspace_.problem()->cluster->device(device);
    title_->setText(QStringLiteral("%1, %2").arg(appearance_.theme().device(device).letter,
                                                 QString::fromStdString(facts.name)));
    subtitle_->setText(QStringLiteral("device"));
    badge_->hide();
    setFacts(deviceFacts(workspace_, device));
    deviceRow_->hide();
    whySection_->hide();
    chain_->setOp(kNoOp);
}

void Inspector::showSeveral() {
    const std::set<OpId>& ops = workspace_.selection().ops();
    title_->setText(countOf(static_cast<std::int64_t>(ops.size()), QStringLiteral("op")));
    subtitle_->setText(QStringLiteral("selected together"));
    badge_->hide();
    setFacts(severalFacts(workspace_, ops, appearance_.theme()));
    deviceRow_->setVisible(workspace_.committed() != nullptr);
    whySection_->hide();
    chain_->setOp(kNoOp);
}

void Inspector::showOp(OpId op) {
    const graph::Graph& graph = *workspace_.problem()->graph;
    title_->setText(QString::fromStdString(graph.opName(op)));
    subtitle_->setText(opSubtitle(graph, op));
    badge_->setText(QStringLiteral("critical"));
    badge_->setVisible(isCritical(workspace_, op));
    setFacts(opFacts(workspace_, op));
    deviceRow_->setVisible(workspace_.committed() != nullptr);
    showWhy(op);
}

void Inspector::showWhy(OpId op) {
    const Placement* shown = workspace_.committed();
    const bool known = shown != nullptr && shown->timeline;
    whySection_->setVisible(known);
    chain_->setOp(known ? op : kNoOp);
    if (known) {
        whyTitle_->setText(whyTitle(*workspace_.problem(), *shown->timeline, op));
        whyText_->setText(
            whyHtml(*workspace_.problem(), *shown->timeline, op, appearance_.theme()));
    }
}

void Inspector::chooseDevice(DeviceId device) {
    workspace_.assign(workspace_.selection().ops(), device);
}

// The device field, the pin button and the bars: all about where the selection runs.
void Inspector::refreshWhatIf() {
    const std::set<OpId>& ops = workspace_.selection().ops();
    const Placement* shown = workspace_.committed();
    const bool wanted = !ops.empty() && shown != nullptr && shown->timeline;
    whatIfSection_->setVisible(wanted);
    if (whatIfJob_) {
        whatIfJob_->cancel();
    }
    if (!wanted) {
        return;
    }
    const auto problem = workspace_.problem();
    DeviceId now = (*shown->assignment)[static_cast<std::size_t>(*ops.begin())];
    bool pinned = true;
    for (const OpId op : ops) {
        now = (*shown->assignment)[static_cast<std::size_t>(op)] == now ? now : kNoDevice;
        pinned = pinned && workspace_.isPinned(op);
    }
    deviceBox_->clear();
    for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
        deviceBox_->addItem(deviceIcon(appearance_.theme(), device),
                            QString::fromStdString(problem->cluster->device(device).name), device);
    }
    deviceBox_->setCurrentIndex(now);
    deviceBox_->setPlaceholderText(QStringLiteral("several devices"));
    pinButton_->setChecked(pinned);
    pinButton_->setText(pinned ? QStringLiteral("Pinned") : QStringLiteral("Pin"));

    whatIfTitle_->setText(ops.size() == 1 ? QStringLiteral("What if it ran on …")
                                          : QStringLiteral("What if they all ran on …"));
    const cost::TimeUnit unit = problem->costs->unit();
    whatIfUnit_->setText(QStringLiteral("makespan, %1").arg(makespanScale(workspace_).column));
    whatIfNote_->setText(workspace_.bound().value > 0
                             ? QStringLiteral("bars start at the bound, %1")
                                   .arg(timeText(workspace_.bound().value, unit))
                             : QString());
    const std::vector<OpId> list(ops.begin(), ops.end());
    const std::int64_t work =
        std::int64_t{problem->opCount() + problem->graph->edgeCount()} * problem->deviceCount();
    if (work <= kWhatIfAtOnce) {
        whatIf_->setValues(views::whatIf(problem, *shown->assignment, list), now);
        return;
    }
    whatIf_->setStale(true);
    const auto assignment = shown->assignment;
    whatIfJob_ = workspace_.jobs().start<std::vector<Time>>(
        {QStringLiteral("What if"), false, true, this},
        [problem, assignment, list](JobContext& context) {
            return views::whatIf(problem, *assignment, list, context.stopToken());
        },
        [this, now](std::vector<Time> makespans) {
            whatIf_->setValues(std::move(makespans), now);
        });
}

void Inspector::refreshMoves() {
    if (movesJob_) {
        movesJob_->cancel();
    }
    const Placement* shown = workspace_.committed();
    const bool possible = workspace_.hasProblem() && shown != nullptr && shown->timeline &&
                          workspace_.problem()->deviceCount() > 1 &&
                          workspace_.problem()->opCount() <= kLargestMoveScan;
    movesSection_->setVisible(possible);
    if (!possible) {
        moves_ = {};
        Q_EMIT moveGainsChanged();
        return;
    }
    const auto problem = workspace_.problem();
    const auto assignment = shown->assignment;
    movesJob_ = workspace_.jobs().start<BestMoves>(
        {QStringLiteral("Best moves"), false, true, this},
        [problem, assignment](JobContext& context) {
            return findBestMoves(problem, *assignment, kMovesShown, context.stopToken());
        },
        [this](BestMoves moves) {
            moves_ = moves;
            movesNote_->setText(
                QStringLiteral("one op each, of %1 tried").arg(countText(moves_.tried)));
            movesList_->setMoves(std::move(moves));
            Q_EMIT moveGainsChanged();
        });
}

void Inspector::applyBestMove() {
    movesList_->apply(0);
}

} // namespace doppler::views
