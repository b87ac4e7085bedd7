#include "app/cli/RuntimeOptions.h"

#include "app/cli/Commands.h"
#include "core/engine/Runtimes.h"

namespace doppler::cli {

std::vector<std::string> runtimeNames() {
    std::vector<std::string> names;
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

void addRuntimeOption(CLI::App& command, std::string& runtime) {
    command.add_option("--runtime", runtime, "What executes")
        ->check(CLI::IsMember(runtimeNames()))
        ->option_text(joined(runtimeNames(), "|") + "=" + runtime);
}

} // namespace doppler::cli
