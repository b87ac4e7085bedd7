#pragma once

#include <QString>
#include <optional>

#include "core/io/GraphDimensions.h"

class QWidget;

namespace doppler::views {

struct DimensionQuestion;

/// The questions that only a person can answer. Tests answer them without a dialog.
class Prompts {
public:
    enum class SaveAnswer { Save, Discard, Cancel };

    virtual ~Prompts() = default;
    virtual SaveAnswer askToSave(const QString& name) = 0;
    /// A file that exists; empty: cancelled.
    virtual QString openPath(const QString& title, const QString& filter) = 0;
    /// A file to write; empty: cancelled. The ending of `suggestion` is added where none is given.
    virtual QString savePath(const QString& title, const QString& filter,
                             const QString& suggestion) = 0;
    /// A size for every dimension; nothing: cancelled.
    virtual std::optional<io::GraphDimensions> dimensions(const DimensionQuestion& question) = 0;
};

/// Asks with dialogs over `window`; remembers the folder of the last answer.
class DialogPrompts : public Prompts {
public:
    explicit DialogPrompts(QWidget* window) : window_(window) {}

    SaveAnswer askToSave(const QString& name) override;
    QString openPath(const QString& title, const QString& filter) override;
    QString savePath(const QString& title, const QString& filter,
                     const QString& suggestion) override;
    std::optional<io::GraphDimensions> dimensions(const DimensionQuestion& question) override;

private:
    QWidget* window_;
};

} // namespace doppler::views
