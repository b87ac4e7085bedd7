#pragma once

#include <stop_token>

#include "core/sim/PathBounds.h"

namespace doppler::sim {

/// Heads and tails that know that a value reaches another device only after its transfer.
///
/// e(v), the least start of v, in topological order: suppose v could start at t. An edge (u, x) on
/// a way to v is *forced* onto one device if e(u) + p(u) + transfer + (longest way from x to v) >
/// t. The ops that v reaches backwards over forced edges share its device, so the one-machine bound
/// of that set (heads e, tails = longest way to v) must not exceed t. The least t that passes is
/// e(v). Tails are the same on the reversed graph.
///
/// Holds for any devices and pins: transfers and ways count their least times; a set that must
/// share a device counts its times on the kind of device that suits it best. Contention, processors
/// and barriers only delay, so it holds for them too. It gains nothing from contention: which
/// values queue for one link is the choice of the placement, which may keep any two of them apart
/// or put both ends of one on a device, so that only pins at both ends would make a link's load
/// certain. `paths` gives values to start from and is improved in place (in part, if stopped). A
/// device with several slots counts as one machine that many times as fast.
void improveByTransfers(const Problem& problem, const LeastCosts& least, HeadsAndTails& paths,
                        const std::stop_token& stop = {});

/// False where improveByTransfers() would take seconds.
bool transfersAffordable(const Problem& problem);

} // namespace doppler::sim
