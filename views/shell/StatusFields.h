#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QTimer;

namespace doppler::views {

class Appearance;
class DeviceLegend;
class ElidedLabel;
class JobsIndicator;
class Workspace;

/// The status bar: makespan, what the last edit did to it, bound, gap, time of the simulation,
/// devices, a passing notice, and background jobs. Where the window is narrow the least important
/// fields go first; nothing is cut.
class StatusFields : public QWidget {
    Q_OBJECT

public:
    StatusFields(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    /// Shows a line for some seconds.
    void showNotice(const QString& text);
    /// The fields as text, for tests and assistive technology.
    QString text() const;

private:
    struct Field {
        QWidget* widget;
        int priority; ///< larger ones are dropped first
        bool wanted = false;
    };

    void refresh();
    void refreshNow();
    void setField(QLabel* label, const QString& name, const QString& value,
                  const QString& after = {});
    void fit();
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    Workspace& workspace_;
    const Appearance& appearance_;
    QLabel* makespan_;
    QLabel* difference_;
    QLabel* bound_;
    QLabel* gap_;
    QLabel* speed_;
    QLabel* devicesLabel_;
    QLabel* ready_;
    DeviceLegend* devices_;
    ElidedLabel* notice_;
    JobsIndicator* jobs_;
    QTimer* noticeTimer_;
    QTimer* refreshTimer_;
    std::vector<Field> fields_;
};

} // namespace doppler::views
