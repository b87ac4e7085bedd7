#!/usr/bin/env bash
# Installs what is missing, builds, and starts the workbench on a sample problem. Without a display
# it does the same job offscreen and leaves pictures and a table under out/.
#
# usage: bash packaging/run.sh [WORKBENCH_ARGUMENT...]     e.g. a file to open
set -u
cd "$(dirname "$0")/.." || exit 1

bash packaging/build.sh doppler doppler-workbench || exit 1
bin=build/release/app

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    [ $# -gt 0 ] || set -- --sample chainmm
    printf 'run: starting the workbench\n'
    exec "$bin/doppler-workbench" "$@"
fi

export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"
out=out
graph=chainmm cluster=p100x4
problem=("$graph" --cluster "$cluster" --costs physical)
mkdir -p "$out"
printf 'run: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open.\n'
printf 'run: doing the same job offscreen: open %s on %s, place, simulate, render\n' "$graph" "$cluster"

step() {
    "$@" || {
        printf 'run: failed: %s\n' "$*" >&2
        exit 1
    }
}
step "$bin/doppler" compare "${problem[@]}" --budget 2s -o "$out/placements.md"
step "$bin/doppler" place "${problem[@]}" --placer anneal --budget 2s -o "$out/best.assignment.json"
step "$bin/doppler" render "${problem[@]}" --assignment "$out/best.assignment.json" --view graph -o "$out/graph.png"
step "$bin/doppler" render "${problem[@]}" --assignment "$out/best.assignment.json" --view gantt -o "$out/gantt.png"
[ $# -gt 0 ] || set -- --sample chainmm
step "$bin/doppler-workbench" --screenshot "$out/window.png" "$@"

printf 'run: done. Left in %s/:\n' "$out"
printf '  %-22s %s\n' \
    window.png 'the window with the sample problem' \
    graph.png 'the graph, coloured by device' \
    gantt.png 'the simulated run' \
    placements.md 'all methods in a table' \
    best.assignment.json 'the best placement found'
