#pragma once

#include <QApplication>
#include <memory>

namespace doppler::cli {

/// What drawing without a display needs: a QApplication on Qt's offscreen platform (whoever wants
/// another one says so in QT_QPA_PLATFORM), and Qt's warnings about missing desktops kept quiet.
class OffscreenApplication {
public:
    OffscreenApplication();

private:
    int argc_ = 1;
    char name_[8] = "doppler";
    char* argv_[2] = {name_, nullptr};
    std::unique_ptr<QApplication> application_; // null where there is one already
};

} // namespace doppler::cli
