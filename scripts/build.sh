#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh PRESET [TARGET...]: configures (once) and builds what changed.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" "${CMAKE_FLAGS:---log-level=WARNING}" >/dev/null
ninja -C "build/$preset" "$@" | grep -v 'no work to do' || [ "${PIPESTATUS[0]}" -eq 0 ]
