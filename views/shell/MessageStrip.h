#pragma once

#include <QWidget>
#include <functional>

class QHBoxLayout;
class QLabel;

namespace doppler::views {

class Appearance;

/// A coloured line above the views: an import report, an error, a recovered session. It stays until
/// it is answered, and never takes the keyboard away.
class MessageStrip : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Warning, Error, Info };

    MessageStrip(Kind kind, const QString& text, const Appearance& appearance,
                 QWidget* parent = nullptr);

    Kind kind() const { return kind_; }
    QString text() const;
    /// Adds a button on the right; the strip closes when it is pressed if `closes`.
    void addButton(const QString& text, bool closes, std::function<void()> run = {});

private:
    void applyTheme();
    void paintEvent(QPaintEvent* event) override;

    Kind kind_;
    const Appearance& appearance_;
    QHBoxLayout* layout_;
    QLabel* icon_;
    QLabel* label_;
};

} // namespace doppler::views
