#include "tests/support/FuzzTargets.h"

// One program a reader; the build sets the name of the function.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return doppler::tests::DOPPLER_FUZZ_FUNCTION(data, size);
}
