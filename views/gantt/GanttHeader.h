#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/workspace/ViewState.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace doppler::views {

/// The bar above the timelines: what is shown, switches, zoom.
class GanttHeader : public QWidget {
    Q_OBJECT

public:
    GanttHeader(ViewState& state, Appearance& appearance, QWidget* parent = nullptr);

    enum class Shown { Simulated, Compared, Real };

    Shown shown() const;
    void setShown(Shown what);
    /// Whether there is a second placement to compare with.
    void setCanCompare(bool possible);
    /// Whether the placement has been run.
    void setHasReal(bool has);
    /// Without the words of the switches: where there is no room they show their icons only.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void shownChanged();
    void zoomInRequested();
    void zoomOutRequested();
    void fitRequested();

private:
    QToolButton* addSwitch(const QString& text, const QString& key, const QString& tip,
                           void (ViewState::*set)(bool), bool (ViewState::*get)() const);
    QToolButton* addButton(const QString& name, const QString& tip);
    void updateIcons();
    void setPossible(Shown what, bool possible, const QString& otherwise);
    int wordsWidth() const;
    void resizeEvent(QResizeEvent* event) override;

    ViewState& state_;
    Appearance& appearance_;
    QComboBox* shown_;
    QToolButton* chain_;
    QToolButton* links_;
    QToolButton* measure_;
    QToolButton* zoomOut_;
    QToolButton* zoomIn_;
    QToolButton* fit_;
    int fullWidth_ = 0; ///< with the words of the switches
};

} // namespace doppler::views
