#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wasm/fetch-sources.sh: the codecs' sources into .deps/codecs, unpacked from the source packages of
# the Debian release whose libraries the native build links: the same versions on both sides. Uses
# an apt state of its own; the machine's lists and sources stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
. wasm/private_apt.sh
dir=$PWD/.deps/codecs
want=(libzstd=1.5.4+dfsg2-5:zstd lz4=1.9.4-1:lz4 snappy=1.1.9-3:snappy zlib=1:1.2.13.dfsg-1:zlib
  bzip2=1.0.8-5:bzip2)
stamp=$dir/.ready-$(printf '%s ' "${want[@]}" | sha256sum | cut -c1-12)
[ -e "$stamp" ] && exit 0
echo "setup: the codecs' sources into .deps/codecs"
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
private_apt "$work" deb-src bookworm
cd "$work"
for spec in "${want[@]}"; do
  package=${spec%:*}
  name=${spec##*:}
  apt-get -qq source --download-only "$package" 2>/dev/null
  rm -rf "${dir:?}/$name"
  dpkg-source --no-check --no-copy -x "$work/${package%%=*}"_*.dsc "$dir/$name" >/dev/null 2>&1
done
touch "$stamp"
