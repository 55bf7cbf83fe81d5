// SPDX-License-Identifier: Apache-2.0
// Defaults of flags: from an environment variable (VARVE_FORMAT), else from the configuration file
// ("format = jsonl"), else built in.
//
// The file is $XDG_CONFIG_HOME/varve/config, or ~/.config/varve/config. Its lines are NAME = VALUE;
// empty lines and lines that begin with # are ignored. A missing file is not an error, but an
// unreadable file or an invalid line is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/parameters.h"
#include "varve/result.h"

namespace varve::cli {

struct Command;

// A setting and its flag.
struct Setting {
  std::string_view name, variable, flag;  // "format", "VARVE_FORMAT", "F,format".
};
std::span<const Setting> Settings();
// Whether the command uses the setting: some have no such flag, and some always print for a
// program.
bool TakesSetting(const Command& command, const Parameter& flag, const Setting& setting);

struct Default {
  enum class Source : uint8_t { kBuiltIn, kFile, kEnvironment };

  std::string_view name;   // "format"; the variable is VARVE_FORMAT.
  std::string value = {};  // Empty: each command has its own default.
  Source source = Source::kBuiltIn;
  std::string place = {};  // "VARVE_FORMAT", "/home/u/.config/varve/config:3"; empty if built in.
};

// Empty if neither XDG_CONFIG_HOME nor HOME is set.
std::string ConfigurationFile();

// All settings. InvalidArgument names the place of an error.
Result<std::vector<Default>> ReadDefaults();

// Sets the flags' values, before the command line is parsed, which may override them. A format that
// `command` does not print is ignored.
Status ApplyDefaults(const Command& command, const Parameters& parameters);

}  // namespace varve::cli
