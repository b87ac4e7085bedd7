#include "core/sim/SimOptionNames.h"

#include <array>

namespace doppler::sim {

namespace {

constexpr std::array<NamedOption<LinkContention>, 4> kContention = {{
    {LinkContention::PerPair, "per-pair"},
    {LinkContention::None, "none"},
    {LinkContention::PerPort, "per-port"},
    {LinkContention::SharedBus, "shared-bus"},
}};
constexpr std::array<NamedOption<TransferSharing>, 2> kSharing = {{
    {TransferSharing::PerDestination, "per-destination"},
    {TransferSharing::PerEdge, "per-edge"},
}};
constexpr std::array<NamedOption<ReadyChoice>, 4> kChoice = {{
    {ReadyChoice::FirstReady, "first-ready"},
    {ReadyChoice::CriticalPath, "critical-path"},
    {ReadyChoice::LastReady, "last-ready"},
    {ReadyChoice::Random, "random"},
}};
constexpr std::array<NamedOption<MemoryPolicy>, 2> kMemory = {{
    {MemoryPolicy::Report, "report"},
    {MemoryPolicy::Hold, "hold"},
}};
constexpr std::array<NamedOption<ExecutionMode>, 2> kMode = {{
    {ExecutionMode::WorkConserving, "wc"},
    {ExecutionMode::BulkSynchronous, "bsp"},
}};

template <typename Value>
std::string_view nameIn(std::span<const NamedOption<Value>> options, Value value) {
    for (const NamedOption<Value>& option : options) {
        if (option.value == value) {
            return option.name;
        }
    }
    return {};
}

} // namespace

std::span<const NamedOption<LinkContention>> linkContentionNames() {
    return kContention;
}
std::span<const NamedOption<TransferSharing>> transferSharingNames() {
    return kSharing;
}
std::span<const NamedOption<ReadyChoice>> readyChoiceNames() {
    return kChoice;
}
std::span<const NamedOption<MemoryPolicy>> memoryPolicyNames() {
    return kMemory;
}
std::span<const NamedOption<ExecutionMode>> executionModeNames() {
    return kMode;
}

std::string_view name(LinkContention value) {
    return nameIn(linkContentionNames(), value);
}
std::string_view name(TransferSharing value) {
    return nameIn(transferSharingNames(), value);
}
std::string_view name(ReadyChoice value) {
    return nameIn(readyChoiceNames(), value);
}
std::string_view name(MemoryPolicy value) {
    return nameIn(memoryPolicyNames(), value);
}
std::string_view name(ExecutionMode value) {
    return nameIn(executionModeNames(), value);
}

} // namespace doppler::sim
