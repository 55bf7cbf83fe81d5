// SPDX-License-Identifier: Apache-2.0
// The commands of a varve-bench-* executable: bench list and bench run, as `varve` has them.
#include <array>

#include "cli/command.h"
#include "cli/commands/commands.h"

namespace varve::cli {

std::span<const Command> CommandTable() {
  static const std::array kCommands = {kBenchList, kBenchRun};
  return kCommands;
}

}  // namespace varve::cli
