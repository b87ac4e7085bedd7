#include "views/shell/AboutText.h"

#include <QCoreApplication>

#include "core/engine/SystemInfo.h"
#include "views/format/Format.h"

namespace doppler::views {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("About", text);
}

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:16px'>%1</td><td>%2</td></tr>")
        .arg(name, value.toHtmlEscaped());
}

QString cudaText(const engine::SystemInfo& info) {
    if (!info.cuda.gpus.empty()) {
        return countOf(static_cast<std::int64_t>(info.cuda.gpus.size()), QStringLiteral("GPU")) +
               QStringLiteral(", ") + QString::fromStdString(info.cuda.gpus.front().name);
    }
    return info.cuda.message.empty() ? tr("no device") : QString::fromStdString(info.cuda.message);
}

} // namespace

QString aboutText() {
    const engine::SystemInfo info = engine::systemInfo();
    const QString libTorch =
        info.libTorch.empty() ? tr("without") : QString::fromStdString(info.libTorch);
    return QStringLiteral("<h3>Doppler Workbench %1</h3><p>%2</p><table>%3</table><p>%4</p>")
        .arg(QString::fromStdString(info.version),
             tr("Decide which device runs each operation of a dataflow graph, and see when it "
                "finishes, why, and how far from the best possible."),
             row(tr("Qt"), QString::fromLatin1(qVersion())) + row(tr("LibTorch"), libTorch) +
                 row(tr("CUDA"), cudaText(info)) +
                 row(tr("Processor"), QString::fromStdString(info.processor)),
             tr("Implements the system of “DOPPLER: Dual-Policy Learning for Device Assignment in "
                "Asynchronous Dataflow Graphs” (arXiv 2505.23131).<br>Free software under the GNU "
                "General Public License, version 3 or later."));
}

QString machineText() {
    const engine::SystemInfo info = engine::systemInfo();
    const QString processors = countOf(info.processors, tr("CPU core"));
    const QString gpus =
        info.cuda.gpus.empty()
            ? tr("no CUDA device")
            : countOf(static_cast<std::int64_t>(info.cuda.gpus.size()), tr("CUDA device")) +
                  QStringLiteral(" (%1)").arg(QString::fromStdString(info.cuda.gpus.front().name));
    return tr("%1, %2. Placing and simulating work fully without a GPU.").arg(processors, gpus);
}

} // namespace doppler::views
