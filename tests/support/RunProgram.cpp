#include "tests/support/RunProgram.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

namespace doppler::tests {

namespace {
constexpr int kTimeoutMs = 120'000; // far beyond any run, even with sanitizers

QString pathOf(const QString& name) {
    return QStringLiteral(DOPPLER_BINARY_DIR "/app/") + name;
}

ProgramRun runToItsEnd(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    process.closeWriteChannel();
    ProgramRun run;
    if (process.waitForFinished(kTimeoutMs) && process.exitStatus() == QProcess::NormalExit) {
        run.exitCode = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

} // namespace

ProgramRun runProgram(const QString& name, const QStringList& arguments) {
    return runToItsEnd(pathOf(name), arguments);
}

ProgramRun runWithSmallFiles(const QString& name, const QStringList& arguments) {
    // The unit of POSIX is 512 bytes.
    return runToItsEnd(QStringLiteral("/bin/sh"),
                       QStringList{QStringLiteral("-c"),
                                   QStringLiteral("ulimit -f 8 && exec \"$0\" \"$@\""),
                                   pathOf(name)} +
                           arguments);
}

bool catchesSignals(QProcess& process) {
    if (!process.waitForStarted()) {
        return false;
    }
    // SIGINT is bit 1 of the mask of blocked signals. Bit 2, SIGQUIT, must not be set: before it is
    // the program, and where a library starts a thread, the process blocks everything for a moment.
    // Bit 0, SIGHUP, is set unless it is ignored.
    const QRegularExpression blocked(
        QStringLiteral("^Name:\\s+doppler\n.*SigBlk:\\s+[0-9a-f]*[23ab]\n"),
        QRegularExpression::DotMatchesEverythingOption);
    QElapsedTimer timer;
    for (timer.start(); timer.elapsed() < kTimeoutMs && process.state() == QProcess::Running;) {
        QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
        if (status.open(QIODevice::ReadOnly) &&
            blocked.match(QString::fromLatin1(status.readAll())).hasMatch()) {
            return true;
        }
        process.waitForFinished(5);
    }
    return false;
}

ProgramRun runDoppler(const QStringList& arguments) {
    return runProgram(QStringLiteral("doppler"), arguments);
}

QStringList words(const QString& line) {
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace doppler::tests
