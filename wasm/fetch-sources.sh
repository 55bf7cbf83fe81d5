#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wasm/fetch-sources.sh: the codecs' sources into .deps/codecs, unpacked from the source packages of
# the Debian release whose libraries the native build links: the same versions on both sides. Uses
# an apt state of its own; the machine's lists and sources stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$PWD/.deps/codecs
want=(libzstd=1.5.4+dfsg2-5:zstd lz4=1.9.4-1:lz4 snappy=1.1.9-3:snappy zlib=1:1.2.13.dfsg-1:zlib
  bzip2=1.0.8-5:bzip2)
stamp=$dir/.ready-$(printf '%s ' "${want[@]}" | sha256sum | cut -c1-12)
[ -e "$stamp" ] && exit 0
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial}
uri=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
cat >"$work/src.sources" <<S
Types: deb-src
URIs: $uri
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
cat >"$work/apt.conf" <<S
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::sourcelist "$work/src.sources";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
S
export APT_CONFIG=$work/apt.conf
apt-get -qq update
cd "$work"
for spec in "${want[@]}"; do
  package=${spec%:*}
  name=${spec##*:}
  apt-get -qq source --download-only "$package" 2>/dev/null
  rm -rf "${dir:?}/$name"
  dpkg-source --no-check --no-copy -x "$work/${package%%=*}"_*.dsc "$dir/$name" >/dev/null 2>&1
done
touch "$stamp"
