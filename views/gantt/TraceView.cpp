#include "views/gantt/TraceView.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "views/format/Format.h"
#include "views/gantt/GanttPlot.h"
#include "views/gantt/GanttScrollBar.h"
#include "views/gantt/TimeLink.h"
#include "views/icons/Icons.h"
#include "views/widgets/HoverCard.h"

namespace doppler::views {

namespace {

constexpr int kHeight = 36;
constexpr int kButton = 26;
constexpr double kZoomStep = 1.5;
constexpr double kZoomPerNotch = 1.2;
constexpr double kWheelNotch = 120;
constexpr double kPixelsPerNotch = 60;
constexpr Time kAlike = 5; // lengths of at most this ratio share an axis unasked
constexpr int kOwnKeys[] = {Qt::Key_Plus, Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0};

} // namespace

TraceView::TraceView(Appearance& appearance, GanttPlot& timelines, QWidget* parent)
    : QWidget(parent)
    , appearance_(appearance)
    , timelines_(timelines)
    , header_(new QWidget)
    , facts_(new QLabel)
    , plot_(new GanttPlot)
    , scrollBar_(new QScrollBar(Qt::Vertical))
    , card_(new HoverCard(appearance, plot_))
    , link_(new TimeLink(timelines, *plot_, this))
    , linked_(new QToolButton) {
    header_->setFixedHeight(kHeight);
    header_->setAutoFillBackground(true);
    auto* bar = new QHBoxLayout(header_);
    bar->setContentsMargins(12, 0, 8, 0);
    bar->setSpacing(8);
    auto* title = new QLabel(tr("Trace"));
    title->setFont(fontOfSize(12, true));
    bar->addWidget(title);
    facts_->setFont(fontOfSize(12));
    facts_->setText(tr("recorded, to look at"));
    bar->addWidget(facts_);
    linked_->setText(QStringLiteral(" ") + tr("Same axis")); // room after the icon
    linked_->setCheckable(true);
    linked_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    linked_->setProperty("framed", true);
    linked_->setFixedHeight(kButton);
    linked_->setAccessibleName(tr("Same axis"));
    bar->addWidget(linked_);
    bar->addStretch();
    zoomOut_ = addButton(tr("Zoom out"), QStringLiteral("−"));
    zoomIn_ = addButton(tr("Zoom in"), QStringLiteral("+"));
    fit_ = addButton(tr("Show all"), QStringLiteral("0"));
    close_ = addButton(tr("Close the trace"), QString());

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header_, 0, 0, 1, 2);
    layout->addWidget(plot_, 1, 0);
    layout->addWidget(scrollBar_, 1, 1);
    layout->setRowStretch(1, 1);
    layout->setColumnStretch(0, 1);
    plot_->setAccessibleName(tr("Trace"));
    plot_->setLinks(false);
    plot_->setCriticalChain(false);
    plot_->installEventFilter(this);
    setFocusProxy(plot_);

    connect(zoomOut_, &QToolButton::clicked, this, [this] { zoomAtCentre(1 / kZoomStep); });
    connect(zoomIn_, &QToolButton::clicked, this, [this] { zoomAtCentre(kZoomStep); });
    connect(fit_, &QToolButton::clicked, plot_, &GanttPlot::fitAll);
    connect(close_, &QToolButton::clicked, this, &TraceView::closeRequested);
    connect(plot_, &GanttPlot::layoutChanged, this, &TraceView::updateScrollBar);
    connect(scrollBar_, &QScrollBar::valueChanged, plot_, &GanttPlot::setScroll);
    connect(linked_, &QToolButton::clicked, this, [this] { linkChosen_ = true; });
    connect(linked_, &QToolButton::toggled, this, &TraceView::updateLink);
    connect(&timelines_, &GanttPlot::layoutChanged, this, &TraceView::updateLink);
    connect(&appearance_, &Appearance::changed, this, &TraceView::applyTheme);
    applyTheme();
}

QToolButton* TraceView::addButton(const QString& name, const QString& key) {
    auto* button = new QToolButton;
    button->setFixedSize(kButton, kButton);
    button->setAccessibleName(name);
    button->setToolTip(key.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, key));
    header_->layout()->addWidget(button);
    return button;
}

void TraceView::applyTheme() {
    const Theme& theme = appearance_.theme();
    QPalette colours = header_->palette();
    colours.setColor(QPalette::Window, theme.head);
    header_->setPalette(colours);
    QPalette quiet = facts_->palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    facts_->setPalette(quiet);
    linked_->setIcon(icon(IconName::Link, theme));
    zoomOut_->setIcon(icon(IconName::Minus, theme));
    zoomIn_->setIcon(icon(IconName::Plus, theme));
    fit_->setIcon(icon(IconName::Fit, theme));
    close_->setIcon(icon(IconName::Close, theme));
    plot_->setTheme(theme);
}

void TraceView::setTrack(GanttTrack track) {
    link_->setOn(false); // its zoom says nothing about the new one
    std::vector<GanttTrack> tracks;
    tracks.push_back(std::move(track));
    plot_->setTracks(std::move(tracks));
    plot_->setScroll(0);
    linkChosen_ = false;
    plot_->fitAll();
    updateLink();
    updateScrollBar();
}

void TraceView::clear() {
    card_->hide();
    plot_->setTracks({});
    updateLink();
}

bool TraceView::isLinked() const {
    return link_->isOn();
}

