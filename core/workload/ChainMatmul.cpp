#include "core/workload/Generators.h"
#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

namespace {

TensorProgram chainProgram(const ParameterReader& parameters) {
    const std::int64_t n = parameters.integer("n");
    ProgramWriter w("chainmm");
    w.setPublishedCosts(true);

    const TensorId a = w.data("A", {n, n}, {4, 2});
    const TensorId b = w.data("B", {n, n}, {2, 2});
    const TensorId c = w.data("C", {n, n}, {4, 2});
    const TensorId d = w.data("D", {n, n}, {2, 4});
    const TensorId e = w.data("E", {n, n}, {4, 2});
    const TensorId de = w.contraction("D E", "ac,cb->ab", {d, e}, {2, 2, 4});
    const TensorId cde = w.contraction("C (D E)", "ac,cb->ab", {c, de}, {4, 2, 2});
    const TensorId ab = w.contraction("A B", "ac,cb->ab", {a, b}, {4, 2, 2});
    w.result(w.apply(TensorOp::Add, "C (D E) + A B", "ab,ab->ab", {cde, ab}, {4, 2}));
    return w.take();
}

} // namespace

Generator chainMatmul() {
    return {.info = {.name = "chainmm",
                     .title = "Matrix chain",
                     .description = "(A B) + (C (D E)) on square matrices, in 16 blocks a product",
                     .source = "DOPPLER, arXiv 2505.23131",
                     .parameters = {integerParameter("n", "rows and columns of each matrix", 10000,
                                                     256, 4, 1'000'000),
                                    sizeParameter()}},
            .program = chainProgram};
}

} // namespace doppler::workload
