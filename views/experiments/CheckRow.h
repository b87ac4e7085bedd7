#pragma once

#include <QWidget>

class QCheckBox;

namespace doppler::views {

class ElidedLabel;
struct Theme;

/// A check box with a line of less weight at its right end.
class CheckRow : public QWidget {
    Q_OBJECT

public:
    CheckRow(const QString& text, bool checked, QWidget* parent = nullptr);

    QCheckBox* box() const { return box_; }
    /// `warning`: in the colour of warnings.
    void setDetail(const QString& text, bool warning, const Theme& theme);

Q_SIGNALS:
    void toggled(bool on);

private:
    QCheckBox* box_;
    ElidedLabel* detail_;
};

} // namespace doppler::views
