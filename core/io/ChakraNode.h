#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::io {

/// One node of an MLCommons Chakra execution trace, whichever way the file writes it.
struct ChakraNode {
    /// NodeType of the schema (et_def.proto).
    enum Type : std::int64_t { Invalid, Metadata, Load, Store, Compute, Send, Receive, Collective };

    std::uint64_t id = 0;
    std::string name;
    std::int64_t type = Invalid;
    std::vector<std::uint64_t> dataDependencies;
    std::vector<std::uint64_t> controlDependencies;
    double microseconds = 0; ///< 0: no duration stated (protobuf cannot tell these apart)
    std::int64_t communicationBytes = -1;
    std::int64_t collective = -1; ///< CollectiveCommType
    std::string outputValues;     ///< "[[430, 431, 0, 53120, 4, 'cuda:0']]"
    std::string outputShapes;     ///< "[[53120]]"
    std::string outputTypes;      ///< "['Tensor(float)']"
};

/// A graph of the nodes. Data dependencies are its edges and carry the producer's outputs. Control
/// dependencies say which call made which: they may run against the data, so they are named in the
/// details and counted, but do not order. Communication without a duration is priced by its bytes.
ReadGraph buildChakraGraph(const std::vector<ChakraNode>& nodes, const std::string& where,
                           std::string format);

} // namespace doppler::io
