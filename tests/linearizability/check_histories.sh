#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_histories.sh RECORD_HISTORIES GO DIRECTORY [flags of record_histories]: records histories with
# one life of the database and with several, and has the checker look at each.
set -euo pipefail
record=$(realpath "$1") go=$2 directory=$3
shift 3
rm -rf "$directory"
mkdir -p "$directory/whole" "$directory/killed"
cd "$(dirname "$0")/checker"
"$go" test ./...
"$go" build -o "$directory/checker" .
"$record" "$directory/whole" "$@"
"$record" "$directory/killed" --lives=6 "$@"
"$directory/checker" "$directory"/whole/*.jsonl "$directory"/killed/*.jsonl
