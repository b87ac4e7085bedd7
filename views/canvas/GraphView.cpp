#include "views/canvas/GraphView.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "views/canvas/GraphCanvas.h"
#include "views/format/Format.h"
#include "views/icons/Icons.h"

namespace doppler::views {

namespace {
constexpr int kHeaderHeight = 36;
constexpr int kButton = 26;
} // namespace

GraphView::GraphView(Workspace& workspace, Appearance& appearance, QWidget* parent)
    : GraphView(workspace, appearance, std::make_shared<LayoutLibrary>(), parent) {}

GraphView::GraphView(Workspace& workspace, Appearance& appearance,
                     std::shared_ptr<LayoutLibrary> library, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , appearance_(appearance)
    , canvas_(new GraphCanvas(workspace, appearance, std::move(library), this))
    , header_(new QWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    buildHeader();
    connectHeader();
    updateIcons();
    updateColourBy();
    updateFacts();
    updateZoom();
}

QToolButton* GraphView::addButton(const QString& name, const QString& key) {
    auto* button = new QToolButton(header_);
    button->setFixedSize(kButton, kButton);
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(key.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, key));
    header_->layout()->addWidget(button);
    return button;
}

void GraphView::buildHeader() {
    header_->setFixedHeight(kHeaderHeight);
    header_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(header_);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(4);
    auto* title = new QLabel(tr("Graph"), header_);
    title->setFont(fontOfSize(12, true));
    row->addWidget(title);
    row->addSpacing(8);
    facts_ = new QLabel(header_);
    facts_->setFont(fontOfSize(12));
    facts_->setTextFormat(Qt::PlainText);
    facts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    facts_->installEventFilter(this);
    row->addWidget(facts_, 1);

    colour_ = new QComboBox(header_);
    for (const auto& [text, mode] :
         {std::pair{tr("Colour: device"), ColourBy::Device},
          std::pair{tr("Colour: kind"), ColourBy::Kind},
          std::pair{tr("Colour: cost"), ColourBy::Cost},
          std::pair{tr("Colour: slack"), ColourBy::Slack},
          std::pair{tr("Colour: criticality"), ColourBy::Criticality},
          std::pair{tr("Colour: gain of a move"), ColourBy::MoveGain},
          std::pair{tr("Colour: measured error"), ColourBy::MeasuredError}}) {
        colour_->addItem(text, static_cast<int>(mode));
    }
    colour_->setFixedHeight(kButton);
    colour_->setAccessibleName(tr("Colour"));
    colour_->setToolTip(tr("What the colours of ops mean"));
    row->addWidget(colour_);
    row->addSpacing(4);
    zoomOut_ = addButton(tr("Zoom out"), QStringLiteral("−"));
    percent_ = new QLabel(header_);
    percent_->setFont(fontOfSize(12));
    percent_->setAlignment(Qt::AlignCenter);
    percent_->setMinimumWidth(percent_->fontMetrics().horizontalAdvance(QStringLiteral("888 %")));
    percent_->setAccessibleName(tr("Zoom"));
    row->addWidget(percent_);
    zoomIn_ = addButton(tr("Zoom in"), QStringLiteral("+"));
    fit_ = addButton(tr("Fit selection, then all"), QStringLiteral("F"));
    more_ = addButton(tr("More"), {});
}

void GraphView::connectHeader() {
    connect(zoomOut_, &QToolButton::clicked, canvas_, &GraphCanvas::zoomOut);
    connect(zoomIn_, &QToolButton::clicked, canvas_, &GraphCanvas::zoomIn);
    connect(fit_, &QToolButton::clicked, canvas_, &GraphCanvas::fit);
    connect(more_, &QToolButton::clicked, this, &GraphView::showMoreMenu);
    connect(colour_, &QComboBox::activated, this, [this](int index) {
        workspace_.viewState().setColourBy(static_cast<ColourBy>(colour_->itemData(index).toInt()));
    });
    connect(&workspace_.viewState(), &ViewState::changed, this, &GraphView::updateColourBy);
    connect(canvas_, &GraphCanvas::zoomChanged, this, &GraphView::updateZoom);
    connect(canvas_, &GraphCanvas::groupsChanged, this, &GraphView::updateFacts);
    connect(canvas_, &GraphCanvas::omissionChanged, this, &GraphView::updateFacts);
    connect(canvas_, &GraphCanvas::lassoChanged, this, &GraphView::lassoModeChanged);
    connect(canvas_, &GraphCanvas::notice, this, &GraphView::notice);
    connect(&workspace_, &Workspace::graphChanged, this, [this] {
        search_.setGraph(workspace_.hasProblem() ? workspace_.problem()->graph : nullptr);
    });
    if (workspace_.hasProblem()) {
        search_.setGraph(workspace_.problem()->graph);
    }
    connect(&workspace_, &Workspace::problemChanged, this, &GraphView::updateFacts);
    connect(&workspace_, &Workspace::placementsChanged, this, &GraphView::updateFacts);
    connect(&workspace_, &Workspace::currentChanged, this, &GraphView::updateFacts);
    connect(&appearance_, &Appearance::changed, this, &GraphView::updateIcons);
}

void GraphView::updateIcons() {
    const Theme& theme = appearance_.theme();
    QPalette colours = header_->palette();
    colours.setColor(QPalette::Window, theme.head);
    header_->setPalette(colours);
    colours.setColor(QPalette::WindowText, theme.secondary);
    facts_->setPalette(colours);
    zoomOut_->setIcon(icon(IconName::Minus, theme));
    zoomIn_->setIcon(icon(IconName::Plus, theme));
    fit_->setIcon(icon(IconName::Fit, theme));
    more_->setIcon(icon(IconName::More, theme));
}

void GraphView::updateColourBy() {
    colour_->setCurrentIndex(
        colour_->findData(static_cast<int>(workspace_.viewState().colourBy())));
}

void GraphView::updateZoom() {
    const double percent = canvas_->geometry().transform().zoom * 100;
    percent_->setText(QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0));
}

