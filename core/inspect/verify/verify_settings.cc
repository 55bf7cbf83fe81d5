// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "core/base/text/abbreviate.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/options/options_file.h"
#include "core/inspect/lsm/level_scores.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/verify/findings.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

std::optional<std::string> NewestOptions(FileSystem& fs, const std::string& directory) {
  const auto entries = fs.List(directory);
  if (!entries.ok()) return std::nullopt;
  FileNumber newest = 0;
  for (const DirectoryEntry& entry : *entries) {
    const auto name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions) newest = std::max(newest, name->number);
  }
  return newest == 0 ? std::nullopt : std::optional(OptionsFileName(newest));
}

// Offset of the first byte of a line, counted from 1.
uint64_t OffsetOfLine(std::string_view text, uint64_t line) {
  uint64_t at = 0;
  for (uint64_t i = 1; i < line && at < text.size(); ++i) {
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return at;
    at = end + 1;
  }
  return at;
}

// The parser's messages begin with "OPTIONS line N: ".
uint64_t LineOf(std::string_view message) {
  constexpr std::string_view kPrefix = "OPTIONS line ";
  if (!message.starts_with(kPrefix)) return 1;
  message.remove_prefix(kPrefix.size());
  return ParseDecimal(message.substr(0, message.find(':'))).value_or(1);
}

// Offsets of the sections of a parsed file, followed by the end of the file.
std::vector<size_t> OffsetsOfSections(std::string_view text) {
  std::vector<size_t> offsets;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = text.find_first_not_of(" \t\r\v\f", at);
    if (first < end && text[first] == '[') offsets.push_back(first);
    at = end + 1;
  }
  offsets.push_back(text.size());
  return offsets;
}

// Offset of an option in its section, or of the section if not found.
size_t OffsetOfOption(std::string_view section, std::string_view option) {
  const size_t at = section.find("  " + std::string(option) + "=");
  return at == std::string_view::npos ? 0 : at;
}

// "nullptr", a name, or "{id=name;...}".
std::string OperatorName(std::string_view text) {
  constexpr std::string_view kPrefix = "{id=";
  if (text.starts_with(kPrefix)) {
    text.remove_prefix(kPrefix.size());
    text = text.substr(0, text.find_first_of(";}"));
  }
  return std::string(text);
}

}  // namespace

void VerifyLevels(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                  Findings* findings) {
  const int usual = CompactionSettings().num_levels;
  const auto deep = [&](const FamilyState& family) { return family.version->num_levels() > usual; };
  const std::vector<FamilyState>& families = state.families.all();
  if (std::none_of(families.begin(), families.end(), deep)) return;
  const Result<StoredOptions> read = ReadStoredOptions(fs, directory);
  const StoredOptions stored = read.ok() ? *read : StoredOptions();
  const FamilySections sections(stored.contents);
  for (const FamilyState& family : families) {
    const Version& version = *family.version;
    const int levels =
        std::max(usual, CompactionSettingsOf(sections.Of(family.name).family).num_levels);
    for (int level = levels; level < version.num_levels(); ++level) {
      if (version.files(level).empty()) continue;
      findings->Add({.layer = "level",
                     .file = TableFileName(version.files(level)[0]->number()),
                     .what = "is on level " + std::to_string(level) + ", but column family " +
                             EscapeForDisplay(family.name) + " has " + std::to_string(levels) +
                             " levels: it opens with num_levels=" + std::to_string(level + 1)});
      break;
    }
  }
}

void VerifyOptionsFile(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                       Findings* findings) {
  const auto name = NewestOptions(fs, directory);
  if (!name) return;
  const auto text = ReadFileToString(fs, JoinPath(directory, *name), kOptionsFileSizeMax);
  if (!text.ok() && text.status().code() == Code::kNotFound) return;  // Replaced meanwhile.
  if (!text.ok()) return findings->AddFailure("options", *name, text.status());
  const auto warn = [&](uint64_t offset, std::string what) {
    findings->Add({.severity = Finding::Severity::kWarning,
                   .layer = "options",
                   .file = *name,
                   .offset = offset,
                   .what = std::move(what)});
  };
  const auto options = ParseOptionsFile(*text);
  if (!options.ok()) {
    // The database opens without it (engine/open/options_store.h), and all reads work.
    const std::string message(options.status().message());
    return warn(OffsetOfLine(*text, LineOf(message)),
                message + "; the options that it keeps are not known");
  }
  std::unordered_map<std::string_view, const FamilyState*> families;
  for (const FamilyState& family : state.families.all()) families.emplace(family.name, &family);
  const std::vector<size_t> offsets = OffsetsOfSections(*text);
  for (size_t i = 0; i < options->sections.size() && i + 1 < offsets.size(); ++i) {
    const OptionsSection& section = options->sections[i];
    if (section.kind != "CFOptions") continue;
    const auto where = [&](std::string_view option) {
      const std::string_view bytes =
          std::string_view(*text).substr(offsets[i], offsets[i + 1] - offsets[i]);
      return offsets[i] + OffsetOfOption(bytes, option);
    };
    const auto found = families.find(section.family);
    if (found == families.end()) {
      warn(offsets[i], "there is no column family " + AbbreviateForDisplay(section.family));
      continue;
    }
    const FamilyState* const family = found->second;
    const std::string* comparator = section.Find("comparator");
    if (comparator != nullptr && !family->comparator_name.empty() &&
        *comparator != family->comparator_name) {
      warn(where("comparator"), "the comparator is " + AbbreviateForDisplay(*comparator) +
                                    ", the MANIFEST says " +
                                    EscapeForDisplay(family->comparator_name));
    }
    const std::string* merge = section.Find("merge_operator");
    const std::string merge_name = merge == nullptr ? "nullptr" : OperatorName(*merge);
    if (merge_name != "nullptr" && MergeOperatorByName(merge_name) == nullptr) {
      warn(where("merge_operator"),
           "the merge operator " + AbbreviateForDisplay(merge_name) + " is not known here");
    }
  }
  const FamilySections sections(*options);
  for (const FamilyState& family : state.families.all()) {
    if (sections.Of(family.name).family == nullptr) {
      warn(0, "has no section for column family " + AbbreviateForDisplay(family.name));
    }
  }
}

void VerifyIdentity(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                    Findings* findings) {
  const std::string name(kIdentityFileName);
  const auto text = ReadFileToString(fs, JoinPath(directory, name), kIdentityFileSizeMax);
  if (!text.ok()) return;  // Harmless: it will be rewritten.
  std::string id = *text;
  if (id.ends_with('\n')) id.pop_back();
  const std::string& manifest = state.counters.db_id;
  if (manifest.empty() || manifest == id) return;
  findings->Add({.severity = Finding::Severity::kWarning,
                 .layer = "directory",
                 .file = name,
                 .offset = 0,
                 .what = "says " + AbbreviateForDisplay(id) + ", the MANIFEST " + manifest});
}

}  // namespace varve
