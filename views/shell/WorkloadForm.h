#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/workload/Workload.h"

namespace doppler::views {

/// A form made from the parameters of one workload. Choosing a size (true to the source, or tiny)
/// sets all fields that still have the default of the other one.
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

    const std::string& standard(const workload::Parameter& parameter, bool tiny) const;
    bool isTiny() const;
    void sizeChanged();
    static bool isSame(const Field& field, const std::string& value);
    Field makeField(const workload::Parameter& parameter, QWidget*& editor);
    Field makeNumber(const workload::Parameter& parameter, QWidget*& editor);

    QString name_;
    bool tiny_ = false; // what the defaults in the fields are of
    std::vector<Field> fields_;
};

} // namespace doppler::views
