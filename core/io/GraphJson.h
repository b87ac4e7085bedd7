#pragma once

#include <string>

#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::io {

inline constexpr const char* kGraphJsonFormat = "doppler-graph/1";

/// A graph object inside a larger document (a session), or a whole one. See parseGraphJson.
ReadGraph readGraphJson(const JsonField& root, const std::string& where);

} // namespace doppler::io
