#pragma once

/// views/cluster: the editor of clusters: a draft that may be incomplete, models over it, a dialog.

#include <QString>
#include <memory>
#include <vector>

#include "core/cluster/Cluster.h"

namespace doppler::views {

/// A cluster while it is edited: any change is allowed, build() says what is wrong.
class ClusterDraft {
public:
    explicit ClusterDraft(const cluster::Cluster& cluster);

    QString name;
    int deviceCount() const { return static_cast<int>(devices_.size()); }
    cluster::Device& device(int row) { return devices_[static_cast<std::size_t>(row)]; }
    const cluster::Device& device(int row) const { return devices_[static_cast<std::size_t>(row)]; }
    cluster::Link& link(int from, int to) { return links_[index(from, to)]; }
    const cluster::Link& link(int from, int to) const { return links_[index(from, to)]; }

    /// A device with figures of its own to be filled in (those of "uniform:N" until then) behind
    /// the last one, joined to each other by a link of that cluster.
    void addDevice();
    /// A copy of device `row` behind the last one, with a name of its own; its links are those of
    /// the original, and the two are joined by the fastest of them.
    void copyDevice(int row);
    /// At least one device stays: removing the last does nothing.
    void removeDevice(int row);
    /// Largest bandwidth of all links, bytes a second; 0 with one device.
    double largestBandwidth() const;

    /// Throws InputError as Cluster does.
    std::shared_ptr<const cluster::Cluster> build() const;

private:
    std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(from) * devices_.size() + static_cast<std::size_t>(to);
    }
    QString freeName(const QString& like) const;

    std::vector<cluster::Device> devices_;
    std::vector<cluster::Link> links_;
};

} // namespace doppler::views
