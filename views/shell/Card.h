#pragma once

#include <QAbstractButton>

#include "views/icons/Icons.h"

namespace doppler::views {

class Appearance;

/// A button of the start page: icon, name, a line below it, and a word at the right end (a key, a
/// date). Framed for what one does, plain for lists.
class Card : public QAbstractButton {
    Q_OBJECT

public:
    enum class Look { Framed, Plain };

    Card(Look look, IconName icon, const Appearance& appearance, QWidget* parent = nullptr);

    void setIcon(IconName icon);
    void setTexts(const QString& title, const QString& line, const QString& aside);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

    Look look_;
    IconName icon_;
    const Appearance& appearance_;
    QString title_;
    QString line_;
    QString aside_;
};

} // namespace doppler::views
