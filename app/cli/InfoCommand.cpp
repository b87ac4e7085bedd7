#include <iostream>

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "core/cost/FormatQuantity.h"
#include "core/engine/SystemInfo.h"

namespace doppler::cli {

namespace {

constexpr int kGraphvizTimeoutMs = 5'000;

/// "2.42.2" as `dot -V` says it; empty if there is no Graphviz.
std::string graphvizVersion() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("dot"));
    if (program.isEmpty()) {
        return {};
    }
    QProcess dot;
    dot.setProcessChannelMode(QProcess::MergedChannels);
    dot.start(program, {QStringLiteral("-V")});
    dot.waitForFinished(kGraphvizTimeoutMs);
    const QRegularExpression version(QStringLiteral("version (\\S+)"));
    return version.match(QString::fromUtf8(dot.readAll())).captured(1).toStdString();
}

Json orNull(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json toJson(const engine::SystemInfo& info, const std::string& graphviz) {
    Json gpus = Json::array();
    for (const engine::Gpu& gpu : info.cuda.gpus) {
        gpus.push_back({{"name", gpu.name},
                        {"memory_bytes", gpu.memoryBytes},
                        {"compute_capability", std::to_string(gpu.computeMajor) + "." +
                                                   std::to_string(gpu.computeMinor)}});
    }
    return {{"version", info.version},
            {"qt", qVersion()},
            {"graphviz", orNull(graphviz)},
            {"libtorch", orNull(info.libTorch)},
            {"cuda",
             {{"toolkit", orNull(info.cuda.toolkit)},
              {"driver", orNull(info.cuda.driver)},
              {"devices", std::move(gpus)},
              {"message", orNull(info.cuda.message)}}},
            {"nccl", orNull(info.cuda.nccl)},
            {"processor", info.processor},
            {"processors", info.processors},
            {"memory_bytes", info.memoryBytes}};
}

void print(const engine::SystemInfo& info, const std::string& graphviz) {
    const auto line = [](const std::string& label, const std::string& value,
                         const std::string& without) {
        std::cout << label << std::string(12 - label.size(), ' ')
                  << (value.empty() ? without : value) << '\n';
    };
    line("doppler", info.version, "");
    line("Qt", qVersion(), "");
    line("Graphviz", graphviz, "not found: graphs cannot be laid out (install graphviz)");
    line("LibTorch", info.libTorch, "built without");
    line("CUDA", info.cuda.toolkit, "built without");
    if (!info.cuda.driver.empty()) {
        line("", "driver for CUDA " + info.cuda.driver, "");
    }
    line("NCCL", info.cuda.nccl, "built without");
    line("processors",
         std::to_string(info.processors) + (info.processor.empty() ? "" : " x " + info.processor),
         "");
    line("memory", cost::formatBytes(info.memoryBytes), "");
    if (info.cuda.gpus.empty()) {
        line("GPUs", "no CUDA device: " + info.cuda.message, "");
    }
    for (std::size_t i = 0; i < info.cuda.gpus.size(); ++i) {
        const engine::Gpu& gpu = info.cuda.gpus[i];
        line("GPU " + std::to_string(i),
             gpu.name + ", " + cost::formatBytes(gpu.memoryBytes) + ", compute capability " +
                 std::to_string(gpu.computeMajor) + "." + std::to_string(gpu.computeMinor),
             "");
    }
}

int show(bool json) {
    const engine::SystemInfo info = engine::systemInfo();
    const std::string graphviz = graphvizVersion();
    json ? printJson(toJson(info, graphviz)) : print(info, graphviz);
    return kDone;
}

} // namespace

void addInfoCommand(CLI::App& app, CommandRun& run) {
    const auto json = std::make_shared<bool>(false);
    CLI::App& command = addCommand(app, "info", "Versions, and what this machine has to run on",
                                   "doppler info --json");
    addJsonFlag(command, *json);
    command.callback([json, &run] { run = [json] { return show(*json); }; });
}

} // namespace doppler::cli
