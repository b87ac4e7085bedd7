#pragma once

#include <QWidget>

namespace doppler::views {

class Appearance;

/// Over the whole window while a file is dragged over it: says that it can be dropped.
class DropOverlay : public QWidget {
    Q_OBJECT

public:
    DropOverlay(const Appearance& appearance, QWidget* window);

    void showFor(const QString& fileName);

private:
    void paintEvent(QPaintEvent* event) override;

    const Appearance& appearance_;
    QString text_;
};

} // namespace doppler::views
