#pragma once

#include "core/place/ListSchedule.h"

namespace doppler::place {

/// What must still follow each op if it runs on a given device and all ops after it choose theirs
/// at will, op-major (opCount x D), the op's own time left out: the optimistic cost table of PEFT.
/// Ops that are pinned choose only their device.
std::vector<double> optimisticCosts(const sim::Problem& problem);

/// Predict earliest finish time: the ready op of largest mean optimistic cost first, where its end
/// plus what follows is least, gaps used. (Arabnejad, Barbosa: "List scheduling algorithm for
/// heterogeneous systems by an optimistic cost table", 2014.)
ListSchedule peftSchedule(const sim::Problem& problem, MemoryCount memory = MemoryCount::Off);

} // namespace doppler::place
