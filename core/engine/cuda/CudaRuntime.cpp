#include "core/engine/cuda/CudaRuntime.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "core/engine/GpuDevices.h"
#include "core/engine/cuda/CudaError.h"
#include "core/engine/cuda/CudaKernels.h"
#include "core/engine/cuda/GpuTransfers.h"

namespace doppler::engine {

namespace {

using namespace cuda;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

Time hostNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Where one logical device lives, and what it works with.
struct Lanes {
    int gpu = 0;
    std::vector<ComputeLane> compute; ///< by slot
    cudaStream_t memory = nullptr;    ///< allocates and frees
    cudaEvent_t allocated = nullptr;  ///< its last allocation
    cudaEvent_t base = nullptr;       ///< happened at host time baseTime
    Time baseTime = 0;
};

struct PairLane {
    cudaStream_t from = nullptr;
    cudaStream_t to = nullptr;
};

/// One task at the GPU. Its events are used again and again.
struct InFlight {
    Completion completion;
    int device = 0;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    Time launched = 0;
    Time told = 0; ///< when the callback came
    cudaError_t status = cudaSuccess;
    class CudaRuntime* runtime = nullptr;
};

class CudaRuntime : public Runtime {
public:
    explicit CudaRuntime(const RuntimeRequest& request, int gpus)
        : kernels_(request.program, request.seed), transfers_(makeGpuTransfers(request.transfer)) {
        info_.name = "cuda";
        const int devices = request.cluster->deviceCount();
        if (devices > gpus) {
            info_.notes.push_back(std::to_string(devices) + " logical devices share " +
                                  std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs"));
        }
        for (DeviceId device = 0; device < devices; ++device) {
            lanes_.push_back(makeLanes(device % gpus, request.cluster->device(device).slots));
        }
        pairs_.resize(lanes_.size() * lanes_.size());
    }

    ~CudaRuntime() override {
        for (std::size_t device = 0; device < lanes_.size(); ++device) {
            cudaSetDevice(lanes_[device].gpu);
            cudaDeviceSynchronize();
            kernels_.freeInputs(static_cast<DeviceId>(device));
            for (const ComputeLane& lane : lanes_[device].compute) {
                kernels_.cublas().destroy(lane.cublas);
                cudaStreamDestroy(lane.stream);
            }
            cudaStreamDestroy(lanes_[device].memory);
            cudaEventDestroy(lanes_[device].allocated);
            cudaEventDestroy(lanes_[device].base);
        }
        for (const PairLane& pair : pairs_) {
            if (pair.to != nullptr) {
                cudaStreamDestroy(pair.from);
                cudaStreamDestroy(pair.to);
            }
        }
        for (const auto& task : tasks_) {
            cudaEventDestroy(task->begin);
            cudaEventDestroy(task->end);
        }
    }

    const RuntimeInfo& info() const override { return info_; }
    Time now() const override { return hostNow(); }

    void prepare(const sim::Problem& problem, const sim::Assignment& assignment) override {
        for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
            use(device);
            kernels_.makeInputs(device, assignment);
        }
        const graph::Graph& graph = *problem.graph;
        for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
            const DeviceId from = assignment[at(graph.source(edge))];
            const DeviceId to = assignment[at(graph.target(edge))];
            if (from != to && pairOf(from, to).to == nullptr) {
                use(from);
                check(cudaStreamCreateWithFlags(&pairOf(from, to).from, cudaStreamNonBlocking),
                      "stream");
                use(to);
                check(cudaStreamCreateWithFlags(&pairOf(from, to).to, cudaStreamNonBlocking),
                      "stream");
                transfers_->connect(lanes_[at(from)].gpu, lanes_[at(to)].gpu);
            }
        }
    }

