// SPDX-License-Identifier: Apache-2.0
// Applies the text of an OPTIONS file to Options: the part of options_file.h that interprets
// options.
#include "core/format/options/options_file.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

constexpr std::string_view kNone = "nullptr";

// "name", or the name in "{id=name;more=...}".
std::string_view ObjectName(std::string_view text) {
  constexpr std::string_view kPrefix = "{id=";
  if (!text.starts_with(kPrefix)) return text;
  text.remove_prefix(kPrefix.size());
  return text.substr(0, text.find_first_of(";}"));
}

class Applier {
 public:
  explicit Applier(Options* options) : options_(options) {}

  void Apply(const OptionsSection& section) {
    if (section.kind == kVersionSection) return;
    if (section.kind == kDatabaseSection)
      return ApplyRows(section, OptionScope::kDatabase, options_);
    // Rows access options->family, so each family's settings are moved there in turn.
    Options one;
    const auto existing = options_->families.find(section.family);
    one.family = existing != options_->families.end() ? existing->second : options_->family;
    const bool table = section.kind != kFamilySection;
    ApplyRows(section, table ? OptionScope::kTable : OptionScope::kColumnFamily, &one);
    options_->families[section.family] = one.family;
  }

  std::vector<IgnoredOption> TakeIgnored() { return std::move(ignored_); }

 private:
  void ApplyRows(const OptionsSection& section, OptionScope scope, Options* target) {
    for (const auto& [name, value] : section.values) {
      const std::string why = ApplyOne(scope, name, value, target);
      if (why.empty()) continue;
      std::string where = section.kind;
      if (!section.family.empty()) where += " \"" + section.family + "\"";
      ignored_.push_back({std::move(where), name, value, why});
    }
  }

  // Returns the reason for not applying it; empty if it was applied.
  static std::string ApplyOne(OptionScope scope, std::string_view name, std::string_view value,
                              Options* target) {
    if (scope == OptionScope::kColumnFamily && name == "comparator") {
      const Comparator* comparator = ComparatorByName(value);
      if (comparator == nullptr) return "not a built-in comparator";
      target->family.comparator = comparator;
      return "";
    }
    if (scope == OptionScope::kColumnFamily && name == "merge_operator") {
      if (value == kNone) return "";
      const MergeOperator* merge_operator = MergeOperatorByName(ObjectName(value));
      if (merge_operator == nullptr) return "not a built-in merge operator";
      target->family.merge_operator = merge_operator;
      return "";
    }
    const OptionRow* row = FindOption(name);
    if (row == nullptr || row->scope != scope) return "unknown";
    return std::string(row->set(target, value).message());
  }

  Options* options_;
  std::vector<IgnoredOption> ignored_;
};

}  // namespace

std::vector<IgnoredOption> ApplyOptionsFile(const OptionsFile& file, Options* options) {
  Applier applier(options);
  for (const OptionsSection& section : file.sections) applier.Apply(section);
  return applier.TakeIgnored();
}

}  // namespace varve
