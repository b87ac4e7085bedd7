#pragma once

#include <string_view>

#include "core/graph/OpKind.h"

namespace doppler::io {

/// What an operator of a public framework does, by its name in any of their spellings ("Conv",
/// "aten::conv2d", "MaxPool", "max_pool2d"): letter case, name spaces and trailing "_" do not
/// matter. Other for names that are not known.
graph::OpKind kindOfOperator(std::string_view name);

} // namespace doppler::io
