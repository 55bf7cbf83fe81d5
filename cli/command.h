// SPDX-License-Identifier: Apache-2.0
// A command of `varve`: one row of the table in command_table.cc, one file in commands/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments/parameters.h"
#include "cli/output/console.h"
#include "cli/process/exit_code.h"

namespace varve::cli {

// One execution: created, filled by the parser, then run.
class Invocation {
 public:
  virtual ~Invocation() = default;
  virtual void Declare(Parameters& parameters) = 0;
  // For a command that makes a file or directory of its own: where -o is stored; null: -o redirects
  // the console's output.
  virtual std::string* OwnOutput() { return nullptr; }
  // The caller reports a failed Status and derives the exit code from it.
  virtual Result<ExitCode> Run(Console& console) = 0;
};

struct Command {
  std::string_view name;        // "get", "db info".
  std::string_view summary;     // One line, lower case, no full stop.
  std::string_view examples;    // Lines, as typed.
  std::string_view exit_codes;  // "0 found, 1 absent"; the common ones (2, 3, 4, 5, 6) are added.
  std::unique_ptr<Invocation> (*make)();
};

std::span<const Command> CommandTable();

}  // namespace varve::cli
