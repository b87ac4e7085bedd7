#include "tests/support/RunProgram.h"

#include <QProcess>

namespace doppler::tests {

namespace {
constexpr int kTimeoutMs = 120'000; // far beyond any run, even with sanitizers
}

ProgramRun runProgram(const QString& name, const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/") + name, arguments);
    process.closeWriteChannel();
    ProgramRun run;
    if (process.waitForFinished(kTimeoutMs) && process.exitStatus() == QProcess::NormalExit) {
        run.exitCode = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

ProgramRun runDoppler(const QStringList& arguments) {
    return runProgram(QStringLiteral("doppler"), arguments);
}

} // namespace doppler::tests
