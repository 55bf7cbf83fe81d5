// SPDX-License-Identifier: Apache-2.0
#include "core/version/merging.h"

#include <memory>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/format/options/kept_options.h"

namespace varve {
namespace {

// " (table 12 was written with "StringAppendOperator")", of a table that may have the operands.
std::string WrittenWith(const Version& version, std::string_view user_key) {
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.Overlapping(level, user_key, user_key)) {
      const Result<std::shared_ptr<const TableReader>> table = version.Open(*file);
      if (!table.ok()) continue;  // Skip tables with errors: the lookup has reported them.
      const std::string& name = (*table)->properties().merge_operator;
      if (name.empty() || name == "nullptr") continue;
      return " (table " + std::to_string(file->number()) + " was written with \"" +
             EscapeForDisplay(name) + "\")";
    }
  }
  return "";
}

// The operator of the tables may be known here, and still not be what the options name.
Status NoMergeOperator(const Version& version, std::string_view user_key) {
  return Status::NotSupported("the key '" + EscapeForDisplay(user_key) +
                              "' has merge operands, and its family has no merge operator that is "
                              "known here" +
                              WrittenWith(version, user_key));
}

}  // namespace

std::string MergeOperatorName(const MergeOperator* merge_operator) {
  return merge_operator == nullptr ? std::string() : std::string(merge_operator->name());
}

const std::string* NamedMergeOperator(const OptionsSection* options) {
  const std::string* const text = options == nullptr ? nullptr : options->Find("merge_operator");
  return text != nullptr && NamesMergeOperator(*text) ? text : nullptr;
}

const MergeOperator* MergeOperatorOfTables(const Version& version) {
  for (int level = 0; level < version.num_levels(); ++level) {
    if (version.files(level).empty()) continue;
    const auto table = version.Open(*version.files(level).front());
    // A table that cannot be read is ignored here; reads of it will fail.
    if (!table.ok()) return nullptr;
    return MergeOperatorByName((*table)->properties().merge_operator);
  }
  return nullptr;
}

const MergeOperator* KeptMergeOperator(const OptionsSection* options, const Version& version) {
  const std::string* const named = NamedMergeOperator(options);
  return named != nullptr ? MergeOperatorOfText(*named) : MergeOperatorOfTables(version);
}

Result<std::string> FoldOperands(const MergeOperator* merge_operator, const Version& version,
                                 std::string_view user_key, std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands) {
  DCHECK(!operands.empty());
  if (merge_operator == nullptr) return NoMergeOperator(version, user_key);
  return merge_operator->Merge(user_key, base, operands);
}

Result<std::optional<Value>> FoldLookup(const MergeOperator* merge_operator, const Version& version,
                                        const Lookup& lookup, const std::optional<Value>& base) {
  std::vector<std::string_view> operands;
  operands.reserve(lookup.operands.size());
  for (size_t i = lookup.operands.size(); i > 0; --i) {
    operands.push_back(lookup.operands[i - 1].view());
  }
  std::optional<std::string_view> base_view;
  if (base.has_value()) base_view = base->view();
  ASSIGN_OR_RETURN(std::string merged,
                   FoldOperands(merge_operator, version, lookup.user_key, base_view, operands));
  return std::optional<Value>(Value(std::move(merged)));
}

}  // namespace varve
