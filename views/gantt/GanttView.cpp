#include "views/gantt/GanttView.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

#include "views/format/Format.h"
#include "views/gantt/GanttHeader.h"
#include "views/gantt/GanttInput.h"
#include "views/gantt/GanttPlot.h"
#include "views/gantt/GanttScrollBar.h"
#include "views/gantt/IntervalText.h"
#include "views/running/RealResult.h"
#include "views/widgets/HoverCard.h"
#include "views/workspace/OpMenu.h"

namespace doppler::views {

namespace {
constexpr int kDimAfterMs = 300;
constexpr double kButtonZoom = 1.5;
/// Lanes of longer timelines are made in the background.
constexpr std::size_t kLanesAtOnce = 50'000;
} // namespace

GanttView::GanttView(Workspace& workspace, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , appearance_(appearance)
    , header_(new GanttHeader(workspace.viewState(), appearance))
    , plot_(new GanttPlot)
    , input_(new GanttInput(*plot_, workspace))
    , scrollBar_(new QScrollBar(Qt::Vertical))
    , empty_(new QLabel)
    , card_(new HoverCard(appearance, plot_)) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header_, 0, 0, 1, 2);
    layout->addWidget(plot_, 1, 0);
    layout->addWidget(scrollBar_, 1, 1);
    layout->addWidget(empty_, 1, 0, 1, 2);
    layout->setRowStretch(1, 1);
    layout->setColumnStretch(0, 1);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setAutoFillBackground(true);
    plot_->setAccessibleName(tr("Timelines"));
    plot_->setTheme(appearance.theme());

    Selection& selection = workspace.selection();
    connect(&workspace, &Workspace::timelineChanged, this, &GanttView::updateTracks);
    connect(&workspace, &Workspace::currentChanged, this, &GanttView::updateTracks);
    connect(&workspace, &Workspace::placementsChanged, this, &GanttView::updateTracks);
    connect(&workspace, &Workspace::problemChanged, this, &GanttView::updateTracks);
    connect(&workspace, &Workspace::boundChanged, this,
            [this] { plot_->setBound(workspace_.bound().value); });
    connect(&selection, &Selection::changed, this, &GanttView::updateSelection);
    connect(&selection, &Selection::hoveredChanged, this, [this] {
        plot_->changeOverlay(
            [this](GanttOverlay& overlay) { overlay.hovered = workspace_.selection().hovered(); });
    });
    connect(&selection, &Selection::revealRequested, this,
            [this](OpId op) { plot_->reveal(plot_->executionOf(op)); });
    connect(&workspace.viewState(), &ViewState::changed, this, &GanttView::updateViewState);
    connect(&workspace.viewState(), &ViewState::playHeadChanged, this, [this] {
        plot_->changeOverlay([this](GanttOverlay& overlay) {
            overlay.playHead = workspace_.viewState().playHead();
        });
    });
    connect(&appearance, &Appearance::changed, this,
            [this] { plot_->setTheme(appearance_.theme()); });

    connect(header_, &GanttHeader::shownChanged, this, &GanttView::updateTracks);
    connect(header_, &GanttHeader::fitRequested, plot_, &GanttPlot::fitAll);
    connect(header_, &GanttHeader::zoomInRequested, this,
            [this] { input_->zoomAtCentre(kButtonZoom); });
    connect(header_, &GanttHeader::zoomOutRequested, this,
            [this] { input_->zoomAtCentre(1 / kButtonZoom); });
    connect(plot_, &GanttPlot::layoutChanged, this, &GanttView::updateScrollBar);
    connect(scrollBar_, &QScrollBar::valueChanged, plot_, &GanttPlot::setScroll);
    connect(input_, &GanttInput::pointed, this, &GanttView::showHoverCard);
    connect(input_, &GanttInput::contextMenuRequested, this, &GanttView::showMenu);

    updateTracks();
    updateViewState();
}

const Placement* GanttView::compared() const {
    const Placement* chosen = workspace_.placement(workspace_.viewState().comparedPlacement());
    if (chosen != nullptr && chosen->timeline && chosen->id != workspace_.currentId()) {
        return chosen;
    }
    // Nobody chose one: the best of the others.
    const Placement* best = nullptr;
    for (const Placement& placement : workspace_.placements()) {
        if (placement.timeline && placement.id != workspace_.currentId() &&
            (best == nullptr || placement.makespan() < best->makespan())) {
            best = &placement;
        }
    }
    return best;
}

