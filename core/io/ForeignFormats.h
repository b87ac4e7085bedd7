#pragma once

/// Readers of graph formats that others defined, and how to tell each by its content. All throw
/// InputError; what they repair or assume stands in the report. parseGraph() chooses among them.

#include <string>
#include <string_view>

#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::io {

/// Standard Task Graph Set, standard, prototype and communication form.
bool looksLikeStg(std::string_view text);
ReadGraph parseStg(std::string_view text, const std::string& where);

/// SAGA task-graph JSON: "task_graph" of "tasks" and "dependencies". Costs are taken as
/// milliseconds, sizes as bytes.
bool looksLikeSaga(const JsonField& root);
ReadGraph readSaga(const JsonField& root, const std::string& where);

/// WfCommons WfFormat, flat (to 1.4) and nested (1.5): "workflow" with tasks, parents, files.
bool looksLikeWfFormat(const JsonField& root);
ReadGraph readWfFormat(const JsonField& root, const std::string& where);

/// DOT with cost attributes; see interpretAttributes().
bool looksLikeDot(std::string_view text);
ReadGraph parseDotGraph(std::string_view text, const std::string& where);

/// Pegasus DAX, version 2 and 3. Run times are seconds.
ReadGraph parseDax(std::string_view text, const std::string& where);

/// GraphML; see interpretAttributes().
ReadGraph parseGraphMl(std::string_view text, const std::string& where);

/// MLCommons Chakra execution traces, as protobuf records and as JSON: "workload_graph", or a list
/// of nodes. Durations are microseconds; see buildChakraGraph() for what becomes of dependencies.
bool looksLikeChakra(std::string_view bytes);
ReadGraph parseChakra(std::string_view bytes, const std::string& where);
bool looksLikeChakraJson(const JsonField& root);
ReadGraph readChakraJson(const JsonField& root, const std::string& where);
/// JSON objects that stand one after another, as Chakra's own converter writes nodes, as one array.
/// Empty if the text is anything else.
std::string joinedJsonObjects(std::string_view text);

/// The name of the outermost element of an XML text; empty for any other text.
std::string xmlRoot(std::string_view text);

} // namespace doppler::io
