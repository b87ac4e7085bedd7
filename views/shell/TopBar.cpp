#include "views/shell/TopBar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpacerItem>
#include <QToolButton>

#include "views/icons/Icons.h"
#include "views/shell/ActionTable.h"
#include "views/shell/FieldButton.h"
#include "views/shell/ProblemFields.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kHeight = 44;
constexpr int kControl = 28;
constexpr int kSearchWidth = 240;
constexpr int kLeastSearchWidth = 130;
constexpr int kHintGap = 8;

} // namespace

TopBar::TopBar(ActionTable& actions, ProblemFields& fields, QMenu* recentMenu, QMenu* placeMenu,
               const Appearance& appearance, QWidget* parent)
    : QToolBar(tr("Toolbar"), parent)
    , appearance_(appearance)
    , placeAction_(actions[QStringLiteral("placement.place")]) {
    setObjectName(QStringLiteral("toolbar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    // One widget with a layout of its own: its fields shrink, where a toolbar would hide them.
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    row->setFixedHeight(kHeight - 14);
    row->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    open_ = button(actions[QStringLiteral("file.open")]);
    open_->setPopupMode(QToolButton::MenuButtonPopup);
    open_->setMenu(recentMenu);
    open_->setFixedWidth(kControl + 18);
    layout->addWidget(open_);
    layout->addWidget(button(actions[QStringLiteral("file.save")]));
    layout->addWidget(separator());
    for (FieldButton* field :
         {fields.graph(), fields.cluster(), fields.costs(), fields.simulation()}) {
        layout->addWidget(field);
    }
    layout->addWidget(separator());

    place_ = new QToolButton(row);
    place_->setObjectName(QStringLiteral("place"));
    place_->setDefaultAction(placeAction_);
    place_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    place_->setPopupMode(QToolButton::MenuButtonPopup);
    place_->setMenu(placeMenu);
    place_->setProperty("primary", true);
    place_->setFixedHeight(kControl);
    place_->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(place_);
    auto* train = new QToolButton(row);
    train->setObjectName(QStringLiteral("train"));
    train->setDefaultAction(actions[QStringLiteral("training.start")]);
    train->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    train->setIconSize(QSize(16, 16));
    train->setFixedHeight(kControl);
    train->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(train);
    auto* run = new QToolButton(row);
    run->setObjectName(QStringLiteral("run"));
    run->setDefaultAction(actions[QStringLiteral("run.real")]);
    run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    run->setPopupMode(QToolButton::MenuButtonPopup);
    auto* runMenu = new QMenu(run);
    runMenu->addAction(actions[QStringLiteral("run.dialog")]);
    runMenu->addAction(actions[QStringLiteral("run.stop")]);
    run->setMenu(runMenu);
    run->setIconSize(QSize(16, 16));
    run->setFixedHeight(kControl);
    run->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(run);
    layout->addWidget(separator());
    layout->addWidget(button(actions[QStringLiteral("edit.undo")]));
    layout->addWidget(button(actions[QStringLiteral("edit.redo")]));
    layout->addWidget(separator());
    layout->addWidget(button(actions[QStringLiteral("edit.lasso")]));
    layout->addWidget(button(actions[QStringLiteral("edit.pin")]));
    layout->addSpacerItem(new QSpacerItem(0, 0, QSizePolicy::Expanding));

    search_ = new QLineEdit(row);
    search_->setObjectName(QStringLiteral("search"));
    search_->setPlaceholderText(tr("Find op, kind, shape"));
    search_->setAccessibleName(tr("Find an op"));
    search_->setFixedHeight(kControl);
    search_->setMinimumWidth(kLeastSearchWidth);
    search_->setMaximumWidth(kSearchWidth);
    search_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    search_->setClearButtonEnabled(false);
    searchIcon_ = search_->addAction(QIcon(), QLineEdit::LeadingPosition);
    for (QToolButton* sign : search_->findChildren<QToolButton*>()) {
        sign->setAccessibleName(search_->accessibleName());
    }
    searchHint_ = new QLabel(search_);
    searchHint_->setAttribute(Qt::WA_TransparentForMouseEvents);
    searchHint_->setFont(fontOfSize(11));
    layout->addWidget(search_);
    addWidget(row);
    search_->installEventFilter(this);
    connect(&appearance, &Appearance::changed, this, &TopBar::applyTheme);
    setSearchResult({}, true);
    applyTheme();
}

QToolButton* TopBar::button(QAction* action) {
    auto* result = new QToolButton(this);
    result->setDefaultAction(action);
    result->setToolButtonStyle(Qt::ToolButtonIconOnly);
    result->setIconSize(QSize(16, 16));
    result->setFixedSize(kControl, kControl);
    result->setFocusPolicy(Qt::TabFocus);
    result->setAccessibleName(action->toolTip());
    return result;
}

QWidget* TopBar::separator() {
    auto* line = new QWidget(this);
    line->setFixedSize(1, 22);
    line->setAutoFillBackground(true);
    separators_.append(line);
    return line;
}

void TopBar::setSearchResult(const QString& text, bool found) {
    searchHint_->setText(text.isEmpty() ? QStringLiteral("Ctrl+F") : text);
    QPalette colours = searchHint_->palette();
    colours.setColor(QPalette::WindowText,
                     found ? appearance_.theme().secondary : appearance_.theme().worse);
    searchHint_->setPalette(colours);
    searchHint_->adjustSize();
    search_->setTextMargins(0, 0, searchHint_->width() + kHintGap, 0);
    placeHint();
}

void TopBar::placeHint() {
    searchHint_->move(search_->width() - searchHint_->width() - kHintGap,
                      (search_->height() - searchHint_->height()) / 2);
}

void TopBar::setProblemOpen(bool open) {
    search_->setEnabled(open);
    place_->setEnabled(open);
}

void TopBar::applyTheme() {
    const Theme& theme = appearance_.theme();
    searchIcon_->setIcon(icon(IconName::Search, theme, theme.secondary));
    placeAction_->setIcon(icon(IconName::Layers, theme, theme.onAccent));
    for (QWidget* line : separators_) {
        QPalette colours = line->palette();
        colours.setColor(QPalette::Window, theme.border);
        line->setPalette(colours);
    }
    setSearchResult({}, true);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    placeHint();
}

bool TopBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::Resize) {
        placeHint();
    }
    return QToolBar::eventFilter(watched, event);
}

} // namespace doppler::views
