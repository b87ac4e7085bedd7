#include "app/cli/OffscreenApplication.h"

#include <cstdlib>
#include <iostream>

namespace doppler::cli {

namespace {
void printFaultsOnly(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::cerr << message.toStdString() << '\n';
    }
}
} // namespace

OffscreenApplication::OffscreenApplication() {
    if (QCoreApplication::instance() == nullptr) {
        setenv("QT_QPA_PLATFORM", "offscreen", 0);
        qInstallMessageHandler(printFaultsOnly);
        application_ = std::make_unique<QApplication>(argc_, argv_);
    }
}

} // namespace doppler::cli
