#include "views/gantt/GanttHeader.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>

#include "views/icons/Icons.h"

namespace doppler::views {

namespace {
constexpr int kHeight = 36;
constexpr int kButton = 26;
} // namespace

GanttHeader::GanttHeader(ViewState& state, Appearance& appearance, QWidget* parent)
    : QWidget(parent), state_(state), appearance_(appearance), shown_(new QComboBox) {
    setFixedHeight(kHeight);
    setAutoFillBackground(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 0);
    layout->setSpacing(8);
    auto* title = new QLabel(tr("Timelines"));
    title->setFont(fontOfSize(12, true));
    layout->addWidget(title);
    layout->addSpacing(4);

    shown_->addItems({tr("Simulated"), tr("A above B"), tr("Simulated above real")});
    shown_->setFixedHeight(kButton);
    shown_->setAccessibleName(tr("Shown timelines"));
    shown_->setToolTip(tr("Which timelines are shown"));
    layout->addWidget(shown_);

    chain_ = addSwitch(tr("Critical chain"), QStringLiteral("C"),
                       tr("Outline what decides the makespan"), &ViewState::setShowCriticalChain,
                       &ViewState::showCriticalChain);
    links_ = addSwitch(tr("Links"), QStringLiteral("L"), tr("Show transfers between devices"),
                       &ViewState::setShowLinks, &ViewState::showLinks);
    measure_ = addSwitch(tr("Measure"), QStringLiteral("M"),
                         tr("Drag over the lanes to measure a stretch of time"),
                         &ViewState::setMeasuring, &ViewState::measuring);
    layout->addStretch();
    zoomOut_ = addButton(tr("Zoom out"), QStringLiteral("−"));
    zoomIn_ = addButton(tr("Zoom in"), QStringLiteral("+"));
    fit_ = addButton(tr("Show all"), QStringLiteral("0"));

    connect(shown_, &QComboBox::currentIndexChanged, this, &GanttHeader::shownChanged);
    connect(zoomOut_, &QToolButton::clicked, this, &GanttHeader::zoomOutRequested);
    connect(zoomIn_, &QToolButton::clicked, this, &GanttHeader::zoomInRequested);
    connect(fit_, &QToolButton::clicked, this, &GanttHeader::fitRequested);
    connect(&appearance_, &Appearance::changed, this, &GanttHeader::updateIcons);
    updateIcons();
}

QToolButton* GanttHeader::addSwitch(const QString& text, const QString& key, const QString& tip,
                                    void (ViewState::*set)(bool), bool (ViewState::*get)() const) {
    auto* button = new QToolButton;
    button->setText(u' ' + text); // room after the icon
    button->setCheckable(true);
    button->setChecked((state_.*get)());
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("framed", true);
    button->setFixedHeight(kButton);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(tip, key));
    button->setAccessibleName(text);
    layout()->addWidget(button);
    connect(button, &QToolButton::toggled, &state_,
            [this, set](bool checked) { (state_.*set)(checked); });
    connect(&state_, &ViewState::changed, button,
            [this, button, get] { button->setChecked((state_.*get)()); });
    return button;
}

QToolButton* GanttHeader::addButton(const QString& name, const QString& key) {
    auto* button = new QToolButton;
    button->setFixedSize(kButton, kButton);
    button->setAccessibleName(name);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(name, key));
    layout()->addWidget(button);
    return button;
}

void GanttHeader::updateIcons() {
    const Theme& theme = appearance_.theme();
    QPalette colours = palette();
    colours.setColor(QPalette::Window, theme.head);
    setPalette(colours);
    chain_->setIcon(icon(IconName::Chain, theme));
    links_->setIcon(icon(IconName::Link, theme));
    measure_->setIcon(icon(IconName::Ruler, theme));
    zoomOut_->setIcon(icon(IconName::Minus, theme));
    zoomIn_->setIcon(icon(IconName::Plus, theme));
    fit_->setIcon(icon(IconName::Fit, theme));
}

int GanttHeader::wordsWidth() const {
    int width = 0;
    for (const QToolButton* button : {chain_, links_, measure_}) {
        width += button->fontMetrics().horizontalAdvance(button->text());
    }
    return width;
}

QSize GanttHeader::minimumSizeHint() const {
    return {layout()->sizeHint().width() -
                (chain_->toolButtonStyle() == Qt::ToolButtonIconOnly ? 0 : wordsWidth()),
            kHeight};
}

void GanttHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool compact = chain_->toolButtonStyle() == Qt::ToolButtonIconOnly;
    if (!compact) {
        fullWidth_ = layout()->sizeHint().width();
    }
    const bool wanted = width() < fullWidth_;
    if (wanted != compact) {
        for (QToolButton* button : {chain_, links_, measure_}) {
            button->setToolButtonStyle(wanted ? Qt::ToolButtonIconOnly
                                              : Qt::ToolButtonTextBesideIcon);
        }
    }
}

GanttHeader::Shown GanttHeader::shown() const {
    return static_cast<Shown>(shown_->currentIndex());
}

void GanttHeader::setShown(Shown what) {
    shown_->setCurrentIndex(static_cast<int>(what));
}

void GanttHeader::setPossible(Shown what, bool possible, const QString& otherwise) {
    auto* item = qobject_cast<QStandardItemModel*>(shown_->model())->item(static_cast<int>(what));
    item->setEnabled(possible);
    item->setToolTip(possible ? QString() : otherwise);
    if (!possible && shown() == what) {
        setShown(Shown::Simulated);
    }
}

void GanttHeader::setCanCompare(bool possible) {
    setPossible(Shown::Compared, possible, tr("Needs a second placement"));
}

void GanttHeader::setHasReal(bool has) {
    setPossible(Shown::Real, has, tr("Run the placement first"));
}

} // namespace doppler::views
