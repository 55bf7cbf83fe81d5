#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh PRESET [TARGET...]: configures (once) and builds what changed.
# scripts/build.sh wasm: the engine for browsers, build/wasm/package; Emscripten is taken from
#   EMSCRIPTEN_PREFIX, /opt/emscripten or .deps/emscripten, and put into the last if it is nowhere.
# scripts/build.sh web: the web app, into web/dist; builds of `varve` after it take it in.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
. scripts/node.sh
if [ "$preset" = web ]; then
  node_is_recent || {
    echo "build.sh: the web app needs Node $node_major or newer, with npm: scripts/setup.sh test" >&2
    exit 1
  }
  cd web
  # What is installed is right as long as the lock file is the one that it was installed from.
  if ! cmp -s package-lock.json node_modules/.installed-from; then
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed-from
  fi
  npm run --silent check
  npm run --silent test
  npm run --silent build
  exit
fi
if [ "$preset" = wasm ]; then
  if [ -z "${EMSCRIPTEN_PREFIX:-}" ] && [ -e /opt/emscripten/.ready-1 ]; then
    EMSCRIPTEN_PREFIX=/opt/emscripten
  fi
  export EMSCRIPTEN_PREFIX=${EMSCRIPTEN_PREFIX:-$PWD/.deps/emscripten}
  wasm/setup-emscripten.sh "$EMSCRIPTEN_PREFIX"
  wasm/fetch-sources.sh
fi
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" "${CMAKE_FLAGS:---log-level=WARNING}" >/dev/null
ninja -C "build/$preset" "$@" | grep -v 'no work to do' || [ "${PIPESTATUS[0]}" -eq 0 ]
