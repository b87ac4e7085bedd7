#pragma once

#include <QPointer>
#include <QScrollArea>
#include <QTimer>
#include <optional>

#include "core/graph/Topology.h"
#include "views/docks/BestMoves.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace doppler::views {

class BestMovesList;
class ChainStrip;
class WhatIfBars;

/// What is known about the selection: an op, a device, several ops, or (with nothing selected) the
/// problem; why the op started when it did; what would change elsewhere; the best moves.
class Inspector : public QScrollArea {
    Q_OBJECT

public:
    Inspector(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);

    /// Applies the best move there is, if it is known.
    void applyBestMove();
    /// Gain of each op's best move, by op; empty until known. For colouring.
    const std::vector<Time>& moveGains() const { return moves_.gainOf; }

    QSize sizeHint() const override;

Q_SIGNALS:
    void moveGainsChanged();

private:
    void buildPage();
    QWidget* section(QLabel** title, QLabel** aside);
    void refreshSoon();
    void refresh();
    /// Of the open graph; null while they are computed, which shows what is known then.
    const graph::GraphFacts* graphFacts();
    void showNothing();
    void showOp(OpId op);
    void showSeveral();
    void showDevice(DeviceId device);
    void setFacts(const std::vector<std::pair<QString, QString>>& facts);
    void showWhy(OpId op);
    void refreshWhatIf();
    void refreshMoves();
    void restyle();
    void chooseDevice(DeviceId device);

    Workspace& workspace_;
    Appearance& appearance_;
    QTimer refreshTimer_;
    QTimer movesTimer_;
    std::shared_ptr<const graph::Graph> factsGraph_; ///< that facts_ belong to, once they are there
    std::optional<graph::GraphFacts> facts_;
    BestMoves moves_;
    std::shared_ptr<const sim::Timeline> movesTimeline_; ///< that moves_ belong to
    QPointer<Job> movesJob_;
    QPointer<Job> whatIfJob_;

    QLabel* title_ = nullptr;
    QLabel* badge_ = nullptr;
    QLabel* subtitle_ = nullptr;
    QGridLayout* factsGrid_ = nullptr;
    QWidget* deviceRow_ = nullptr;
    QComboBox* deviceBox_ = nullptr;
    QPushButton* pinButton_ = nullptr;
    QWidget* whySection_ = nullptr;
    QLabel* whyTitle_ = nullptr;
    QLabel* whyText_ = nullptr;
    ChainStrip* chain_ = nullptr;
    QWidget* whatIfSection_ = nullptr;
    QLabel* whatIfTitle_ = nullptr;
    QLabel* whatIfUnit_ = nullptr;
    WhatIfBars* whatIf_ = nullptr;
    QLabel* whatIfNote_ = nullptr;
    QWidget* movesSection_ = nullptr;
    QLabel* movesTitle_ = nullptr;
    QLabel* movesNote_ = nullptr;
    BestMovesList* movesList_ = nullptr;
};

} // namespace doppler::views
