#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/release.sh VERSION: writes the version everywhere it stands, closes the changelog's
#   "Unreleased", commits and tags that, and makes the artefacts. Pushes nothing.
# scripts/release.sh --artefacts: only those, of the commit that is checked out, into build/dist:
#     varve-VERSION.tar.gz                the sources
#     varve-VERSION-linux-ARCH.tar.gz     program, library, headers, man pages (cmake --install)
#     varve-VERSION.tgz                   the module for browsers and Node (npm)
#     SHA256SUMS
# The same commit, built in the same place with the same compiler, gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
header=core/include/varve/version.h
packages=(web/package.json web/package-lock.json wasm/package/package.json)
fail() { echo "release.sh: $*" >&2; exit 1; }
version_of_header() { sed -n 's/^#define VARVE_VERSION "\(.*\)"$/\1/p' $header; }

write_version() {  # write_version VERSION
  local old major minor patch
  old=$(version_of_header)
  IFS=. read -r major minor patch <<<"$1"
  sed -i -e "s/^#define VARVE_VERSION \".*\"/#define VARVE_VERSION \"$1\"/" \
    -e "s/^\(#define VARVE_VERSION_MAJOR\) .*/\1 $major/" \
    -e "s/^\(#define VARVE_VERSION_MINOR\) .*/\1 $minor/" \
    -e "s/^\(#define VARVE_VERSION_PATCH\) .*/\1 $patch/" $header
  # The first two of the lock file are the package's own, the others those of what it needs.
  for file in "${packages[@]}"; do
    sed -i "1,12s/\"version\": \"${old//./\\.}\"/\"version\": \"$1\"/" "$file"
    grep -q "\"version\": \"$1\"" "$file" || fail "$file: does not have version $old"
  done
  sed -i "s/^## Unreleased$/## Unreleased\n\n## $1 ($(date -u +%F))/" CHANGELOG.md
}

pack() {  # pack ARCHIVE DIRECTORY: what is packed has the time of the commit.
  tar -C "$(dirname "$2")" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" -cf - "$(basename "$2")" | gzip -n >"$1"
}

make_artefacts() {
  local version dist name stage
  version=$(version_of_header)
  dist=$PWD/build/dist
  name=varve-$version
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' RETURN
  rm -rf "$dist"
  mkdir -p "$dist"
  git archive --prefix="$name/" HEAD | gzip -n >"$dist/$name.tar.gz"
  scripts/build.sh wasm
  scripts/build.sh web
  scripts/build.sh release varve varve_shared
  local binary=$name-linux-$(uname -m)
  cmake --install build/release --prefix "$stage/$binary" --strip >/dev/null
  cp LICENSE README.md CHANGELOG.md "$stage/$binary"
  pack "$dist/$binary.tar.gz" "$stage/$binary"
  cp -R build/wasm/package "$stage/package"
  cp LICENSE "$stage/package"
  pack "$dist/$name.tgz" "$stage/package"
  (cd "$dist" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
}

[ $# -eq 1 ] || { sed -n '3,10p' "$0"; exit 2; }
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
if [ "$1" != --artefacts ]; then
  [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "a version is three numbers, as 0.2.0, not $1"
  ! git rev-parse -q --verify "refs/tags/v$1" >/dev/null || fail "there is a tag v$1"
  sed -n '/^## Unreleased$/,/^## [0-9]/p' CHANGELOG.md | grep -q '^- ' ||
    fail "CHANGELOG.md has nothing under Unreleased"
  write_version "$1"
  git commit -qam "release: $1"
  git tag -a "v$1" -m "varve $1"
fi
make_artefacts
[ "$1" = --artefacts ] || echo "next: scripts/test.sh, then git push --follow-tags"
