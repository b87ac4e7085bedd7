#pragma once

#include <string>
#include <string_view>

#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/sim/SimOptions.h"

namespace doppler::io {

/// Options of the simulator as a JSON object, in the words of core/sim/SimOptionNames.h: mode,
/// contention, sharing, choice, durationVariation, memory, cores, seed. What is absent keeps its
/// default.
sim::SimOptions readSimOptions(const JsonField& field);
OrderedJson simOptionsJson(const sim::SimOptions& options);

/// The same as a file of its own, as "--sim FILE" takes it; it may say "format": "doppler-sim/1".
sim::SimOptions parseSimOptions(std::string_view text, const std::string& where);

} // namespace doppler::io
