#include "views/shell/Prompts.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>

#include "views/shell/DimensionsDialog.h"

namespace doppler::views {

namespace {

QString folderKey() {
    return QStringLiteral("files/folder");
}

QString lastFolder() {
    return QSettings().value(folderKey(), QDir::homePath()).toString();
}

void rememberFolder(const QString& path) {
    if (!path.isEmpty()) {
        QSettings().setValue(folderKey(), QFileInfo(path).absolutePath());
    }
}

} // namespace

Prompts::SaveAnswer DialogPrompts::askToSave(const QString& name) {
    QMessageBox box(QMessageBox::NoIcon, QObject::tr("Unsaved changes"),
                    QObject::tr("Save the changes to “%1”?").arg(name), QMessageBox::NoButton,
                    window_);
    box.setInformativeText(QObject::tr("Edited placements are lost otherwise."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return SaveAnswer::Save;
    case QMessageBox::Discard:
        return SaveAnswer::Discard;
    default:
        return SaveAnswer::Cancel;
    }
}

QString DialogPrompts::openPath(const QString& title, const QString& filter) {
    const QString path = QFileDialog::getOpenFileName(window_, title, lastFolder(), filter);
    rememberFolder(path);
    return path;
}

QString DialogPrompts::savePath(const QString& title, const QString& filter,
                                const QString& suggestion) {
    const QString start = QDir(lastFolder()).filePath(suggestion);
    QFileDialog dialog(window_, title, start, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(suggestion);
    dialog.setDefaultSuffix(QFileInfo(suggestion).suffix());
    if (dialog.exec() != QDialog::Accepted) {
        return {};
    }
    const QString path = dialog.selectedFiles().value(0);
    rememberFolder(path);
    return path;
}

std::optional<io::GraphDimensions> DialogPrompts::dimensions(const DimensionQuestion& question) {
    DimensionsDialog dialog(question, window_);
    if (dialog.exec() != QDialog::Accepted) {
        return std::nullopt;
    }
    dialog.remember();
    return dialog.sizes();
}

} // namespace doppler::views
