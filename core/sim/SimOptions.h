#pragma once

/// core/sim: what happens when a graph runs under an assignment: simulators, timelines, reports
/// and lower bounds. Uses core/graph, core/cluster, core/cost.

#include <cstdint>

namespace doppler::sim {

/// Who waits for whom when several transfers want the same link.
enum class LinkContention : std::uint8_t {
    None,      ///< transfers never wait
    PerPair,   ///< one transfer at a time per directed pair, first come first served
    PerPort,   ///< one outgoing and one incoming transfer at a time per device
    SharedBus, ///< one transfer at a time in the whole cluster
};

enum class TransferSharing : std::uint8_t {
    PerEdge,        ///< each edge moves its own copy
    PerDestination, ///< one copy per (value, destination device)
};

/// Which ready op a free device takes.
enum class ReadyChoice : std::uint8_t { FirstReady, CriticalPath, LastReady, Random };

enum class MemoryPolicy : std::uint8_t {
    Report, ///< report the peak, flag overflow
    Hold,   ///< an op waits until its output and operands fit
};

enum class ExecutionMode : std::uint8_t {
    WorkConserving,
    BulkSynchronous, ///< levels by longest hop depth, a barrier after each
};

/// Every choice of the simulator; each is independent of the others.
struct SimOptions {
    ExecutionMode mode = ExecutionMode::WorkConserving;
    LinkContention contention = LinkContention::PerPair;
    TransferSharing sharing = TransferSharing::PerDestination;
    ReadyChoice choice = ReadyChoice::FirstReady;
    /// Coefficient of variation of log-normal durations, drawn per op and per transfer; 0: fixed.
    double durationVariation = 0;
    MemoryPolicy memory = MemoryPolicy::Report;
    /// Processors that all devices and their transfers share; 0: each device has its own.
    int cores = 0;
    /// Seeds random choice and durations.
    std::uint64_t seed = 0;

    /// Reproduces the simulator published with the DOPPLER paper, ties included.
    static constexpr SimOptions published() {
        SimOptions options;
        options.contention = LinkContention::None;
        options.sharing = TransferSharing::PerEdge;
        return options;
    }

    bool operator==(const SimOptions&) const = default;
};

} // namespace doppler::sim