GanttTrack GanttView::trackOf(const Placement& placement) const {
    return trackOf(workspace_.problem(), placement.timeline, placement.report);
}

GanttTrack GanttView::trackOf(std::shared_ptr<const sim::Problem> problem,
                              std::shared_ptr<const sim::Timeline> timeline,
                              std::shared_ptr<const sim::Report> report) const {
    GanttTrack track;
    track.problem = std::move(problem);
    track.timeline = std::move(timeline);
    track.report = std::move(report);
    // The lanes of a timeline that is shown already are kept.
    for (const GanttTrack& shown : plot_->scene().tracks) {
        if (shown.timeline == track.timeline) {
            track.lanes = shown.lanes;
        }
    }
    for (const auto& [known, lanes] : lanes_) {
        if (known == track.timeline) {
            track.lanes = lanes;
        }
    }
    if (!track.lanes && track.timeline->intervals.size() <= kLanesAtOnce) {
        track.lanes = std::make_shared<const LaneModel>(*track.timeline);
    }
    return track;
}

void GanttView::makeLanes(const std::shared_ptr<const sim::Timeline>& timeline) {
    if (lanesJob_ && !lanesJob_->isCancelled() && lanesOf_ == timeline) {
        return;
    }
    if (lanesJob_) {
        lanesJob_->cancel();
    }
    lanesOf_ = timeline;
    using Lanes = std::shared_ptr<const LaneModel>;
    lanesJob_ = workspace_.jobs().start<Lanes>(
        {.title = tr("Timeline"), .hidden = true, .owner = this},
        [timeline](JobContext&) { return std::make_shared<const LaneModel>(*timeline); },
        [this, timeline](Lanes lanes) {
            lanesJob_.clear();
            lanesOf_ = nullptr;
            lanes_.emplace_back(timeline, std::move(lanes));
            updateTracks();
        });
}

// One axis needs one unit: a real run of costs in the units of a file is shown by itself.
void GanttView::addReal(const Placement& placement, std::vector<GanttTrack>& tracks) const {
    const RealResult& real = placement.live ? *placement.live : *placement.real;
    GanttTrack track = trackOf(real.problem, real.timeline, real.report);
    track.name = placement.live ? tr("Running") : real.title();
    track.description = placement.live ? real.runtime : real.description();
    const cost::TimeUnit unit = workspace_.problem()->costs->unit();
    if (real.problem->costs->unit() != unit) {
        track.description += tr(" · the simulated one has other units: choose physical costs");
        tracks.clear();
    } else if (!placement.live) {
        const double off = real.mean / static_cast<double>(placement.makespan()) - 1;
        track.description += tr(" · %1 off the simulated makespan").arg(signedPercentText(off));
    }
    tracks.push_back(std::move(track));
}

void GanttView::showReal() {
    header_->setShown(GanttHeader::Shown::Real);
}

