#pragma once

#include <QLabel>

namespace doppler::views {

/// One line of plain text that ends in "..." where there is no room, and then says all of it in its
/// tooltip. It never asks for more than a few characters of width.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    void setElideMode(Qt::TextElideMode mode);
    QSize minimumSizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;

    Qt::TextElideMode mode_ = Qt::ElideRight;
};

} // namespace doppler::views
