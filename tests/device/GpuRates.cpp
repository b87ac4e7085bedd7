// What copies and matrix products reach through the executor, beside what cudaMemcpy and cuBLAS
// reach alone on the same machine. Built only with CUDA; see run.sh.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "core/engine/Measurement.h"
#include "core/engine/Runtimes.h"
#include "core/engine/cuda/CublasLibrary.h"
#include "core/engine/cuda/CudaError.h"

using namespace doppler;
using engine::cuda::check;

namespace {

constexpr int kRepeats = 20;
constexpr std::int64_t kSize = 8192;

double median(std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Seconds of what `work` enqueues on a stream.
template <class Work>
double secondsOf(cudaStream_t stream, Work work) {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    std::vector<double> samples;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        check(cudaEventRecord(begin, stream), "event");
        work();
        check(cudaEventRecord(end, stream), "event");
        check(cudaEventSynchronize(end), "event");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "event");
        samples.push_back(ms * 1e-3);
    }
    return median(samples);
}

struct Rates {
    double copy = 0;   ///< bytes/s
    double matmul = 0; ///< FLOP/s
};

/// One block of the matrix chain, as the executor sees it, without the executor.
Rates alone(std::int64_t bytes, int gpus, const engine::cuda::MatrixProduct& product) {
    cudaStream_t stream = nullptr;
    check(cudaSetDevice(0), "device");
    check(cudaStreamCreate(&stream), "stream");
    void* from = nullptr;
    check(cudaMalloc(&from, static_cast<std::size_t>(bytes)), "memory");
    check(cudaSetDevice(gpus > 1 ? 1 : 0), "device");
    void* to = nullptr;
    check(cudaMalloc(&to, static_cast<std::size_t>(bytes)), "memory");
    check(cudaSetDevice(0), "device");
    Rates rates;
    rates.copy = static_cast<double>(bytes) / secondsOf(stream, [&] {
                     check(cudaMemcpyPeerAsync(to, gpus > 1 ? 1 : 0, from, 0,
                                               static_cast<std::size_t>(bytes), stream),
                           "copy");
                 });
    const auto matrix = [](std::int64_t elements) {
        void* data = nullptr;
        check(cudaMalloc(&data, static_cast<std::size_t>(elements) * sizeof(float)), "memory");
        return data;
    };
    void* a = matrix(product.rows * product.inner);
    void* b = matrix(product.inner * product.columns);
    void* c = matrix(product.rows * product.columns);
    const engine::cuda::CublasLibrary cublas;
    cublasHandle_t handle = cublas.create(stream);
    const double flops = 2.0 * static_cast<double>(product.rows) *
                         static_cast<double>(product.inner) * static_cast<double>(product.columns);
    rates.matmul = flops / secondsOf(stream, [&] { cublas.multiply(handle, product, a, b, c); });
    return rates;
}

} // namespace

int main() {
    try {
        int gpus = 0;
        check(cudaGetDeviceCount(&gpus), "devices");
        const auto program = engine::executableProgram("chainmm:n=" + std::to_string(kSize));
        const graph::Graph& graph = *program->graph;
        const auto cluster = std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2));
        const auto runtime = engine::makeRuntime("cuda", {.cluster = cluster, .program = program});
        engine::Executor executor(
            sim::makeProblem(program->graph, cluster, cost::CostModel::Physical, {}), *runtime);
        engine::MeasurementRequest request;
        for (OpId op = 0; op < graph.opCount(); ++op) {
            request.assignment.push_back(op % 2);
        }
        request.repeats = kRepeats;
        const engine::Measurement measured = engine::measure(executor, request);
        if (!measured.done()) {
            throw std::runtime_error(measured.message);
        }
        std::vector<double> copies;
        std::vector<double> products;
        OpId matmul = kNoOp;
        std::int64_t bytes = 0;
        for (const sim::Interval& interval : measured.timeline.intervals) {
            const double seconds = static_cast<double>(interval.end - interval.start) * 1e-9;
            if (interval.isTransfer()) {
                bytes = graph.outputBytes(interval.op);
                copies.push_back(static_cast<double>(bytes) / seconds);
            } else if (graph.kind(interval.op) == graph::OpKind::Contraction) {
                matmul = interval.op;
                products.push_back(static_cast<double>(graph.flops(interval.op)) / seconds);
            }
        }
        const workload::Region& block = program->ofOp(matmul).join; // rows, columns, inner
        const Rates raw =
            alone(bytes, gpus,
                  {.rows = block[0].size(), .columns = block[1].size(), .inner = block[2].size()});
        std::printf("%-28s %14s %14s %8s\n", "", "executor", "alone", "share");
        std::printf("%-28s %14.1f %14.1f %7.0f%%\n", "copy, GB/s", median(copies) * 1e-9,
                    raw.copy * 1e-9, 100 * median(copies) / raw.copy);
        std::printf("%-28s %14.2f %14.2f %7.0f%%\n", "matrix product f32, TFLOP/s",
                    median(products) * 1e-12, raw.matmul * 1e-12,
                    100 * median(products) / raw.matmul);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "GpuRates: %s\n", error.what());
        return 1;
    }
}
