#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

#include "core/graph/FoldedGraph.h"

namespace doppler::views {

/// What the colours of the canvas mean.
enum class ColourBy : std::uint8_t {
    Device,
    Kind,
    Cost,
    Slack,
    Criticality,
    MoveGain,
    MeasuredError
};

/// Switches that several views share; each view only listens.
class ViewState : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    ColourBy colourBy() const { return colourBy_; }
    bool showCriticalChain() const { return criticalChain_; }
    bool showLinks() const { return links_; }
    bool measuring() const { return measuring_; }
    /// Play head, or -1: none shown.
    Time playHead() const { return playHead_; }
    /// Id of the placement that the shown one is compared with (B), or -1.
    int comparedPlacement() const { return comparedPlacement_; }
    /// Which groups of the open graph are collapsed; nothing: it has none, or no view shows it.
    const std::optional<graph::FoldState>& groups() const { return groups_; }

    void setColourBy(ColourBy value) { set(colourBy_, value); }
    void setShowCriticalChain(bool value) { set(criticalChain_, value); }
    void setShowLinks(bool value) { set(links_, value); }
    void setMeasuring(bool value) { set(measuring_, value); }
    void setComparedPlacement(int id) { set(comparedPlacement_, id); }
    /// The canvas alone shows them, and says so itself.
    void setGroups(std::optional<graph::FoldState> value) { groups_ = std::move(value); }
    void setPlayHead(Time value) {
        if (playHead_ != value) {
            playHead_ = value;
            Q_EMIT playHeadChanged();
        }
    }

Q_SIGNALS:
    void changed();
    void playHeadChanged();

private:
    template <typename T>
    void set(T& member, T value) {
        if (member != value) {
            member = value;
            Q_EMIT changed();
        }
    }

    ColourBy colourBy_ = ColourBy::Device;
    bool criticalChain_ = true;
    bool links_ = true;
    bool measuring_ = false;
    Time playHead_ = -1;
    int comparedPlacement_ = -1;
    std::optional<graph::FoldState> groups_;
};

} // namespace doppler::views
