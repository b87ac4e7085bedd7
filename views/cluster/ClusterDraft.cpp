#include "views/cluster/ClusterDraft.h"

#include <QRegularExpression>
#include <algorithm>

namespace doppler::views {

ClusterDraft::ClusterDraft(const cluster::Cluster& cluster)
    : name(QString::fromStdString(cluster.name())), devices_(cluster.devices()) {
    for (DeviceId from = 0; from < cluster.deviceCount(); ++from) {
        for (DeviceId to = 0; to < cluster.deviceCount(); ++to) {
            links_.push_back(cluster.link(from, to));
        }
    }
}

QString ClusterDraft::freeName(const QString& like) const {
    static const QRegularExpression kNumber(QStringLiteral("\\s*\\d+$"));
    const QString stem = QString(like).remove(kNumber);
    for (int number = 0;; ++number) {
        const QString candidate = QStringLiteral("%1 %2").arg(stem).arg(number);
        const bool taken = std::any_of(devices_.begin(), devices_.end(), [&](const auto& device) {
            return QString::fromStdString(device.name) == candidate;
        });
        if (!taken) {
            return candidate;
        }
    }
}

void ClusterDraft::addDevice() {
    const cluster::Cluster plain = cluster::uniformCluster(2);
    const int count = deviceCount();
    std::vector<cluster::Link> grown;
    for (int from = 0; from <= count; ++from) {
        for (int to = 0; to <= count; ++to) {
            const bool isNew = from == count || to == count;
            grown.push_back(isNew ? plain.link(0, 1) : link(from, to));
        }
    }
    cluster::Device added = plain.device(0);
    added.name = freeName(QString::fromStdString(added.name)).toStdString();
    devices_.push_back(std::move(added));
    links_ = std::move(grown);
}

void ClusterDraft::copyDevice(int row) {
    const int count = deviceCount();
    cluster::Link fastest{5e9, 10'000, cluster::LinkKind::Uniform, 1.0};
    for (int other = 0, first = 1; other < count; ++other) {
        if (other != row &&
            (first != 0 || link(row, other).bytesPerSecond > fastest.bytesPerSecond)) {
            fastest = link(row, other);
            first = 0;
        }
    }
    std::vector<cluster::Link> grown;
    for (int from = 0; from <= count; ++from) {
        for (int to = 0; to <= count; ++to) {
            const int likeFrom = from == count ? row : from;
            const int likeTo = to == count ? row : to;
            const bool between = likeFrom == likeTo && from != to;
            grown.push_back(between ? fastest : link(likeFrom, likeTo));
        }
    }
    cluster::Device copy = device(row);
    copy.name = freeName(QString::fromStdString(copy.name)).toStdString();
    devices_.push_back(std::move(copy));
    links_ = std::move(grown);
}

void ClusterDraft::removeDevice(int row) {
    if (deviceCount() == 1) {
        return;
    }
    std::vector<cluster::Link> shrunk;
    for (int from = 0; from < deviceCount(); ++from) {
        for (int to = 0; to < deviceCount(); ++to) {
            if (from != row && to != row) {
                shrunk.push_back(link(from, to));
            }
        }
    }
    devices_.erase(devices_.begin() + row);
    links_ = std::move(shrunk);
}

double ClusterDraft::largestBandwidth() const {
    double largest = 0;
    for (int from = 0; from < deviceCount(); ++from) {
        for (int to = 0; to < deviceCount(); ++to) {
            largest = from == to ? largest : std::max(largest, link(from, to).bytesPerSecond);
        }
    }
    return largest;
}

std::shared_ptr<const cluster::Cluster> ClusterDraft::build() const {
    return std::make_shared<const cluster::Cluster>(name.toStdString(), devices_, links_);
}

} // namespace doppler::views
