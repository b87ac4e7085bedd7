#!/usr/bin/env bash
# Installs what the build and the programs need on Debian 12 (or a system with the same packages).
# Asks apt only when something is missing, so a second run is quick.
#
# usage: bash packaging/setup.sh [EXTRA_PACKAGE...]
set -u

packages=(
    # build
    g++ cmake ninja-build
    # window; the platform plugins draw on X11, and offscreen where there is no display
    qt6-base-dev qt6-svg-dev qt6-qpa-plugins libgl-dev libqcustomplot-dev
    fonts-noto-core
    # layout of graphs
    graphviz
    # formats, command line, benchmarks
    nlohmann-json3-dev libexpat1-dev libcli11-dev libbenchmark-dev
    libprotobuf-dev protobuf-compiler libonnx-dev zlib1g-dev
    # solvers behind placement methods: linear programs, graph partitions
    libglpk-dev libscotch-dev
    # tensors; the reference BLAS would be 15 times slower
    libtorch-dev libopenblas0-pthread
    "$@"
)

say() { printf 'setup: %s\n' "$*"; }
fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

system_name() { (. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}") || echo unknown; }

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this system ($(system_name)) is not supported: the packages are Debian 12's, and there" \
        "is no apt here. Install by hand what packaging/setup.sh lists, then build with CMake."

missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    say "all ${#packages[@]} packages are there"
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        fail "missing packages: ${missing[*]}. Installing them needs root, and there is no sudo" \
            "here. Run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
apt() { "${as_root[@]+"${as_root[@]}"}" apt-get -q -o Dpkg::Use-Pty=0 "$@"; }

say "installing ${#missing[@]} packages: ${missing[*]}"
apt update >/dev/null ||
    fail "apt-get update failed (see above): is there a network, and may you become root?"

unknown=()
for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || unknown+=("$package")
done
[ ${#unknown[@]} -eq 0 ] ||
    fail "this system ($(system_name)) has no package: ${unknown[*]}. Debian 12 has them all."

apt install -y --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "apt-get install failed (see above)"
say "installed"
