#pragma once

#include <QDialog>
#include <vector>

namespace doppler::views {

class Appearance;
struct KeyLine;

/// Help > Keyboard: every key that works, by topic.
class KeysDialog : public QDialog {
    Q_OBJECT

public:
    KeysDialog(const std::vector<KeyLine>& lines, const Appearance& appearance,
               QWidget* parent = nullptr);
};

} // namespace doppler::views