    void begin(CompletionSink& sink) override {
        sink_ = &sink;
        for (std::size_t device = 0; device < lanes_.size(); ++device) {
            Lanes& lanes = lanes_[device];
            use(static_cast<DeviceId>(device));
            check(cudaDeviceSynchronize(), "device");
            check(cudaEventRecord(lanes.base, lanes.memory), "event");
            check(cudaEventSynchronize(lanes.base), "event");
            lanes.baseTime = hostNow();
        }
    }

    Buffer allocate(DeviceId device, std::int64_t bytes, BufferUse) override {
        use(device);
        Lanes& lanes = lanes_[at(device)];
        void* data = nullptr;
        const std::size_t size = at(std::max<std::int64_t>(bytes, 1));
        checkRoom(cudaMallocAsync(&data, size, lanes.memory), device, size, "a value");
        check(cudaEventRecord(lanes.allocated, lanes.memory), "event");
        return {.data = data, .bytes = bytes, .device = device};
    }

    // Whoever used it has told so: nothing is left to wait for.
    void release(const Buffer& buffer) override {
        use(buffer.device);
        cudaFreeAsync(buffer.data, lanes_[at(buffer.device)].memory);
    }

    void launch(const OpTask& task) override {
        use(task.device);
        Lanes& lanes = lanes_[at(task.device)];
        const ComputeLane& lane = lanes.compute[at(task.slot)];
        InFlight& flight = take(task.device, {.id = task.op});
        try {
            check(cudaStreamWaitEvent(lane.stream, lanes.allocated, 0), "event");
            check(cudaEventRecord(flight.begin, lane.stream), "event");
            kernels_.enqueue(task, lane);
        } catch (...) {
            idle_[lanes.gpu].push_back(&flight); // nobody will tell of its end
            throw;
        }
        finish(flight, lane.stream);
    }

    void copy(const CopyTask& task) override {
        const DeviceId from = task.source.device;
        const DeviceId to = task.destination.device;
        const PairLane& pair = pairOf(from, to);
        use(to);
        InFlight& flight = take(to, {.isCopy = true, .id = task.copy});
        check(cudaStreamWaitEvent(pair.to, lanes_[at(to)].allocated, 0), "event");
        check(cudaEventRecord(flight.begin, pair.to), "event");
        transfers_->move(lanes_[at(from)].gpu, task.source.data, pair.from, lanes_[at(to)].gpu,
                         task.destination.data, pair.to,
                         at(std::min(task.source.bytes, task.destination.bytes)));
        use(to);
        finish(flight, pair.to);
    }

    std::vector<std::byte> read(const Buffer& buffer) override {
        use(buffer.device);
        std::vector<std::byte> bytes(at(buffer.bytes));
        check(cudaMemcpy(bytes.data(), buffer.data, bytes.size(), cudaMemcpyDeviceToHost),
              "result");
        return bytes;
    }

    // Callbacks must not call CUDA: this thread does, for all of them.
    void serve(const std::function<bool()>& ended) override {
        std::unique_lock lock(mutex_);
        while (true) {
            told_.wait(lock, [&] { return !done_.empty() || ended(); });
            if (done_.empty()) {
                return;
            }
            InFlight* flight = done_.front();
            done_.pop_front();
            lock.unlock();
            sink_->post(completionOf(*flight));
            lock.lock();
        }
    }

    void wake() override {
        const std::lock_guard lock(mutex_);
        told_.notify_all();
    }

