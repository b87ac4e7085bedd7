#pragma once

class QPushButton;

namespace doppler::views {

/// Makes a button the one that Return presses, and shows it in the accent colour.
void makePrimary(QPushButton* button);

/// Takes that back.
void makeOrdinary(QPushButton* button);

} // namespace doppler::views
