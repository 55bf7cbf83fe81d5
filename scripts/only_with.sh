#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/only_with.sh FILE HOW -- COMMAND...: runs a test's command if FILE is there. Else the test
# counts as skipped (exit status 77) and says HOW to get the file; scripts/test.sh, which gets it
# first, lets no test be skipped.
set -euo pipefail
file=$1 how=$2
shift 3
[ -e "$file" ] || {
  echo "skipped: $file is not there; $how makes it"
  exit 77
}
exec "$@"
