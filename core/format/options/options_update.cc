// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/options_update.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/options/option_value.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/options/kept_options.h"

namespace varve {
namespace {

constexpr int kUsualLevels = 7;  // RocksDB's default.

OptionsSection Kept(const OptionsSection* previous, std::string_view kind,
                    std::string_view family) {
  if (previous != nullptr) return *previous;
  return {std::string(kind), std::string(family), {}};
}

OptionsSection MakeFamily(const FamilyNames& names, const OptionsSection* previous) {
  OptionsSection family = Kept(previous, kFamilySection, names.family);
  family.Set("comparator", names.comparator);
  const std::string* const stored = family.Find("merge_operator");
  if (!names.merge_operator.empty() && (stored == nullptr || !NamesMergeOperator(*stored))) {
    family.Set("merge_operator", names.merge_operator);
  }
  // RocksDB rejects a database with tables in more levels than its options allow.
  const std::string* const levels = family.Find("num_levels");
  const Result<int64_t> stored_levels =
      ParseSigned(levels == nullptr ? "" : *levels, 1, std::numeric_limits<int>::max());
  if (names.num_levels > (stored_levels.ok() ? *stored_levels : kUsualLevels)) {
    family.Set("num_levels", std::to_string(names.num_levels));
  }
  return family;
}

OptionsSection* FindSection(OptionsFile* file, std::string_view kind, std::string_view family) {
  const auto found =
      std::find_if(file->sections.begin(), file->sections.end(),
                   [&](const OptionsSection& s) { return s.kind == kind && s.family == family; });
  return found == file->sections.end() ? nullptr : &*found;
}

void StoreRows(OptionScope scope, const Options& options, OptionsSection* section) {
  for (const OptionRow& row : OptionTable()) {
    if (row.scope != scope || !row.kept || !row.in_rocksdb) continue;
    section->Set(row.name, row.get(options));
  }
}

void StoreFamily(const ColumnFamilyOptions& options, OptionsSection* family,
                 OptionsSection* table) {
  Options one;
  one.family = options;
  StoreRows(OptionScope::kColumnFamily, one, family);
  StoreRows(OptionScope::kTable, one, table);
}

// --- Members of a value in braces: "{a=1;b={c=2;};}" ---------------------------------------------

size_t EndOfMember(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';' && depth == 0) return at;
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
  }
  return text.size();
}

// `whole` with `member` set and the others unchanged.
std::string WithMember(std::string_view whole, std::string_view member, std::string_view value) {
  std::string out = "{";
  bool there = false;
  const bool braces = whole.size() >= 2 && whole.front() == '{' && whole.back() == '}';
  std::string_view rest = braces ? whole.substr(1, whole.size() - 2) : std::string_view();
  while (!rest.empty()) {
    const size_t end = EndOfMember(rest);
    const std::string_view old = rest.substr(0, end);
    const bool same = old.substr(0, old.find('=')) == member;
    there |= same;
    out.append(same ? std::string(member) + "=" + std::string(value) : std::string(old)) += ';';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!there) out.append(member).append("=").append(value) += ';';
  return out + "}";
}

// `whole` with the members that `text` names, in the form that their rows produce.
std::string WithMembersOf(std::string_view whole, const OptionRow& row, std::string_view text,
                          const Options& parsed) {
  std::string out(whole);
  const std::string prefix = std::string(row.name) + ".";
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    const size_t end = EndOfMember(rest);
    const std::string member(rest.substr(0, std::min(rest.find('='), end)));
    const OptionRow* const known = FindOption(prefix + member);
    if (known != nullptr) out = WithMember(out, member, known->get(parsed));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

}  // namespace

OptionsFile MakeOptionsFile(std::span<const FamilyNames> families, const OptionsFile& previous) {
  CHECK(!families.empty());
  CHECK(families.front().family == kDefaultFamily);
  const FamilySections sections(previous);
  OptionsFile file;
  OptionsSection version = Kept(previous.Find(kVersionSection, ""), kVersionSection, "");
  if (version.values.empty()) {
    version.values = {{"rocksdb_version", "7.8.3"}, {"options_file_version", "1.1"}};
  }
  file.sections.push_back(std::move(version));
  file.sections.push_back(Kept(previous.Find(kDatabaseSection, ""), kDatabaseSection, ""));
  for (const FamilyNames& names : families) {
    const bool created = names.created_with != nullptr;
    const FamilySections::Pair kept = created ? FamilySections::Pair() : sections.Of(names.family);
    OptionsSection family = MakeFamily(names, kept.family);
    OptionsSection table = Kept(kept.table, kTableSection, names.family);
    if (created) StoreFamily(*names.created_with, &family, &table);
    file.sections.push_back(std::move(family));
    file.sections.push_back(std::move(table));
  }
  return file;
}

void StoreDatabaseOptions(const Options& options, OptionsFile* file) {
  OptionsSection* const section = FindSection(file, kDatabaseSection, "");
  CHECK(section != nullptr);
  StoreRows(OptionScope::kDatabase, options, section);
}

Status StoreOption(const OptionRow& row, std::string_view value, std::string_view family,
                   OptionsFile* file) {
  const std::string name(row.name);
  if (!MayBeStored(row)) {
    return Status::InvalidArgument(name + ": applies to one opening only and cannot be stored");
  }
  const bool database = row.scope == OptionScope::kDatabase;
  const std::string_view kind = database                           ? kDatabaseSection
                                : row.scope == OptionScope::kTable ? kTableSection
                                                                   : kFamilySection;
  OptionsSection* const section = FindSection(file, kind, database ? "" : family);
  if (section == nullptr) {
    return Status::NotSupported(name +
                                ": the database keeps no options of block-based tables for " +
                                EscapeForDisplay(family));
  }
  Options parsed;
  if (row.name == "filter_bits_per_key") {  // RocksDB stores it as part of the policy.
    const OptionRow& policy = *FindOption("filter_policy");
    if (const std::string* kept = section->Find(policy.name)) {
      policy.set(&parsed, *kept).Ignore("a policy that is unknown here is replaced");
    }
    RETURN_IF_ERROR(row.set(&parsed, value));
    section->Set(policy.name, policy.get(parsed));
    return Status::Ok();
  }
  RETURN_IF_ERROR(row.set(&parsed, value));
  const size_t dot = row.name.find('.');
  const std::string_view whole = row.name.substr(0, dot);
  const std::string* const kept = section->Find(whole);
  const std::string_view before = kept == nullptr ? std::string_view() : std::string_view(*kept);
  if (row.is_struct) {
    section->Set(whole, WithMembersOf(before, row, value, parsed));
  } else if (dot != std::string_view::npos) {
    section->Set(whole, WithMember(before, row.name.substr(dot + 1), row.get(parsed)));
  } else {
    section->Set(whole, row.get(parsed));
  }
  return Status::Ok();
}

}  // namespace varve
