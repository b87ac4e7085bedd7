#pragma once

#include <array>
#include <string>
#include <utility>

#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::io {

inline constexpr const char* kGraphJsonFormat = "doppler-graph/1";

/// The words that files use for the unit of their costs.
inline constexpr std::array kCostUnits{
    std::pair{graph::FileCostUnit::Units, "units"},
    std::pair{graph::FileCostUnit::Nanoseconds, "ns"},
    std::pair{graph::FileCostUnit::NanosecondsAndBytes, "ns and bytes"},
};

/// A graph object inside a larger document (a session), or a whole one. See parseGraphJson.
ReadGraph readGraphJson(const JsonField& root, const std::string& where);

} // namespace doppler::io