void GanttView::updateTracks() {
    const Placement* a = workspace_.current();
    const Placement* b = compared();
    header_->setCanCompare(b != nullptr);
    header_->setHasReal(a != nullptr && a->real != nullptr);
    const auto& shown = plot_->scene().tracks;
    std::vector<GanttTrack> tracks;
    if (a != nullptr && a->timeline) {
        tracks.push_back(trackOf(*a));
        tracks[0].description = simulationText(workspace_.problem()->options);
        tracks[0].name = tr("Simulated");
        if (a->live || (header_->shown() == GanttHeader::Shown::Real && a->real)) {
            addReal(*a, tracks);
        } else if (header_->shown() == GanttHeader::Shown::Compared && b != nullptr) {
            tracks.push_back(trackOf(*b));
            const Time later = b->makespan() - a->makespan();
            tracks[0].letter = QStringLiteral("A");
            tracks[0].name = a->label();
            tracks[0].description = tr("simulated");
            tracks[1].letter = QStringLiteral("B");
            tracks[1].name = b->label();
            tracks[1].description =
                later == 0
                    ? tr("simulated · ends at the same time")
                    : tr("simulated · %1 %2 (%3)")
                          .arg(timeText(std::abs(later), workspace_.problem()->costs->unit()),
                               later > 0 ? tr("later") : tr("earlier"),
                               signedPercentText(static_cast<double>(later) /
                                                 static_cast<double>(a->makespan())));
        }
    }
    const auto unknown = std::find_if(tracks.begin(), tracks.end(),
                                      [](const GanttTrack& track) { return !track.lanes; });
    const bool waits = unknown != tracks.end();
    if (waits) {
        makeLanes(unknown->timeline);
    } else {
        lanes_.clear(); // the tracks have them
    }
    if (waits || (a != nullptr && !a->timeline)) {
        const bool sameGraph =
            !shown.empty() && shown.front().problem->graph == workspace_.problem()->graph;
        tracks = sameGraph ? shown : std::vector<GanttTrack>(); // until it is through
    }
    const bool same = std::equal(tracks.begin(), tracks.end(), shown.begin(), shown.end(),
                                 [](const GanttTrack& x, const GanttTrack& y) {
                                     return x.timeline == y.timeline && x.report == y.report &&
                                            x.problem->costs == y.problem->costs &&
                                            x.letter == y.letter && x.name == y.name &&
                                            x.description == y.description;
                                 });
    if (!same) {
        plot_->setBound(workspace_.bound().value);
        plot_->setTracks(std::move(tracks));
        updateSelection();
    }
    const bool empty = plot_->scene().tracks.empty();
    empty_->setText(!workspace_.hasProblem() ? tr("Open a graph to see when each op runs.")
                    : a == nullptr           ? tr("No timeline yet. Place the graph with a method, "
                                                            "or open an assignment.")
                                             : tr("Simulating …"));
    empty_->setVisible(empty);
    plot_->setVisible(!empty);
    updateScrollBar();
    updateDimming();
}

void GanttView::updateDimming() {
    const Placement* a = workspace_.current();
    const auto isStale = [this] {
        const Placement* now = workspace_.current();
        return now != nullptr && now->stale;
    };
    if (a == nullptr || !a->stale) {
        plot_->setDimmed(false);
        return;
    }
    QTimer::singleShot(kDimAfterMs, this, [this, isStale] { plot_->setDimmed(isStale()); });
}

void GanttView::updateSelection() {
    const Selection& selection = workspace_.selection();
    plot_->changeOverlay([&](GanttOverlay& overlay) {
        overlay.selected = selection.ops();
        overlay.selectedDevice = selection.device();
    });
    const auto& tracks = plot_->scene().tracks;
    const OpId current = selection.current();
    plot_->setAccessibleDescription(current != kNoOp && !tracks.empty() &&
                                            plot_->executionOf(current).isValid()
                                        ? spokenText(tracks.front(), current)
                                        : QString());
}

void GanttView::updateViewState() {
    const ViewState& state = workspace_.viewState();
    plot_->setCriticalChain(state.showCriticalChain());
    plot_->setLinks(state.showLinks());
    if (!state.measuring() && plot_->overlay().ruler) {
        plot_->changeOverlay([](GanttOverlay& overlay) { overlay.ruler.reset(); });
    }
    if (state.comparedPlacement() != shownComparison_) {
        shownComparison_ = state.comparedPlacement();
        header_->setShown(shownComparison_ >= 0 ? GanttHeader::Shown::Compared
                                                : GanttHeader::Shown::Simulated);
        updateTracks();
    }
}

void GanttView::updateScrollBar() {
    fitScrollBar(*scrollBar_, *plot_);
}

void GanttView::showHoverCard(const IntervalRef& ref, const QPointF& at) {
    const auto& tracks = plot_->scene().tracks;
    if (!ref.isValid() || ref.track >= static_cast<int>(tracks.size()) || input_->isDraggingOp()) {
        card_->hide();
        return;
    }
    card_->showAt(at, intervalText(tracks[static_cast<std::size_t>(ref.track)], ref.interval));
}

void GanttView::showMenu(const QPoint& global) {
    QMenu menu(this);
    fillOpMenu(menu, workspace_, appearance_.theme());
    if (!menu.isEmpty()) {
        menu.addSeparator();
        connect(menu.addAction(tr("Fit\tF")), &QAction::triggered, input_,
                &GanttInput::fitSelection);
    }
    connect(menu.addAction(tr("Show all\t0")), &QAction::triggered, plot_, &GanttPlot::fitAll);
    menu.exec(global);
}

} // namespace doppler::views
