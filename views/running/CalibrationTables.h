#pragma once

#include <QTabWidget>

#include "core/cluster/Cluster.h"
#include "core/cluster/Profile.h"
#include "views/theme/Appearance.h"

class QTableWidget;

namespace doppler::views {

/// What a calibration measured: a table of kernels, the longest first, and one of links.
class CalibrationTables : public QTabWidget {
    Q_OBJECT

public:
    explicit CalibrationTables(const Appearance& appearance, QWidget* parent = nullptr);

    void setProfile(const cluster::Profile& profile, const cluster::Cluster& cluster);

    QTableWidget& kernels() const { return *kernels_; }
    QTableWidget& links() const { return *links_; }

private:
    void fillKernels(const cluster::Profile& profile, const cluster::Cluster& cluster);
    void fillLinks(const cluster::Profile& profile, const cluster::Cluster& cluster);

    const Appearance& appearance_;
    QTableWidget* kernels_;
    QTableWidget* links_;
};

} // namespace doppler::views
