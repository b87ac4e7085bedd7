#!/usr/bin/env bash
# Installs what is missing and makes the release build in build/release.
#
# usage: bash packaging/build.sh [TARGET...]     (default: everything)
set -u
cd "$(dirname "$0")/.." || exit 1

bash packaging/setup.sh || exit 1

fail() {
    printf 'build: %s\n' "$*" >&2
    exit 1
}
log=build/release.log
mkdir -p build
targets=()
[ $# -eq 0 ] || targets=(--target "$@")

printf 'build: configuring\n'
cmake --preset release >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail "configuring failed; all of it is in $log"
}
printf 'build: compiling (the first time takes some minutes)\n'
cmake --build --preset release ${targets[@]+"${targets[@]}"} >"$log" 2>&1 || {
    grep -E -A5 'error|FAILED' "$log" | head -n 40 >&2
    fail "compiling failed; all of it is in $log"
}
printf 'build: done\n'
