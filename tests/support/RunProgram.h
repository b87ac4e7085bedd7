#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

class QProcess;

namespace doppler::tests {

/// What a program left when it ended.
struct ProgramRun {
    int exitCode = -1; ///< -1: it did not start, crashed or hung
    QByteArray out;
    QByteArray err;
};

/// Runs a program of the build ("doppler", "doppler-workbench") to its end.
ProgramRun runProgram(const QString& name, const QStringList& arguments);

/// The same where no file may become larger than 4 KiB.
ProgramRun runWithSmallFiles(const QString& name, const QStringList& arguments);

/// Waits until a `doppler` that was started catches Ctrl-C itself; false if it never does.
bool catchesSignals(QProcess& process);

/// `doppler` with these arguments.
ProgramRun runDoppler(const QStringList& arguments);

/// The words of a command line without quotes.
QStringList words(const QString& line);

/// The whole file, or nothing if it cannot be read.
QByteArray contents(const QString& path);

} // namespace doppler::tests
