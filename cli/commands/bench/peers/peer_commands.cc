// SPDX-License-Identifier: Apache-2.0
// The commands of a varve-bench-* executable: help, and those of `varve bench`.
#include <array>

#include "cli/command.h"
#include "cli/commands/commands.h"

namespace varve::cli {

std::span<const Command> CommandTable() {
  static const std::array kCommands = {kBenchList, kBenchRun, kHelp};
  return kCommands;
}

}  // namespace varve::cli
