#pragma once

#include <QDialog>
#include <functional>

#include "views/cluster/ClusterDraft.h"
#include "views/shell/Prompts.h"
#include "views/theme/Appearance.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace doppler::views {

class DeviceTableModel;
class LinkMatrixModel;

/// Edits devices and links; loads presets and files, saves files. What it shows is a draft: nothing
/// changes outside until it is accepted.
class ClusterEditor : public QDialog {
    Q_OBJECT

public:
    ClusterEditor(const cluster::Cluster& cluster, const Appearance& appearance, Prompts& prompts,
                  QWidget* parent = nullptr);
    ~ClusterEditor() override;

    /// The accepted cluster.
    std::shared_ptr<const cluster::Cluster> cluster() const { return built_; }
    /// The preset or file it was last loaded from or saved to, unchanged since; else its name,
    /// marked as edited.
    QString source() const { return source_; }

    void load(const QString& presetOrFile);
    void accept() override;

private:
    QWidget* makeDevices();
    QWidget* makeLinks();
    QWidget* makeButtons();
    void save();
    void changed();
    void showProblem(const QString& text);

    ClusterDraft draft_;
    const Appearance& appearance_;
    Prompts& prompts_;
    std::shared_ptr<const cluster::Cluster> built_;
    QString source_;
    QLineEdit* name_ = nullptr;
    DeviceTableModel* devices_ = nullptr;
    LinkMatrixModel* links_ = nullptr;
    QTableView* deviceTable_ = nullptr;
    QTableView* linkTable_ = nullptr;
    QPushButton* remove_ = nullptr;
    QPushButton* use_ = nullptr;
    QLabel* problem_ = nullptr;
};

} // namespace doppler::views
