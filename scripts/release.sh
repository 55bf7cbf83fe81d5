#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/release.sh VERSION: writes the version everywhere it stands, closes the changelog's
#   "Unreleased", commits that, makes the artefacts, tries them and tags the commit, which is taken back
#   if anything fails. Pushes nothing.
# scripts/release.sh --artefacts: only those, of the commit that is checked out, into build/dist:
#     varve-VERSION-source.tar.gz         the sources
#     varve-VERSION-linux-ARCH.tar.gz     program, library, headers, man pages (cmake --install)
#     varve-ARCH-linux                    the program alone, for any Linux: needs no library, reads no URLs
#     varve_VERSION_ARCH.deb, lib….deb    Debian packages, of the release that it runs on
#     varve-VERSION.tgz                   the module for browsers and Node (npm)
#     varve-VERSION.tar.gz                the sources that the Python package needs (PyPI)
#     varve-VERSION-TAGS.whl              the Python package, with the program, for each Python in
#                                         VARVE_PYTHONS (/usr/bin/python3; scripts/wheel.sh)
#     SHA256SUMS
# All is built anew, with the options of the presets: nothing of an older build is packed. The same
# commit, built in the same place with the same compiler, gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
header=core/include/varve/version.h
packages=(web/package.json web/package-lock.json wasm/package/package.json)
users=(core/package/README.md tests/install/example/CMakeLists.txt)
stage=$(mktemp -d)
before= released=  # The commit to go back to, and the one to take back.
fail() { echo "release.sh: $*" >&2; exit 1; }
version_of_header() { sed -n 's/^#define VARVE_VERSION "\(.*\)"$/\1/p' $header; }

# However it ends: without a tag there is no commit, either.
end() {
  rm -rf "$stage"
  if [ -z "$before" ]; then return; fi
  case $(git rev-parse HEAD) in
    "$before") ;;
    "$released") git reset -q "$before" ;;
    *) echo "release.sh: not released; there are commits that are not of this script" >&2; return ;;
  esac
  git checkout -q -- "$header" CHANGELOG.md "${packages[@]}" "${users[@]}"
  echo "release.sh: not released; all is as it was" >&2
}
trap end EXIT

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
  # Programs ask for the minor version, which the shared library's name has in it, too.
  sed -i -e "s/find_package(varve [0-9.]*/find_package(varve $major.$minor/" \
    -e "s/libvarve\.so\.[0-9]*\.[0-9]*/libvarve.so.$major.$minor/" "${users[@]}"
  sed -i "s/^## Unreleased$/## Unreleased\n\n## $1 ($(date -u +%F))/" CHANGELOG.md
}

pack() {  # pack ARCHIVE DIRECTORY: what is packed has the time of the commit.
  tar -C "$(dirname "$2")" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" -cf - "$(basename "$2")" | gzip -n >"$1"
}

make_artefacts() {
  local version dist name binary native pythons
  version=$(version_of_header)
  dist=$PWD/build/dist
  native=$PWD/build/release-to-pack
  name=varve-$version
  binary=$name-linux-$(uname -m)
  rm -rf "$dist" "$native" build/wasm build/wheel web/dist
  mkdir -p "$dist"
  git archive --prefix="$name/" HEAD | gzip -n >"$dist/$name-source.tar.gz"
  scripts/build.sh wasm
  scripts/build.sh web
  # All that there is: cmake --install wants the archive and the man pages, too.
  cmake --preset release -B "$native" "${CMAKE_FLAGS:---log-level=NOTICE}" >/dev/null
  cmake --build "$native"
  cmake --install "$native" --prefix "$stage/$binary" --strip >/dev/null
  cp LICENSE README.md CHANGELOG.md "$stage/$binary"
  pack "$dist/$binary.tar.gz" "$stage/$binary"
  make_debian_packages "$native" "$dist"
  make_static_program "$dist/varve-$(uname -m)-linux"
  cp -R build/wasm/package "$stage/package"
  cp LICENSE "$stage/package"
  pack "$dist/$name.tgz" "$stage/package"
  read -ra pythons <<<"${VARVE_PYTHONS:-/usr/bin/python3}"
  scripts/wheel.sh "$dist" "${pythons[@]}"
  (cd "$dist" && sha256sum -- * >SHA256SUMS)
  try_artefacts "$dist" "$name" "$binary"
  cat "$dist/SHA256SUMS"
}

