#pragma once

#include <QWidget>

namespace doppler::views {

class Appearance;

/// Says that files can be dropped. The whole window takes them; this is only the sign.
class DropHint : public QWidget {
    Q_OBJECT

public:
    explicit DropHint(const Appearance& appearance, QWidget* parent = nullptr);

private:
    void paintEvent(QPaintEvent* event) override;

    const Appearance& appearance_;
};

} // namespace doppler::views
