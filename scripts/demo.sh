#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds, and loads the Debian package index into a real database, then looks at it.
#   scripts/demo.sh [DIRECTORY]     the database goes to DIRECTORY (default: a temporary one)
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '3,4s/^# \{0,1\}//p' scripts/demo.sh; }
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
scripts/setup.sh build
scripts/build.sh release varve

varve=$PWD/build/release/varve
home=${1:-$(mktemp -d)/pkgs}
[ -e "$home" ] && { echo "demo: $home exists; name a new directory" >&2; exit 1; }

mkdir -p "$(dirname "$home")"

bold= plain=
[ -t 1 ] && bold=$'\033[1m' plain=$'\033[0m'
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }
show() { say "varve ${*/#$varve/varve}"; "$varve" "$@"; }

# One record per package: its name, and everything the index says about it on one line.
index() {
  if [ -n "$(apt-cache dumpavail 2>/dev/null | head -c 1)" ]; then
    apt-cache dumpavail
  else
    cat /var/lib/dpkg/status  # No package lists on this machine: what is installed.
  fi
}
index > "${TMPDIR:-/tmp}/varve-demo-index.$$"
trap 'rm -f "${TMPDIR:-/tmp}/varve-demo-index.$$"' EXIT

say "apt-cache dumpavail | awk … | varve load $home - --option compression=zstd …"
awk 'BEGIN { RS = ""; FS = "\n" }
     { name = ""; rest = ""
       for (i = 1; i <= NF; i++) {
         line = $i; gsub(/\\/, "\\\\", line); gsub(/\t/, "\\t", line)
         if (line ~ /^Package: /) name = substr(line, 10)
         rest = rest (i > 1 ? "\\n" : "") line }
       if (name != "") print name "\t" rest }' "${TMPDIR:-/tmp}/varve-demo-index.$$" |
  "$varve" load "$home" - --option compression=zstd --option target_file_size_base=4M

say "varve get $home bash | cut -c -160"
"$varve" get "$home" bash | cut -c -160
show multiget "$home" bash zsh no-such-package --keys-only || true  # 1: a key is absent.
show scan "$home" --prefix libz --limit 5 --keys-only
show count "$home"
say "varve dump $home --limit 3 | cut -c -80"
"$varve" dump "$home" --limit 3 | cut -c -80
say "a few thousand newer versions, written through the log: varve batch $home"
"$varve" scan "$home" --keys-only --limit 3000 |
  awk '{ print "put\t" $0 "\tseen" } NR % 100 == 0 { print "" }' |
  "$varve" batch "$home" --option write_buffer_size=64K | tail -n 1
show db info "$home"
show db verify "$home"
show lsm show "$home"

cat <<END

The database is in $home. Some ways to go on:
  $varve scan $home --prefix lib --limit 5 -F jsonl
  $varve put $home greeting hello && $varve get $home greeting
  $varve compact $home && $varve db info $home
  ldb --db=$home scan --max_keys=3        # RocksDB's own tool reads it (package rocksdb-tools)
  $varve --help
END
