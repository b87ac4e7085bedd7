#include "views/theme/Appearance.h"

#include <QApplication>
#include <QStyleFactory>

#include "views/icons/Icons.h"

namespace doppler::views {

Appearance::Appearance(QObject* parent) : QObject(parent) {}

void Appearance::setDark(bool dark) {
    loadIconResources();
    theme_ = dark ? Theme::darkTheme() : Theme::light();
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(theme_.palette());
    qApp->setStyleSheet(theme_.styleSheet());
    Q_EMIT changed();
}

} // namespace doppler::views
