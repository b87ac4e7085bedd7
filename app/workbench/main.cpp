#include <QApplication>
#include <QCommandLineParser>
#include <QTemporaryDir>
#include <QTextStream>

#include <optional>

#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"
#include "core/io/FileSizeSignal.h"
#include "core/place/Registry.h"
#include "views/icons/Icons.h"
#include "views/shell/MainWindow.h"
#include "views/shell/Snapshots.h"
#include "views/theme/Appearance.h"

namespace {

using namespace doppler;
using namespace doppler::views;

// As of the command line program.
constexpr int kWrongUsage = 2;
constexpr int kBadInput = 3;
constexpr int kFailed = 4;

int fail(int code, const QString& message) {
    QTextStream(stderr) << message << '\n';
    return code;
}

void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QStringLiteral("Place the operations of a dataflow graph on devices, and see when it "
                       "finishes, why, and how far from the best possible."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("source"),
                                 QStringLiteral("Graph, session, or workload such as chainmm or "
                                                "llama-layer:devices=8."),
                                 QStringLiteral("[source]"));
    parser.addOption({QStringLiteral("cluster"),
                      QStringLiteral("Preset (p100x4, uniform:4, ...) or file."),
                      QStringLiteral("cluster")});
    parser.addOption({QStringLiteral("costs"), QStringLiteral("published, physical or profiled."),
                      QStringLiteral("model")});
    parser.addOption(
        {QStringLiteral("sim"), QStringLiteral("published or default."), QStringLiteral("preset")});
    parser.addOption({QStringLiteral("placers"),
                      QStringLiteral("Methods that place the graph when it opens, separated by "
                                     "commas."),
                      QStringLiteral("a,b")});
    parser.addOption({QStringLiteral("dark"), QStringLiteral("Dark theme, this time.")});
    parser.addOption({QStringLiteral("light"), QStringLiteral("Light theme, this time.")});
    parser.addOption({QStringLiteral("snapshots"),
                      QStringLiteral("Open, place, simulate and render without anyone watching, "
                                     "and write pictures and a table to this folder."),
                      QStringLiteral("folder")});
}

/// Throws InputError for a word that means nothing.
OpenRequest requestFrom(const QCommandLineParser& parser) {
    OpenRequest request;
    request.source = parser.positionalArguments().value(0);
    request.cluster = parser.value(QStringLiteral("cluster"));
    const std::string costs = parser.value(QStringLiteral("costs")).toStdString();
    for (const cost::CostModel model :
         {cost::CostModel::Published, cost::CostModel::Physical, cost::CostModel::Profiled}) {
        if (cost::name(model) == costs) {
            request.costs = model;
        }
    }
    if (!costs.empty() && !request.costs) {
        throw InputError("--costs", "\"" + costs + "\"", "published, physical or profiled");
    }
    const std::string simulation = parser.value(QStringLiteral("sim")).toStdString();
    if (simulation == "published" || simulation == "default") {
        request.options =
            simulation == "published" ? sim::SimOptions::published() : sim::SimOptions();
    } else if (!simulation.empty()) {
        throw InputError("--sim", "\"" + simulation + "\"", "published or default");
    }
    return request;
}

QStringList methodsFrom(const QCommandLineParser& parser) {
    const QStringList methods =
        parser.value(QStringLiteral("placers")).split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString& method : methods) {
        place::makePlacer(method.toStdString(), "--placers");
    }
    return methods;
}

int takeSnapshots(MainWindow& window, Appearance& appearance, OpenRequest request,
                  const QString& folder) {
    if (request.source.isEmpty()) {
        request.source = QStringLiteral("chainmm");
    }
    const SnapshotResult result = writeSnapshots(window, appearance, request, folder);
    for (const QString& file : result.files) {
        QTextStream(stdout) << file << '\n';
    }
    return result.error.isEmpty() ? 0 : fail(result.badInput ? kBadInput : kFailed, result.error);
}

/// Some uses need no display: they run on Qt's offscreen platform where there is none.
bool needsDisplay(int argc, char** argv) {
    const QStringList offscreen{QStringLiteral("-h"),         QStringLiteral("--help"),
                                QStringLiteral("--help-all"), QStringLiteral("-v"),
                                QStringLiteral("--version"),  QStringLiteral("--snapshots")};
    for (int i = 1; i < argc; ++i) {
        const QString argument = QString::fromLocal8Bit(argv[i]).section(QLatin1Char('='), 0, 0);
        if (offscreen.contains(argument)) {
            return false;
        }
    }
    return true;
}

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

} // namespace

int main(int argc, char** argv) {
    io::ignoreFileSizeSignal();
    if (!hasDisplay()) {
        if (needsDisplay(argc, argv)) {
            return fail(kFailed, QStringLiteral(
                                     "doppler-workbench: there is no display (neither DISPLAY nor "
                                     "WAYLAND_DISPLAY is set). --snapshots FOLDER works without "
                                     "one, and so does the program doppler."));
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("doppler"));
    QApplication::setApplicationName(QStringLiteral("doppler-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Doppler Workbench"));
    QApplication::setDesktopFileName(QStringLiteral("doppler-workbench"));
    QApplication::setApplicationVersion(QString::fromStdString(engine::programVersion()));
    QApplication::setWindowIcon(applicationIcon());

    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    OpenRequest request;
    MainWindowOptions options;
    try {
        request = requestFrom(parser);
        options.firstMethods = methodsFrom(parser);
    } catch (const InputError& error) {
        return fail(kWrongUsage, QString::fromUtf8(error.what()));
    }

    // Unwatched runs leave the user's own experiments alone.
    std::optional<QTemporaryDir> passing;
    if (parser.isSet(QStringLiteral("snapshots"))) {
        options.experimentsFolder = passing.emplace().path();
    }
    Appearance appearance;
    MainWindow window(appearance, std::move(options));
    if (parser.isSet(QStringLiteral("dark"))) {
        window.themeChoice().setMode(ThemeChoice::Mode::Dark, false);
    } else if (parser.isSet(QStringLiteral("light"))) {
        window.themeChoice().setMode(ThemeChoice::Mode::Light, false);
    }
    if (parser.isSet(QStringLiteral("snapshots"))) {
        return takeSnapshots(window, appearance, request,
                             parser.value(QStringLiteral("snapshots")));
    }
    window.show();
    window.offerRecovery(request.source.isEmpty());
    if (!request.source.isEmpty()) {
        request.asksDimensions = true;
        window.documents().open(request);
    }
    return QApplication::exec();
}
