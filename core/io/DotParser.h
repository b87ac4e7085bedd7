#pragma once

#include <string>
#include <string_view>

#include "core/io/AttributeGraph.h"

namespace doppler::io {

/// Parses a directed graph in the DOT language of Graphviz: comments, ports, sets of nodes,
/// defaults, quoted, continued and HTML texts. Clusters become groups. Throws InputError with line
/// and column.
AttributeGraph parseDot(std::string_view text, const std::string& where);

} // namespace doppler::io
