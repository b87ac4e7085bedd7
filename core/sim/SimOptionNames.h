#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/sim/SimOptions.h"

namespace doppler::sim {

/// A value of an option with the word that files, the command line and the window use for it.
template <typename Value>
struct NamedOption {
    Value value;
    std::string_view name;
};

/// All values of each option, the default one first.
std::span<const NamedOption<LinkContention>> linkContentionNames();
std::span<const NamedOption<TransferSharing>> transferSharingNames();
std::span<const NamedOption<ReadyChoice>> readyChoiceNames();
std::span<const NamedOption<MemoryPolicy>> memoryPolicyNames();
std::span<const NamedOption<ExecutionMode>> executionModeNames();

/// "per-pair", "per-destination", "first-ready", "report", "wc", ...
std::string_view name(LinkContention value);
std::string_view name(TransferSharing value);
std::string_view name(ReadyChoice value);
std::string_view name(MemoryPolicy value);
std::string_view name(ExecutionMode value);

/// The value that `name` stands for; empty for any other text.
template <typename Value>
std::optional<Value> optionFromName(std::span<const NamedOption<Value>> options,
                                    std::string_view name) {
    for (const NamedOption<Value>& option : options) {
        if (option.name == name) {
            return option.value;
        }
    }
    return std::nullopt;
}

} // namespace doppler::sim
