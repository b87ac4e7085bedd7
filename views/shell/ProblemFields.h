#pragma once

#include <QMenu>
#include <QObject>
#include <functional>

namespace doppler::views {

class Appearance;
class Documents;
class FieldButton;
class Workspace;

/// The four fields of the toolbar that say what the problem is: graph, cluster, costs, simulation.
/// Each opens a menu; a choice takes effect at once.
class ProblemFields : public QObject {
    Q_OBJECT

public:
    ProblemFields(Workspace& workspace, Documents& documents, const Appearance& appearance,
                  QWidget* parent);

    FieldButton* graph() const { return graph_; }
    FieldButton* cluster() const { return cluster_; }
    FieldButton* costs() const { return costs_; }
    FieldButton* simulation() const { return simulation_; }

    /// Fills a menu with all presets; `chosen` gets what is picked.
    static void fillClusterMenu(QMenu& menu, const QString& current,
                                const std::function<void(const QString&)>& chosen);

Q_SIGNALS:
    void newWorkloadRequested();
    void clusterFileRequested();
    void clusterEditRequested();
    void simulationOptionsRequested();
    /// The choice cannot be made; the old one stays.
    void failed(const QString& message);

private:
    void refresh();
    void fillGraphMenu();
    void fillMyClusterMenu();
    void fillCostsMenu();
    void fillSimulationMenu();
    void changeCluster(const QString& source);
    void change(const std::function<void()>& change);

    Workspace& workspace_;
    Documents& documents_;
    FieldButton* graph_;
    FieldButton* cluster_;
    FieldButton* costs_;
    FieldButton* simulation_;
};

/// "published", "default", or "custom".
QString simulationName(const Workspace& workspace);

} // namespace doppler::views
