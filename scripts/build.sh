#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh PRESET [TARGET...]: configures and builds what changed; prints, when it configures,
#   what the build has. `scripts/build.sh release varve` is the program, without a target it is all.
# scripts/build.sh wasm: the engine for browsers, build/wasm/package; Emscripten is taken from
#   EMSCRIPTEN_PREFIX, /opt/emscripten or .deps/emscripten, and put into the last if it is nowhere.
# scripts/build.sh web: the web app, into web/dist; builds of `varve` after it take it in.
# scripts/build.sh docs reference: the reference of the public headers, into build/docs/html; a
#   declaration that is not documented is an error.
# scripts/build.sh docs: that, the pages of web/docs and the inspector, which has to be built, with a
#   sample database, as a site of static files: build/docs/site. Its links are checked. DOCS_BASE is the
#   path under which it will be served, if not "/".
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '3,12s/^# \{0,1\}//p' scripts/build.sh; }
case ${1:-} in
  "") usage >&2; exit 2 ;;
  -h | --help) usage; exit 0 ;;
esac
preset=$1
shift
. scripts/node.sh

# need_node NPM-COMMAND...: what is installed here is right as long as the lock file is what it was
# installed from.
need_node() {
  node_is_recent || {
    echo "build.sh: this needs Node $node_major or newer, with npm: scripts/setup.sh test" >&2
    exit 1
  }
  if ! cmp -s package-lock.json node_modules/.installed-from; then
    npm "$@" --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed-from
  fi
}

if [ "$preset" = web ]; then
  cd web
  need_node ci
  npm run --silent check
  npm run --silent test
  npm run --silent build
  exit
fi
if [ "$preset" = docs ]; then
  if [ "$*" != reference ]; then
    missing=
    compgen -G 'web/dist/assets/*.wasm' >/dev/null || missing='scripts/build.sh web'
    [ -e build/wasm/package/varve.wasm ] || missing='scripts/build.sh wasm, then scripts/build.sh web'
    [ -z "$missing" ] || {
      echo "build.sh: the site shows the inspector with the engine in it, which is not built: $missing" >&2
      exit 1
    }
  fi
  mkdir -p build
  doxygen core/package/Doxyfile
  [ "$*" != reference ] || exit 0
  # `npm ci` refuses a lock file without the optional packages of all platforms, which not every registry
  # has.
  (cd web/docs && need_node install --no-save && npm run --silent build)
  site=build/docs/site
  cp -r build/docs/html $site/reference
  cp -r web/dist $site/inspector
  node web/docs/tools/sample.mjs $site/inspector/sample
  python3 tests/docs/site_test.py $site
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
# `varve` alone needs what scripts/setup.sh build installs. For anything else the tests are configured,
# too, which need what scripts/setup.sh test installs.
cache=build/$preset/CMakeCache.txt
configure=()
[ "build/$preset/build.ninja" -nt CMakePresets.json ] || configure=(--preset "$preset")
if [ "$*" != varve ] && [ "$preset" != wasm ] && [ "$preset" != fuzz ] && ! grep -qs '^VARVE_BUILD_TESTS:BOOL=ON' "$cache"; then
  configure=(--preset "$preset" -DVARVE_BUILD_TESTS=ON)
fi
if [ ${#configure[@]} -gt 0 ]; then
  cmake "${configure[@]}" "${CMAKE_FLAGS:---log-level=NOTICE}" >/dev/null
fi
ninja -C "build/$preset" "$@" | grep -v 'no work to do' || [ "${PIPESTATUS[0]}" -eq 0 ]