# The same build, whose places are those of Debian.
make_debian_packages() {  # make_debian_packages BUILD DIST
  cmake -B "$1" -DCMAKE_INSTALL_PREFIX=/usr --log-level=NOTICE \
    -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" >/dev/null
  cmake --build "$1"
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) cpack -G DEB --config "$1/CPackConfig.cmake" -B "$stage/debian" >/dev/null
  mv "$stage"/debian/*.deb "$2"
}

make_static_program() {  # make_static_program FILE
  local build=$PWD/build/release-static
  rm -rf "$build"
  cmake --preset release -B "$build" -DVARVE_STATIC=ON --log-level=NOTICE >/dev/null
  cmake --build "$build" --target varve
  cmake -E copy "$build/varve" "$1"
  strip "$1"
}

# What was packed is unpacked and used.
try_artefacts() {  # try_artefacts DIST NAME BINARY
  local tried=$stage/tried prefix shared told
  mkdir "$tried"
  (cd "$1" && sha256sum --check --quiet SHA256SUMS)
  for archive in "$2-source.tar.gz" "$3.tar.gz" "$2.tgz"; do tar -C "$tried" -xf "$1/$archive"; done
  prefix=$tried/$3
  read -r _ told _ <<<"$("$prefix/bin/varve" version)"
  [ "varve-${told%:}" = "$2" ] || fail "the program says that it is $told"
  [ -s "$prefix/share/man/man1/varve.1" ] || fail "$3.tar.gz has no man page"
  for shared in OFF ON; do
    cmake -G Ninja -S "$tried/$2/tests/install/example" -B "$tried/example-$shared" \
      -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=$shared --log-level=NOTICE >/dev/null
    cmake --build "$tried/example-$shared" >/dev/null
    mkdir "$tried/database-$shared"
    "$tried/example-$shared/example" "$tried/database-$shared"
  done
  node tests/wasm/package_test.mjs "$tried/package" tests/fixtures "$prefix/bin/varve"
  read -r _ told _ <<<"$("$1/varve-$(uname -m)-linux" version)"
  [ "varve-${told%:}" = "$2" ] || fail "the static program says that it is $told"
  ! readelf -d "$1/varve-$(uname -m)-linux" | grep NEEDED || fail "the static program needs libraries"
  tests/install/debian_test.py "$1"
  for python in "${pythons[@]}"; do try_wheel "$1" "$python" "$tried/$(basename "$python")"; done
}

# pip takes the wheel that is for this Python.
try_wheel() {  # try_wheel DIST PYTHON ENVIRONMENT
  local told
  "$2" -m venv --without-pip "$3"
  "$2" -m pip --python "$3/bin/python" install --quiet --disable-pip-version-check --no-index \
    --only-binary :all: --find-links "$1" "varve==$version"
  "$3/bin/python" core/python/examples/tour.py "$3/database"
  told=$("$3/bin/varve" version)
  [[ $told = "varve $version:"* && $told = *"has    the web app"* ]] ||
    fail "the program of the wheel says that it is $told"
}

[ $# -eq 1 ] || { sed -n '3,15p' "$0"; exit 2; }
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
if [ "$1" = --artefacts ]; then
  make_artefacts
  exit
fi
[[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "a version is three numbers, as 0.2.0, not $1"
! git rev-parse -q --verify "refs/tags/v$1" >/dev/null || fail "there is a tag v$1"
awk '/^## / { here = $0 == "## Unreleased" } here && /^- / { found = 1 } END { exit !found }' \
  CHANGELOG.md || fail "CHANGELOG.md has nothing under Unreleased"
before=$(git rev-parse HEAD)
write_version "$1"
git commit -qam "release: $1"
released=$(git rev-parse HEAD)
make_artefacts
[ "$(git rev-parse HEAD)" = "$released" ] || fail "HEAD is no longer the commit that was built"
git tag -a "v$1" -m "varve $1"
before=
echo "next: scripts/test.sh, then git push --follow-tags"
