// SPDX-License-Identifier: Apache-2.0
#include "cli/defaults.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "cli/arguments/parser.h"
#include "cli/arguments/suggestion.h"
#include "cli/command.h"
#include "cli/command_output.h"
#include "cli/help/help.h"
#include "cli/output/lines.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

constexpr uint64_t kFileSizeMax = 64 << 10;

constexpr Setting kSettings[] = {
    {"format", "VARVE_FORMAT", "F,format"},
    {"color", "VARVE_COLOR", "color"},
    {"cache", "VARVE_CACHE", "cache"},
};

// Flags used to validate values.
struct Flags {
  OutputOptions output;
  std::optional<uint64_t> cache;
  Parameters parameters;

  Flags() {
    DeclareOutput(parameters, &output);
    parameters.Size("cache", &cache, "");
  }
  const Parameter& Of(const Setting& setting) const {
    return *std::find_if(
        parameters.list().begin(), parameters.list().end(),
        [&](const Parameter& parameter) { return parameter.name == setting.flag; });
  }
};

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Status TakeLine(std::string_view line, const std::string& place, std::vector<Default>* defaults) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    return Status::InvalidArgument("expected NAME = VALUE, not '" + EscapeForDisplay(line) + "'");
  }
  const std::string_view name = Trimmed(line.substr(0, equals));
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    if (kSettings[i].name != name) continue;
    Default& value = (*defaults)[i];
    if (value.source == Default::Source::kFile) {
      return Status::InvalidArgument("'" + value.place + "' already sets " + std::string(name));
    }
    value.value = Trimmed(line.substr(equals + 1));
    value.source = Default::Source::kFile;
    value.place = place;
    return SetParameter(Flags().Of(kSettings[i]), value.value);
  }
  std::vector<std::string> names;
  for (const Setting& setting : kSettings) names.emplace_back(setting.name);
  return Status::InvalidArgument("there is no setting '" + EscapeForDisplay(name) + "'" +
                                 DidYouMean(name, names) + " (varve config lists them)");
}

Status TakeFile(const std::string& path, std::vector<Default>* defaults) {
  Result<std::string> read = ReadFileToString(*NativeEnvironment().file_system, path, kFileSizeMax);
  if (read.status().code() == Code::kNotFound) return Status::Ok();
  // A home that belongs to another user, as with `sudo -u`, counts as having no file.
  if (!read.ok() && access(path.c_str(), F_OK) != 0) return Status::Ok();
  // Not a damaged database: the file is the user's own.
  if (!read.ok()) return Status::IoError(std::string(read.status().message()));
  const std::vector<std::string_view> lines = SplitLines(*read);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = Trimmed(lines[i]);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string place = path + ":" + std::to_string(i + 1);
    RETURN_IF_ERROR(TakeLine(line, place, defaults).At(place));
  }
  return Status::Ok();
}

Status TakeEnvironment(std::vector<Default>* defaults) {
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const std::string variable(kSettings[i].variable);
    const char* const text = std::getenv(variable.c_str());
    if (text == nullptr || *text == '\0') continue;
    Default& value = (*defaults)[i];
    value.value = text;
    value.source = Default::Source::kEnvironment;
    value.place = variable;
    RETURN_IF_ERROR(SetParameter(Flags().Of(kSettings[i]), value.value).At(variable));
  }
  return Status::Ok();
}

}  // namespace

std::span<const Setting> Settings() { return kSettings; }

bool TakesSetting(const Command& command, const Parameter& flag, const Setting& setting) {
  if (flag.name != setting.flag) return false;
  // The output of `completion` is read by a shell, that of `dump` by `varve load`, and help must
  // work with wrong settings: their format only changes on the command line.
  return setting.name != "format" ||
         (command.name != "completion" && command.name != "dump" && command.name != "help");
}

std::string ConfigurationFile() {
  // As in the XDG Base Directory Specification: a relative path is ignored.
  const char* const given = std::getenv("XDG_CONFIG_HOME");
  if (given != nullptr && *given == '/') return std::string(given) + "/varve/config";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return "";
  return std::string(home) + "/.config/varve/config";
}

Result<std::vector<Default>> ReadDefaults() {
  std::vector<Default> defaults;
  for (const Setting& setting : kSettings) defaults.push_back({.name = setting.name});
  defaults[1].value = OutputOptions().color;
  if (const std::string path = ConfigurationFile(); !path.empty()) {
    RETURN_IF_ERROR(TakeFile(path, &defaults));
  }
  RETURN_IF_ERROR(TakeEnvironment(&defaults));
  return defaults;
}

Status ApplyDefaults(const Command& command, const Parameters& parameters) {
  Result<std::vector<Default>> defaults = ReadDefaults();
  if (!defaults.ok() && command.name == "help") return Status::Ok();
  RETURN_IF_ERROR(defaults.status());
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Default& value = (*defaults)[i];
    if (value.source == Default::Source::kBuiltIn) continue;
    if (value.name == "format" && !PrintsFormat(command, value.value)) continue;
    for (const Parameter& parameter : parameters.list()) {
      if (TakesSetting(command, parameter, kSettings[i])) {
        RETURN_IF_ERROR(SetParameter(parameter, value.value));
      }
    }
  }
  return Status::Ok();
}

}  // namespace varve::cli
