#!/usr/bin/env bash
# Installs what is missing, builds, and starts the workbench on a sample problem. Without a display
# it does the same job offscreen and leaves pictures and a table under out/.
#
# usage: bash packaging/run.sh [WORKBENCH_ARGUMENT...]     e.g. a file to open
set -u
cd "$(dirname "$0")/.." || exit 1

bash packaging/build.sh doppler-workbench || exit 1
bin=build/release/app

[ $# -gt 0 ] || set -- chainmm --cluster p100x4 --costs physical

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    printf 'run: starting the workbench\n'
    exec "$bin/doppler-workbench" "$@"
fi

export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"
out=out
printf 'run: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open.\n'
printf 'run: doing the same job offscreen: open, place, simulate, render: %s\n' "$*"
"$bin/doppler-workbench" --snapshots "$out" "$@" >/dev/null || {
    printf 'run: failed (see above)\n' >&2
    exit 1
}
cat "$out/placements.txt"
printf 'run: done. Left in %s/:\n' "$out"
printf '  %-24s %s\n' \
    window.png 'the window' \
    window-dark.png 'the window in the dark theme' \
    'graph.png, graph.svg' 'the graph, coloured by device' \
    'gantt.png, gantt.svg' 'the simulated run of the best placement' \
    placements.txt 'all placements in a table' \
    placements.csv 'the same for a spreadsheet'
