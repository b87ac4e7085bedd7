#!/usr/bin/env bash
# On a machine with one GPU or more: builds, runs every workload with --check on 1, 2 and 4 logical
# devices, measures copies and matrix products beside what cudaMemcpy and cuBLAS alone reach, and
# prints one table. Ends with 0 if everything agrees.
#
# usage: bash tests/device/run.sh [BUILD_FOLDER]
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:-build/device}

command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDOPPLER_CUDA=ON >/dev/null &&
    cmake --build "$build" --target doppler GpuRates || exit 1
doppler=$build/app/doppler
"$doppler" info

# The first number of that name in the result.
field() { printf '%s' "$result" | tr ',' '\n' | sed -n "s/.*\"$1\": *\([-+.0-9e]*\).*/\1/p" | head -1; }

workloads=(chainmm ffnn llama-block llama-layer moe inception-v3 rnnlm nmt)
failed=0
printf '\n%-24s %8s %12s %12s %12s\n' workload devices 'mean ms' 'sd ms' 'rel. error'
for workload in "${workloads[@]}"; do
    for devices in 1 2 4; do
        result=$("$doppler" execute "$workload:size=tiny" --cluster "uniform:$devices" \
            --placer critical-path --runtime cuda --check --repeat 20 --json 2>/tmp/device-error.$$)
        status=$?
        if [ $status -ne 0 ]; then
            failed=1
            printf '%-24s %8d failed (%d): %s\n' "$workload" "$devices" $status \
                "$(head -1 /tmp/device-error.$$)"
            continue
        fi
        printf '%-24s %8d %12s %12s %12s\n' "$workload" "$devices" "$(field mean)" "$(field sd)" \
            "$(field relative_error)"
    done
done
rm -f /tmp/device-error.$$

printf '\n'
"$build/tests/GpuRates" || failed=1
exit $failed
