#include "core/engine/CopyProgram.h"

#include <algorithm>

#include "core/workload/ProgramWriter.h"

namespace doppler::engine {

using workload::TensorId;
using workload::TensorOp;

std::shared_ptr<const workload::SplitProgram> copyProgram(std::int64_t largestBytes) {
    constexpr std::int64_t kSmallest = 1024;
    constexpr std::int64_t kStep = 4;
    constexpr int kOfEachSize = 2;
    constexpr std::int64_t kColumns = 64;
    constexpr std::int64_t kRowBytes = kColumns * 4;
    workload::ProgramWriter writer("copies");
    writer.setAlwaysForm(false);
    for (std::int64_t bytes = kSmallest; bytes <= std::max(largestBytes, kSmallest);
         bytes *= kStep) {
        const std::string size = std::to_string(bytes) + " B";
        const TensorId column = writer.data("column of " + size, {bytes / kRowBytes});
        const TensorId row = writer.data("row of " + size, {kColumns});
        for (int i = 0; i < kOfEachSize; ++i) {
            // An outer product: a large value from small inputs.
            const TensorId value =
                writer.apply(TensorOp::Multiply, "value of " + size, "a,b->ab", {column, row});
            writer.result(
                writer.apply(TensorOp::ReduceMax, "consumer of " + size, "ab->a", {value}));
        }
    }
    return workload::split(writer.take());
}

} // namespace doppler::engine
