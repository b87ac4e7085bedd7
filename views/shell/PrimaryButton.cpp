#include "views/shell/PrimaryButton.h"

#include <QPushButton>
#include <QStyle>

namespace doppler::views {

void makePrimary(QPushButton* button) {
    button->setDefault(true);
    button->setProperty("primary", true);
    // A button box may have styled it already.
    button->style()->unpolish(button);
    button->style()->polish(button);
}

} // namespace doppler::views
