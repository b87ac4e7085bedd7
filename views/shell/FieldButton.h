#pragma once

#include <QToolButton>

namespace doppler::views {

class Appearance;

/// A field of the toolbar that opens a menu of choices: a value, and after it a line of less
/// weight ("p100x4  4 dev"). Both elide where there is no room.
class FieldButton : public QToolButton {
    Q_OBJECT

public:
    FieldButton(const QString& accessibleName, const Appearance& appearance,
                QWidget* parent = nullptr);

    void setValue(const QString& value, const QString& detail = {});
    QString value() const { return value_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;

    const Appearance& appearance_;
    QString name_;
    QString value_;
    QString detail_;
};

} // namespace doppler::views
