#pragma once

#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/learn/TrainOptions.h"

namespace doppler::learn {

/// All options of a training, for run.json and checkpoints.
io::OrderedJson toJson(const TrainOptions& options);

/// Throws InputError for what is no such object.
TrainOptions trainOptionsFromJson(const io::JsonField& json);

} // namespace doppler::learn
