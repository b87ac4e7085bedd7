// Takes the place of CudaGpuDevices.cpp in a build without CUDA.
#include "core/engine/GpuDevices.h"

namespace doppler::engine {

GpuDevices findGpus() {
    GpuDevices devices;
    devices.message = "this program was built without CUDA";
    return devices;
}

} // namespace doppler::engine
