#include "views/shell/PrimaryButton.h"

#include <QPushButton>
#include <QStyle>

namespace doppler::views {

namespace {

void setPrimary(QPushButton* button, bool primary) {
    button->setDefault(primary);
    button->setProperty("primary", primary);
    // A button box may have styled it already.
    button->style()->unpolish(button);
    button->style()->polish(button);
}

} // namespace

void makePrimary(QPushButton* button) {
    setPrimary(button, true);
}

void makeOrdinary(QPushButton* button) {
    setPrimary(button, false);
}

} // namespace doppler::views
