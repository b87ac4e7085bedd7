#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/io/GraphDimensions.h"
#include "core/io/TraceTimeline.h"

namespace doppler::io {

struct JsonDocument;

/// Watches a long read, and may end it.
class ReadMonitor {
public:
    virtual ~ReadMonitor() = default;
    /// Called now and then with the share of the work that is done, 0 to 1, as far as it is known.
    /// What it throws ends the read and comes out of it.
    virtual void progress(double share) const = 0;
};

/// The functions of these names, watched; a null monitor is none.
std::string readFile(const std::filesystem::path& path, const ReadMonitor* monitor);
JsonDocument parseJson(std::string_view text, const std::string& where, const ReadMonitor* monitor);
ReadGraph parseGraph(std::string_view text, const std::string& where,
                     const GraphDimensions& dimensions, const ReadMonitor* monitor);
GraphOrTrace parseGraphOrTrace(std::string_view text, const std::string& where,
                               const GraphDimensions& dimensions, const ReadMonitor* monitor);

} // namespace doppler::io
