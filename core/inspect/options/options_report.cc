// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/options/options_report.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/check.h"
#include "core/base/options/option_value.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/inspect/options/rocksdb_options.h"

namespace varve {
namespace {

// "10" and "10.000000" are the same number.
bool SameValue(std::string_view a, std::string_view b) {
  if (a == b) return true;
  constexpr double kLargest = std::numeric_limits<double>::max();
  const Result<double> left = ParseReal(a, 0, kLargest), right = ParseReal(b, 0, kLargest);
  return left.ok() && right.ok() && *left == *right;
}

bool HasMembers(OptionScope scope, std::string_view name) {
  const std::string prefix = std::string(name) + ".";
  return std::any_of(
      RocksDbOptions().begin(), RocksDbOptions().end(),
      [&](const RocksDbOption& row) { return row.scope == scope && row.name.starts_with(prefix); });
}

using Values = std::map<std::string, std::string, std::less<>>;

// "{a=1;b={c=2;};}" -> name.a, name.b.
void AddMembers(std::string_view name, std::string_view braces, Values* out) {
  CHECK(braces.starts_with('{') && braces.ends_with('}'));
  std::string_view rest = braces.substr(1, braces.size() - 2);
  while (!rest.empty()) {
    int depth = 0;
    size_t end = 0;
    for (; end < rest.size() && (depth > 0 || rest[end] != ';'); end++) {
      depth += rest[end] == '{' ? 1 : rest[end] == '}' ? -1 : 0;
    }
    const std::string_view member = rest.substr(0, end);
    if (const size_t equals = member.find('='); equals != std::string_view::npos) {
      (*out)[std::string(name) + "." + std::string(member.substr(0, equals))] =
          member.substr(equals + 1);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Values ValuesOf(OptionScope scope, const OptionsSection* section) {
  Values values;
  if (section == nullptr) return values;
  for (const auto& [name, value] : section->values) {
    if (value.starts_with('{') && value.ends_with('}') && HasMembers(scope, name)) {
      AddMembers(name, value, &values);
    } else {
      values[name] = value;
    }
  }
  return values;
}

OptionReport Compare(OptionScope scope, const std::string& name, const std::string& value) {
  OptionReport report{.scope = scope, .name = name, .value = value};
  report.from_file = true;
  const RocksDbOption* row = FindRocksDbOption(scope, name);
  if (row == nullptr) return report;
  report.default_value = row->default_value;
  report.is_mutable = row->is_mutable;
  report.differs =
      !SameValue(value, row->default_value) && (row->unset.empty() || value != row->unset);
  return report;
}

// The section's options and the defaults of those it lacks, by name.
void AddOptions(OptionScope scope, const OptionsSection* section, std::vector<OptionReport>* out) {
  const size_t first = out->size();
  const Values values = ValuesOf(scope, section);
  for (const auto& [name, value] : values) out->push_back(Compare(scope, name, value));
  for (const RocksDbOption& row : RocksDbOptions()) {
    if (row.scope != scope || values.contains(row.name)) continue;
    OptionReport& report = out->emplace_back(OptionReport{
        .scope = scope, .name = std::string(row.name), .value = std::string(row.default_value)});
    report.default_value = row.default_value;
    report.is_mutable = row.is_mutable;
  }
  std::sort(out->begin() + static_cast<ptrdiff_t>(first), out->end(),
            [](const OptionReport& a, const OptionReport& b) { return a.name < b.name; });
}

// Newest first.
Result<std::vector<std::string>> ListOptionsFiles(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  std::vector<std::pair<FileNumber, std::string>> numbered;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions) numbered.emplace_back(name->number, entry.name);
  }
  std::sort(numbered.rbegin(), numbered.rend());
  std::vector<std::string> names;
  for (auto& [number, name] : numbered) names.push_back(std::move(name));
  return names;
}

Result<StoredOptions> ReadOne(FileSystem& fs, const std::string& directory,
                              const std::string& file) {
  const std::string path = JoinPath(directory, file);
  ASSIGN_OR_RETURN(const std::string text, ReadFileToString(fs, path, kOptionsFileSizeMax));
  Result<OptionsFile> contents = ParseOptionsFile(text);
  if (!contents.ok()) return contents.status().At(path);
  return StoredOptions{file, *std::move(contents)};
}

}  // namespace

OptionsReport::OptionsReport(StoredOptions stored)
    : file(std::move(stored.file)),
      rocksdb_version(stored.RocksDbVersion()),
      contents_(std::make_unique<const OptionsFile>(std::move(stored.contents))),
      sections_(*contents_) {
  for (const OptionsSection& section : contents_->sections) {
    if (section.kind == kFamilySection) families.push_back(section.family);
  }
}

std::vector<OptionReport> OptionsReport::DatabaseOptions() const {
  std::vector<OptionReport> options;
  AddOptions(OptionScope::kDatabase, contents_->Find(kDatabaseSection, ""), &options);
  return options;
}

std::optional<std::vector<OptionReport>> OptionsReport::FamilyOptions(
    std::string_view family) const {
  const FamilySections::Pair sections = sections_.Of(family);
  if (sections.family == nullptr) return std::nullopt;
  const bool block_based = sections.table != nullptr && sections.table->kind == kTableSection;
  std::vector<OptionReport> options;
  AddOptions(OptionScope::kColumnFamily, sections.family, &options);
  AddOptions(OptionScope::kTable, block_based ? sections.table : nullptr, &options);
  return options;
}

uint64_t OptionsReport::CountDiffering() const {
  const auto count = [](const std::vector<OptionReport>& options) {
    return static_cast<uint64_t>(std::count_if(options.begin(), options.end(),
                                               [](const OptionReport& o) { return o.differs; }));
  };
  uint64_t differing = count(DatabaseOptions());
  for (const std::string& family : families) {
    const auto options = FamilyOptions(family);
    CHECK(options.has_value(), "families are those that have a section");
    differing += count(*options);
  }
  return differing;
}

std::string StoredOptions::RocksDbVersion() const {
  const OptionsSection* version = contents.Find(kVersionSection, "");
  const std::string* text = version == nullptr ? nullptr : version->Find("rocksdb_version");
  return text == nullptr ? "" : *text;
}

Result<StoredOptions> ReadStoredOptions(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> files, ListOptionsFiles(fs, directory));
  if (files.empty()) return StoredOptions();
  return ReadOne(fs, directory, files.front());
}

void VisitStoredOptions(FileSystem& fs, const std::string& directory,
                        const std::function<void(const OptionsFile&)>& visit) {
  const auto files = ListOptionsFiles(fs, directory);
  if (!files.ok()) return;
  for (const std::string& file : *files) {
    const Result<StoredOptions> stored = ReadOne(fs, directory, file);
    if (stored.ok()) visit(stored->contents);
  }
}

Result<OptionsReport> ReportOptions(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(StoredOptions stored, ReadStoredOptions(fs, directory));
  return OptionsReport(std::move(stored));
}

}  // namespace varve
