#include "views/theme/Theme.h"

namespace doppler::views {

// Fusion draws the rest from the palette; this covers the flat fields, buttons, docks and headers
// of the design, which Fusion would draw with gradients.
QString Theme::styleSheet() const {
    QString sheet = QStringLiteral(R"(
QToolTip { background: @base; color: @text; border: 1px solid @control; padding: 4px 6px; }
QMainWindow::separator { background: @window; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: @accentSoft; }
QMenuBar { background: @window; color: @text; }
QMenuBar::item { padding: 5px 10px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @accentSoft; color: @text; }
QMenu { background: @base; color: @text; border: 1px solid @control; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QToolBar { background: @window; border: 0; border-bottom: 1px solid @border; spacing: 6px; padding: 6px; }
QToolBar::separator { background: @border; width: 1px; margin: 4px 4px; }
QStatusBar { background: @window; color: @text; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QDockWidget { color: @text; }
QDockWidget::title { background: @head; padding: 6px 12px; }
QPushButton, QComboBox { background: @base; color: @text; border: 1px solid @control; border-radius: 4px; padding: 3px 10px; min-height: 20px; }
QPushButton:hover, QComboBox:hover { border-color: @accent; }
QPushButton:pressed { background: @accentSoft; }
QPushButton:checked { background: @accentSoft; color: @link; border-color: @accent; }
QPushButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid @accent; padding: 2px 9px; }
QPushButton:disabled, QComboBox:disabled, QLineEdit:disabled { color: @disabled; border-color: @border; background: @window; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: bold; }
QPushButton[primary="true"]:disabled { background: @idle; color: @disabled; border-color: @border; }
QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 4px; padding: 3px; }
QToolButton:hover { background: @accentSoft; }
QToolButton:checked { background: @accentSoft; color: @link; border-color: @accent; }
QToolButton:focus { border: 2px solid @accent; padding: 2px; }
QToolButton:disabled { color: @disabled; }
QToolButton[framed="true"] { background: @base; border-color: @control; padding: 3px 10px; }
QToolButton[framed="true"]:checked { background: @accentSoft; border-color: @accent; }
QToolButton[framed="true"]:disabled { background: @window; border-color: @border; }
QToolButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; padding: 3px 10px; }
QToolButton[primary="true"]:disabled { background: @window; color: @disabled; border-color: @border; }
QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit { background: @base; color: @text; border: 1px solid @control; border-radius: 4px; padding: 3px 10px; selection-background-color: @accent; selection-color: @onAccent; }
QComboBox QAbstractItemView { background: @base; color: @text; border: 1px solid @control; selection-background-color: @accentSoft; selection-color: @text; outline: 0; }
QTableView, QTreeView, QListView { background: @base; alternate-background-color: @alt; color: @text; border: 0; gridline-color: @border; selection-background-color: @accentSoft; selection-color: @text; outline: 0; }
QTableView:focus, QTreeView:focus, QListView:focus { border: 2px solid @accent; }
QHeaderView::section { background: @base; color: @secondary; border: 0; border-bottom: 1px solid @border; padding: 4px 5px; font-weight: bold; font-size: 12px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 8px; height: 8px; subcontrol-origin: padding; subcontrol-position: top center; }
QHeaderView::up-arrow { image: url(:/icons/controls/down-@mode.svg); }
QHeaderView::down-arrow { image: url(:/icons/controls/up-@mode.svg); }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QScrollArea { border: 0; background: @base; }
QDialog QScrollArea { background: @window; }
QProgressBar { background: @idle; border: 0; border-radius: 4px; max-height: 8px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 4px; }
QComboBox { padding-right: 24px; }
QComboBox:focus { padding-right: 23px; }
QComboBox::drop-down { subcontrol-origin: border; subcontrol-position: center right; width: 24px; border: 0; }
QComboBox::down-arrow { image: url(:/icons/controls/down-@mode.svg); width: 12px; height: 12px; }
QSpinBox, QDoubleSpinBox { padding-left: 8px; padding-right: 22px; min-height: 20px; }
QLineEdit#search { padding-left: 2px; padding-right: 4px; }
QLineEdit { min-height: 20px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 20px; border: 0; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 20px; border: 0; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/controls/up-@mode.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/controls/down-@mode.svg); width: 10px; height: 10px; }
QSpinBox:disabled, QDoubleSpinBox:disabled { color: @disabled; border-color: @border; background: @window; }
QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 3px; background: @base; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/controls/check-@mode.svg); }
QMenu::indicator { width: 14px; height: 14px; left: 6px; }
QMenu::indicator:checked { image: url(:/icons/controls/menu-check-@mode.svg); }
QMenu::right-arrow { image: url(:/icons/controls/right-@mode.svg); width: 12px; height: 12px; right: 6px; }
QToolButton[popupMode="1"] { padding-right: 20px; }
QToolButton::menu-button { border: 0; border-top-right-radius: 4px; border-bottom-right-radius: 4px; width: 18px; }
QToolButton::menu-button:hover { background: @accentSoft; }
QToolButton::menu-arrow { image: url(:/icons/controls/down-@mode.svg); width: 12px; height: 12px; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[primary="true"]:hover, QToolButton[primary="true"]:pressed { background: @link; border-color: @link; }
QToolButton[primary="true"]:focus { border: 2px solid @link; padding: 2px 9px; }
QToolButton[primary="true"][popupMode="1"] { padding-right: 34px; }
QToolButton[primary="true"]::menu-button { border-left: 1px solid @accentSoft; width: 25px; }
QToolButton[primary="true"]::menu-button:hover { background: @link; }
QToolButton[primary="true"]::menu-button:disabled { border-left: 1px solid @border; }
QToolButton[primary="true"]::menu-arrow { image: url(:/icons/controls/down-accent-@mode.svg); width: 12px; height: 12px; }
QToolButton[primary="true"]::menu-arrow:disabled { image: url(:/icons/controls/down-@mode.svg); }
QToolButton[mode="true"] { border: 1px solid transparent; border-bottom: 2px solid transparent; border-radius: 0; padding: 3px 14px; color: @secondary; }
QToolButton[mode="true"]:checked { background: @base; color: @text; font-weight: bold; border: 1px solid @border; border-bottom: 2px solid @accent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @disabled; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @control; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QDialog { background: @window; }
QFrame[pane="true"] { border: 1px solid @border; }
QSplitter::handle { background: @window; }
QSplitter::handle:hover { background: @accentSoft; }
)");
    const std::pair<QStringView, QColor> tokens[] = {
        {u"@accentSoft", accentSoft},
        {u"@onAccent", onAccent},
        {u"@accent", accent},
        {u"@window", window},
        {u"@base", base},
        {u"@alt", alt},
        {u"@head", head},
        {u"@border", border},
        {u"@control", control},
        {u"@disabled", disabled},
        {u"@text", text},
        {u"@secondary", secondary},
        {u"@idle", idle},
        {u"@link", link},
    };
    sheet.replace(QStringLiteral("@mode"), dark ? QStringLiteral("dark") : QStringLiteral("light"));
    for (const auto& [token, colour] : tokens) {
        sheet.replace(token.toString(), colour.name());
    }
    return sheet;
}

} // namespace doppler::views
