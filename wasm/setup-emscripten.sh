#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts Debian trixie's Emscripten (3.1.69) under a prefix on a bookworm machine.
#   clang-19, lld-19 and llvm-19 come from bookworm itself (scripts/setup.sh test); emscripten is an
#   arch-independent package; binaryen 120 needs a newer glibc than bookworm's, so trixie's own
#   libc/libstdc++ ride along and the binaryen tools are started through that loader (nothing of it
#   is visible to any other program).
# Usage: wasm/setup-emscripten.sh PREFIX
set -euo pipefail
cd "$(dirname "$0")/.."
. wasm/private_apt.sh
prefix=$1
stamp=$prefix/.ready-1
[ -e "$stamp" ] && exit 0
for tool in clang-19 wasm-ld-19 llvm-ar-19 node; do
  command -v "$tool" >/dev/null || { echo "Emscripten needs $tool: scripts/setup.sh test" >&2; exit 1; }
done

echo "setup: Emscripten into $prefix"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$prefix"
( private_apt "$work" deb trixie
  cd "$work"
  apt-get -qq download emscripten binaryen libc6 libstdc++6 libgcc-s1 )
for d in emscripten binaryen; do
  # tests, docs and the LTO/PIC/GL library variants are most of the 1.6 GB; leave them packed
  dpkg-deb --fsys-tarfile "$work"/${d}_*.deb | tar -x -C "$prefix" \
    --exclude='./usr/share/emscripten/test' --exclude='./usr/share/doc' --exclude='./usr/share/man' \
    --exclude='./usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/lto*' \
    --exclude='./usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/pic*' \
    --exclude='*/wasm32-emscripten/libGL*emu*' --exclude='*/wasm32-emscripten/libGL*webgl2*' \
    --exclude='*/wasm32-emscripten/libGL*ofb*' --exclude='*/wasm32-emscripten/libGL*full_es3*' \
    --exclude='./usr/share/emscripten/cache/sysroot/lib/wasm64-emscripten*'
done
for d in libc6 libstdc++6 libgcc-s1; do
  dpkg-deb --fsys-tarfile "$work"/${d}_*.deb | tar -x -C "$prefix" --wildcards './usr/lib/x86_64-linux-gnu/*.so*'
done

libs=$prefix/usr/lib/x86_64-linux-gnu
mkdir -p "$prefix/binaryen/bin" "$prefix/bin"
for t in "$prefix"/usr/bin/wasm*; do
  n=$(basename "$t")
  printf '#!/bin/sh\nexec %s/ld-linux-x86-64.so.2 --library-path %s %s "$@"\n' "$libs" "$libs" "$t" >"$prefix/binaryen/bin/$n"
  chmod +x "$prefix/binaryen/bin/$n"
done
root=$prefix/usr/share/emscripten
cat >"$root/.emscripten" <<S
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$prefix/binaryen'
NODE_JS = '$(command -v node)'
FROZEN_CACHE = True
S
# A node that is not Debian's own does not look in /usr/share/nodejs for acorn.
ln -sfn /usr/share/nodejs "$root/node_modules"
for n in emcc em++ emar emranlib emcmake emmake emconfigure embuilder emnm emsize emstrip emrun; do
  printf '#!/bin/sh\nexec %s/%s "$@"\n' "$root" "$n" >"$prefix/bin/$n"; chmod +x "$prefix/bin/$n"
done
"$prefix/bin/emcc" --version | sed -n 1p
touch "$stamp"