QString TraceView::whyNotLinked() const {
    if (isEmpty() || timelines_.scene().tracks.empty()) {
        return tr("There is no timeline above to share an axis with");
    }
    if (timelines_.scene().unit() != cost::TimeUnit::Nanoseconds) {
        return tr("The timelines above have the units of their file: choose physical costs");
    }
    return {};
}

void TraceView::updateLink() {
    const QString obstacle = whyNotLinked();
    linked_->setEnabled(obstacle.isEmpty());
    linked_->setToolTip(obstacle.isEmpty() ? tr("Zoom and pan together with the timelines above")
                                           : obstacle);
    if (obstacle.isEmpty() && !linkChosen_) {
        // Where one is a thin line beside the other, they start apart.
        const auto [shorter, longer] =
            std::minmax({plot_->ownAxis().end, timelines_.ownAxis().end});
        linkChosen_ = true;
        const QSignalBlocker blocker(linked_);
        linked_->setChecked(longer <= kAlike * shorter);
    }
    link_->setOn(obstacle.isEmpty() && linked_->isChecked());
}

bool TraceView::isEmpty() const {
    return plot_->scene().tracks.empty();
}

QString TraceView::textAt(const QPointF& point) const {
    const IntervalRef ref = plot_->intervalAt(point);
    if (!ref.isValid()) {
        return {};
    }
    const GanttTrack& track = plot_->scene().tracks.front();
    const sim::Interval& span = track.interval(ref.interval);
    const QString name = QString::fromStdString(track.problem->graph->opName(span.op));
    const auto time = [](Time ns) { return timeText(ns, cost::TimeUnit::Nanoseconds); };
    return QStringLiteral("<b>%1</b><br>%2<br>%3 – %4 (%5)")
        .arg(name.toHtmlEscaped(), track.lanes->caption(span.device).toHtmlEscaped(),
             time(span.start), time(span.end), time(span.end - span.start));
}

void TraceView::updateScrollBar() {
    fitScrollBar(*scrollBar_, *plot_);
}

void TraceView::zoomAtCentre(double factor) {
    const GanttGeometry& geometry = plot_->geometryOf();
    plot_->zoom(factor, (geometry.lanesLeft() + geometry.lanesRight()) / 2);
}

bool TraceView::keyPress(int key) {
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAtCentre(kZoomStep);
        return true;
    case Qt::Key_Minus:
        zoomAtCentre(1 / kZoomStep);
        return true;
    case Qt::Key_0:
        plot_->fitAll();
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        plot_->pan(key == Qt::Key_Left ? kPixelsPerNotch : -kPixelsPerNotch);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        plot_->setScroll(plot_->geometryOf().scroll() +
                         (key == Qt::Key_Down ? kPixelsPerNotch : -kPixelsPerNotch));
        return true;
    default:
        return false;
    }
}

bool TraceView::wheel(QEvent* event) {
    auto* turned = static_cast<QWheelEvent*>(event);
    const QPointF notches = QPointF(turned->angleDelta()) / kWheelNotch;
    const double along = notches.y() != 0 ? notches.y() : notches.x();
    if (turned->modifiers().testFlag(Qt::ShiftModifier) || notches.y() == 0) {
        plot_->pan(along * kPixelsPerNotch);
    } else if (turned->modifiers().testFlag(Qt::AltModifier)) {
        plot_->setScroll(plot_->geometryOf().scroll() - along * kPixelsPerNotch);
    } else {
        plot_->zoom(std::pow(kZoomPerNotch, along), turned->position().x());
    }
    event->accept();
    return true;
}

bool TraceView::move(const QPointF& point) {
    if (drag_) {
        plot_->pan(point.x() - drag_->x());
        plot_->setScroll(plot_->geometryOf().scroll() - (point.y() - drag_->y()));
        drag_ = point;
        return true;
    }
    if (const QString text = textAt(point); !text.isEmpty()) {
        card_->showAt(point, text);
    } else {
        card_->hide();
    }
    return true;
}

bool TraceView::eventFilter(QObject*, QEvent* event) {
    if (isEmpty()) {
        return false;
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        plot_->setFocus(Qt::MouseFocusReason);
        card_->hide();
        drag_ = static_cast<QMouseEvent*>(event)->position();
        return true;
    case QEvent::MouseMove:
        return move(static_cast<QMouseEvent*>(event)->position());
    case QEvent::MouseButtonRelease:
        drag_.reset();
        return true;
    case QEvent::MouseButtonDblClick: {
        const IntervalRef ref = plot_->intervalAt(static_cast<QMouseEvent*>(event)->position());
        if (ref.isValid()) {
            const sim::Interval& span = plot_->scene().tracks.front().interval(ref.interval);
            plot_->fit({span.start, span.end});
        } else {
            plot_->fitAll();
        }
        return true;
    }
    case QEvent::Wheel:
        return wheel(event);
    case QEvent::ShortcutOverride: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (std::find(std::begin(kOwnKeys), std::end(kOwnKeys), key) != std::end(kOwnKeys)) {
            event->accept(); // before a shortcut of the window takes it
        }
        return false;
    }
    case QEvent::KeyPress:
        return keyPress(static_cast<QKeyEvent*>(event)->key());
    case QEvent::Leave:
        card_->hide();
        return false;
    default:
        return false;
    }
}

} // namespace doppler::views
