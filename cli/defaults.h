// SPDX-License-Identifier: Apache-2.0
// What flags are where nobody gives them: said by a variable of the environment (VARVE_FORMAT), else
// by a line of the configuration file ("format = jsonl"), else built in.
//
// The file is $XDG_CONFIG_HOME/varve/config, or ~/.config/varve/config. Its lines are NAME = VALUE;
// those that are empty or begin with # say nothing. None at all is no error; one that cannot be read
// is, and so is a line that means nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/parameters.h"
#include "varve/result.h"

namespace varve::cli {

struct Command;

// What may be set, and the flag that says the same.
struct Setting {
  std::string_view name, variable, flag;  // "format", "VARVE_FORMAT", "F,format".
};
std::span<const Setting> Settings();
// Does the command go by it? Some have no such flag, and some print what a program is to read.
bool TakesSetting(const Command& command, const Parameter& flag, const Setting& setting);

struct Default {
  enum class Source : uint8_t { kBuiltIn, kFile, kEnvironment };

  std::string_view name;   // "format"; the variable is VARVE_FORMAT.
  std::string value = {};  // Empty: each command has its own.
  Source source = Source::kBuiltIn;
  std::string place = {};  // "VARVE_FORMAT", "/home/u/.config/varve/config:3"; empty if built in.
};

// Empty if the environment names neither XDG_CONFIG_HOME nor HOME.
std::string ConfigurationFile();

// All there are. InvalidArgument names the place of what is wrong.
Result<std::vector<Default>> ReadDefaults();

// Puts them where the command line, which is parsed after this, may put something else. A format
// that `command` does not print is none for it.
Status ApplyDefaults(const Command& command, const Parameters& parameters);

}  // namespace varve::cli