    void isDone(InFlight* flight, cudaError_t status) {
        const std::lock_guard lock(mutex_);
        flight->told = hostNow();
        flight->status = status;
        done_.push_back(flight);
        told_.notify_all();
    }

private:
    Lanes makeLanes(int gpu, int slots) const {
        Lanes lanes;
        lanes.gpu = gpu;
        check(cudaSetDevice(gpu), "device");
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, gpu), "memory pool");
        // Keeps what was used once: no allocation from the driver during a run.
        std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "memory pool");
        for (int slot = 0; slot < slots; ++slot) {
            ComputeLane lane;
            check(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking), "stream");
            lane.cublas = kernels_.cublas().create(lane.stream);
            lanes.compute.push_back(lane);
        }
        check(cudaStreamCreateWithFlags(&lanes.memory, cudaStreamNonBlocking), "stream");
        check(cudaEventCreateWithFlags(&lanes.allocated, cudaEventDisableTiming), "event");
        check(cudaEventCreate(&lanes.base), "event");
        return lanes;
    }

    void use(DeviceId device) const { check(cudaSetDevice(lanes_[at(device)].gpu), "device"); }

    PairLane& pairOf(DeviceId from, DeviceId to) {
        return pairs_[at(from) * lanes_.size() + at(to)];
    }

    /// Events belong to a GPU, so each keeps its own.
    InFlight& take(DeviceId device, Completion completion) {
        const int gpu = lanes_[at(device)].gpu;
        std::vector<InFlight*>& list = idle_[gpu];
        if (list.empty()) {
            tasks_.push_back(std::make_unique<InFlight>());
            InFlight* made = tasks_.back().get();
            made->runtime = this;
            check(cudaEventCreate(&made->begin), "event");
            check(cudaEventCreate(&made->end), "event");
            list.push_back(made);
        }
        InFlight* flight = list.back();
        list.pop_back();
        flight->completion = std::move(completion);
        flight->device = device;
        flight->launched = hostNow();
        return *flight;
    }

    // A stream callback, not a host function: these are not called once the device has failed.
    static void finish(InFlight& flight, cudaStream_t stream) {
        check(cudaEventRecord(flight.end, stream), "event");
        check(cudaStreamAddCallback(
                  stream,
                  [](cudaStream_t, cudaError_t status, void* data) {
                      auto* done = static_cast<InFlight*>(data);
                      done->runtime->isDone(done, status);
                  },
                  &flight, 0),
              "callback");
    }

    // The GPU's clock knows when; the host's knows what came before what. Clamped between launch
    // and callback the two agree.
    Completion completionOf(InFlight& flight) {
        const Lanes& lanes = lanes_[at(flight.device)];
        const auto since = [&](cudaEvent_t event) {
            constexpr double kNsPerMs = 1e6;
            float ms = 0;
            const cudaError_t status = cudaEventElapsedTime(&ms, lanes.base, event);
            flight.status = flight.status == cudaSuccess ? status : flight.status;
            return lanes.baseTime + static_cast<Time>(static_cast<double>(ms) * kNsPerMs);
        };
        Completion completion = std::move(flight.completion);
        completion.start = std::clamp(since(flight.begin), flight.launched, flight.told);
        completion.end = std::clamp(since(flight.end), completion.start, flight.told);
        if (flight.status != cudaSuccess) {
            completion.error = cudaGetErrorString(flight.status);
        }
        idle_[lanes.gpu].push_back(&flight);
        return completion;
    }

    RuntimeInfo info_;
    CudaKernels kernels_;
    std::unique_ptr<GpuTransfers> transfers_;
    std::vector<Lanes> lanes_;    // by device
    std::vector<PairLane> pairs_; // by directed pair; without streams until needed
    std::vector<std::unique_ptr<InFlight>> tasks_;
    std::map<int, std::vector<InFlight*>> idle_; // by GPU
    CompletionSink* sink_ = nullptr;
    std::mutex mutex_;
    std::condition_variable told_;
    std::deque<InFlight*> done_; // guarded
};

} // namespace

std::unique_ptr<Runtime> makeCudaRuntime(const RuntimeRequest& request) {
    const GpuDevices found = findGpus();
    if (found.gpus.empty()) {
        throw std::runtime_error("no CUDA device: " + found.message +
                                 "; the cpu runtime needs none (--runtime cpu)");
    }
    return std::make_unique<CudaRuntime>(request, static_cast<int>(found.gpus.size()));
}

} // namespace doppler::engine
