#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/io/Formats.h"

namespace doppler::io {

/// Sizes for the named dimensions that a model leaves open: {"batch", 8}.
using GraphDimensions = std::map<std::string, std::int64_t>;

/// A file and the sizes to open it with.
struct GraphSource {
    std::filesystem::path path;
    GraphDimensions dimensions;
};

/// "model.onnx:batch=8,seq=128", in the way of a workload's parameters; the name of an existing
/// file is taken whole. Throws InputError for a size that is no number from 1.
GraphSource parseGraphSource(const std::string& text);

/// "batch=8,seq=128". Throws InputError, also for a size of 0: nothing would be left to compute.
GraphDimensions parseDimensions(const std::string& text);

/// The inverse: "model.onnx:batch=8,seq=128", or the path alone if there are no sizes.
std::string graphSourceText(const GraphSource& source);

/// As in Formats.h, with sizes for open dimensions; those not given are 1. Throws InputError also
/// for a name that the model does not have, and for sizes where the format has no dimensions.
ReadGraph readGraphFile(const std::filesystem::path& path, const GraphDimensions& dimensions);
ReadGraph parseGraph(std::string_view text, const std::string& where,
                     const GraphDimensions& dimensions);

/// Names of the dimensions that a model leaves open, in alphabetical order; none for other formats
/// and for files that cannot be read.
std::vector<std::string> openDimensions(std::string_view text);

/// A size that whoever opens a model has to choose.
struct OpenDimension {
    std::string name;
    std::vector<std::string> places; ///< "input_ids, dimension 1", in the order of the inputs
};

/// The open dimensions of a model's inputs, in the order in which they occur: those that a source
/// text can name. (The sizes of results follow from these.) None for other formats and for files
/// that cannot be read.
std::vector<OpenDimension> inputDimensions(std::string_view text);

} // namespace doppler::io
