#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests.
#
# usage: bash packaging/test.sh [CTEST_ARGUMENT...]     e.g. -R graph
set -u
cd "$(dirname "$0")/.." || exit 1

bash packaging/build.sh || exit 1
exec ctest --preset release -j "$(nproc)" "$@"
