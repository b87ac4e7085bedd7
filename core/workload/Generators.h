#pragma once

#include <functional>
#include <memory>

#include "core/workload/ParameterReader.h"
#include "core/workload/TensorProgram.h"
#include "core/workload/Workload.h"

namespace doppler::workload {

/// One workload: its description, and how to make it. Exactly one of the two functions is set.
struct Generator {
    WorkloadInfo info;
    std::function<TensorProgram(const ParameterReader&)> program;
    std::function<std::shared_ptr<const graph::Graph>(const ParameterReader&)> graph;
};

Generator chainMatmul();
Generator feedForward();
Generator llamaBlockWorkload();
Generator llamaLayerWorkload();
Generator mixtureOfExperts();
Generator inceptionV3();
Generator rnnLanguageModel();
Generator neuralTranslation();
Generator randomGraph();

} // namespace doppler::workload
