#pragma once

#include <QWidget>

#include "views/canvas/GraphSearch.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace doppler::views {

class GraphCanvas;
class LayoutLibrary;

/// The graph with its header bar: what is shown, colours, zoom.
class GraphView : public QWidget {
    Q_OBJECT

public:
    GraphView(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);
    /// With layouts kept elsewhere (or nowhere), for tests.
    GraphView(Workspace& workspace, Appearance& appearance, std::shared_ptr<LayoutLibrary> library,
              QWidget* parent = nullptr);

    GraphCanvas& canvas() { return *canvas_; }
    const GraphSearch& search() const { return search_; }

    /// Dims everything that does not match, shows the first match, returns how many there are.
    /// An empty text ends the search.
    int find(const QString& text);
    void findNext(bool forward);

    void fit(); ///< the selection; again: everything
    void zoomIn();
    void zoomOut();
    void resetZoom();
    bool isLassoMode() const;
    void setLassoMode(bool on);

Q_SIGNALS:
    void exportRequested();
    /// The canvas itself left (or entered) lasso mode.
    void lassoModeChanged(bool on);
    void notice(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildHeader();
    void connectHeader();
    void updateFacts();
    void updateZoom();
    void showMoreMenu();
    void updateColourBy();
    void updateIcons();
    QToolButton* addButton(const QString& name, const QString& key);

    Workspace& workspace_;
    Appearance& appearance_;
    GraphSearch search_;
    GraphCanvas* canvas_;
    QWidget* header_;
    QLabel* facts_ = nullptr;
    QString factsText_;
    QComboBox* colour_ = nullptr;
    QLabel* percent_ = nullptr;
    QToolButton* zoomOut_ = nullptr;
    QToolButton* zoomIn_ = nullptr;
    QToolButton* fit_ = nullptr;
    QToolButton* more_ = nullptr;
};

} // namespace doppler::views