void GraphView::updateFacts() {
    QStringList parts;
    if (workspace_.hasProblem()) {
        const graph::Graph& graph = *workspace_.problem()->graph;
        parts.append(
            QStringLiteral("%1, %2").arg(countOf(graph.opCount(), QStringLiteral("op")),
                                         countOf(graph.edgeCount(), QStringLiteral("edge"))));
    }
    if (const Placement* shown = workspace_.current()) {
        parts.append(shown->label());
    }
    if (canvas_->anyCollapsed()) {
        parts.append(canvas_->allCollapsed() ? tr("groups collapsed")
                                             : tr("some groups collapsed"));
    }
    if (search_.isActive()) {
        parts.append(tr("%1 found").arg(search_.matches().size()));
    }
    if (const QString omission = canvas_->omissionText(); !omission.isEmpty()) {
        parts.append(omission);
    }
    factsText_ = parts.join(QStringLiteral(" · "));
    const QString shown =
        facts_->fontMetrics().elidedText(factsText_, Qt::ElideRight, facts_->width());
    facts_->setText(shown);
    facts_->setToolTip(shown == factsText_ ? QString() : factsText_);
}

bool GraphView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == facts_ && event->type() == QEvent::Resize) {
        updateFacts();
    }
    return QWidget::eventFilter(watched, event);
}

void GraphView::showMoreMenu() {
    QMenu menu(this);
    menu.addAction(tr("Export picture…"), this, &GraphView::exportRequested);
    menu.addSeparator();
    const auto addSwitch = [&](const QString& text, bool on, void (GraphCanvas::*set)(bool)) {
        QAction* action = menu.addAction(text, canvas_, set);
        action->setCheckable(true);
        action->setChecked(on);
    };
    addSwitch(tr("Only edges between devices"), canvas_->isCrossDeviceOnly(),
              &GraphCanvas::setCrossDeviceOnly);
    addSwitch(tr("Legend"), canvas_->isLegendVisible(), &GraphCanvas::setLegendVisible);
    addSwitch(tr("Minimap"), canvas_->isMinimapVisible(), &GraphCanvas::setMinimapVisible);
    menu.addSeparator();
    if (canvas_->hasGroups()) {
        menu.addAction(tr("Expand all groups\tShift+Enter"), canvas_, &GraphCanvas::expandAll)
            ->setEnabled(canvas_->anyCollapsed());
        menu.addAction(tr("Collapse all groups\tShift+Backspace"), canvas_,
                       &GraphCanvas::collapseAll);
        menu.addSeparator();
    }
    menu.addAction(tr("100 %\t0"), canvas_, &GraphCanvas::resetZoom);
    menu.addAction(tr("Show all"), canvas_, &GraphCanvas::fitAll);
    menu.exec(more_->mapToGlobal(more_->rect().bottomLeft()));
}

int GraphView::find(const QString& text) {
    const int found = search_.setQuery(text);
    canvas_->setMatches(search_.mask());
    if (found > 0) {
        workspace_.selection().reveal(search_.current());
    }
    updateFacts();
    return found;
}

void GraphView::findNext(bool forward) {
    if (const OpId op = search_.step(forward); op != kNoOp) {
        workspace_.selection().reveal(op);
    }
}

void GraphView::fit() {
    canvas_->fit();
}

void GraphView::zoomIn() {
    canvas_->zoomIn();
}

void GraphView::zoomOut() {
    canvas_->zoomOut();
}

void GraphView::resetZoom() {
    canvas_->resetZoom();
}

bool GraphView::isLassoMode() const {
    return canvas_->isLasso();
}

void GraphView::setLassoMode(bool on) {
    canvas_->setLasso(on);
}

} // namespace doppler::views
