// SPDX-License-Identifier: Apache-2.0
// Exit codes of `varve`. A stable interface, documented in the project's README.
#pragma once

#include "varve/status.h"

namespace varve::cli {

enum ExitCode : int {
  kDone = 0,      // The answer is positive.
  kNegative = 1,  // The answer is negative: absent, different.
  kUsage = 2,
  kEnvironment = 3,  // I/O: no such file, permission, disk full.
  kCorrupt = 4,
  kBusyTarget = 5,   // The lock is held.
  kUnsupported = 6,  // A valid input this program does not implement; the message names it.
  kPartial = 7,      // Done, with something left out: rejected lines, salvage with loss.
  kRefused = 8,      // Read-only, not confirmed.
  kBug = 70,         // A broken invariant of varve itself.
};

ExitCode ExitCodeOf(const Status& status);

}  // namespace varve::cli
