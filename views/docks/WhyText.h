#pragma once

#include <QString>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// Why an op started when it did, in words, built from the causes of a timeline. Rich text whose
/// links read "op:16".
QString whyHtml(const sim::Problem& problem, const sim::Timeline& timeline, OpId op,
                const Theme& theme);

/// The heading above it: "Why did it start at 132.6 ms?".
QString whyTitle(const sim::Problem& problem, const sim::Timeline& timeline, OpId op);

/// Interval indices of the chain of causes that leads to `op`'s execution, oldest first, at most
/// `before` steps back, the op's own execution last.
std::vector<std::int32_t> causeChain(const sim::Timeline& timeline, OpId op, int before);

} // namespace doppler::views
