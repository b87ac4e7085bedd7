#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/workload/Workload.h"

namespace doppler::views {

/// A form made from the parameters of one workload.
class WorkloadForm : public QWidget {
    Q_OBJECT

public:
    explicit WorkloadForm(const workload::WorkloadInfo& info, QWidget* parent = nullptr);

    /// "name:key=value,...", with what differs from the defaults only.
    QString source() const;
    /// Sets one field, as a person would.
    void setValue(const QString& parameter, const QString& value);

Q_SIGNALS:
    void changed();

private:
    struct Field {
        workload::Parameter parameter;
        std::function<QString()> value;
        std::function<void(const QString&)> set;
    };

    Field makeField(const workload::Parameter& parameter, QWidget*& editor);
    Field makeNumber(const workload::Parameter& parameter, QWidget*& editor);

    QString name_;
    std::vector<Field> fields_;
};

} // namespace doppler::views
