#pragma once

/// Tables for spreadsheets: comma-separated, a title line first, quoted where needed (RFC 4180,
/// with line feeds). Shapes are written "64x128"; what does not apply is an empty cell.

#include <string>

#include "core/io/TimelineSource.h"
#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::io {

/// `text` as one cell: in quotes if it holds a comma, a quote or a line break, or begins as a
/// formula does (= + - @) and is no number: spreadsheets that are told to take quoted cells as text
/// then do. What a reader of CSV gets is always `text`.
std::string csvCell(const std::string& text);

/// One row an op: op, name, kind, operator, group, shape, dtype, flops, output_bytes,
/// bytes_touched, estimated, compute, transfer (in the unit of the file's costs, which the titles
/// name: "compute_units" or "compute_ns").
std::string writeOpCsv(const graph::Graph& graph);

/// One row an interval, in the timeline's order: what ("op" or "transfer"), op, name, device, to,
/// slot, ready, start, end (the titles name the unit), cause; the runtime, if the source names one.
std::string writeIntervalCsv(const sim::Problem& problem, const sim::Timeline& timeline,
                             const TimelineSource& source = {});

} // namespace doppler::io
