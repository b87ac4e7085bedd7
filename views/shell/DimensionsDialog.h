#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "core/io/GraphDimensions.h"

class QSpinBox;

namespace doppler::views {

struct DimensionQuestion;

/// Asks for the sizes of the dimensions that a model leaves open: those of the source, else those
/// last given to dimensions of these names, else 1.
class DimensionsDialog : public QDialog {
    Q_OBJECT

public:
    explicit DimensionsDialog(const DimensionQuestion& question, QWidget* parent = nullptr);

    io::GraphDimensions sizes() const;
    /// Keeps the sizes for the next model.
    void remember() const;

private:
    std::map<std::string, QSpinBox*> boxes_;
};

} // namespace doppler::views
