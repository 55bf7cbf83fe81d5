// SPDX-License-Identifier: Apache-2.0
// Merge operands of a family: which operator folds them, and what comes of it. One rule for the
// engine's reads and for those that only explain them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/try.h"
#include "core/format/options/options_file.h"
#include "core/iterator/lookup.h"
#include "core/version/version.h"
#include "varve/merge_operator.h"
#include "varve/result.h"
#include "varve/value.h"

namespace varve {

// The text of `merge_operator` in what the OPTIONS files keep of a family (`options`; may be null),
// if it names one, known here or not. Then what tables name is no guide: they leave out parameters.
const std::string* NamedMergeOperator(const OptionsSection* options);

// Empty: there is none.
std::string MergeOperatorName(const MergeOperator* merge_operator);

// The operator of the family's first table, the only one that is opened. Null: none that is known.
const MergeOperator* MergeOperatorOfTables(const Version& version);

// The operator of a family that is opened without a word of the caller: the one that is kept, or,
// if none is named, that of the tables. Null: none that is known.
const MergeOperator* KeptMergeOperator(const OptionsSection* options, const Version& version);

// Operands, oldest first, applied to `base` (nullopt: nothing), which is a user's value.
// NotSupported without an operator; that names the one that tables with the key were written with.
Result<std::string> FoldOperands(const MergeOperator* merge_operator, const Version& version,
                                 std::string_view user_key, std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands);

// What a Get answers after a lookup. `resolve`, called with the lookup if that has found a stored
// value, makes the user's of it (Result<Value>), and may move it.
template <typename ResolveFn>
Result<std::optional<Value>> FinishLookup(const MergeOperator* merge_operator,
                                          const Version& version, Lookup* lookup,
                                          ResolveFn resolve) {
  std::optional<Value> base;
  switch (lookup->state) {
    case Lookup::State::kFailed:
      return lookup->status;
    case Lookup::State::kSearching:
    case Lookup::State::kDeleted:
      return std::optional<Value>();
    case Lookup::State::kFound:
    case Lookup::State::kMergedOnto: {
      ASSIGN_OR_RETURN(base, resolve(lookup));
      if (lookup->state == Lookup::State::kFound) return base;
      break;
    }
    case Lookup::State::kMerging:  // The end of the tree: there is no base.
    case Lookup::State::kMergedOntoNothing:
      break;
  }
  std::vector<std::string_view> operands;
  operands.reserve(lookup->operands.size());
  for (size_t i = lookup->operands.size(); i > 0; --i) {
    operands.push_back(lookup->operands[i - 1].view());
  }
  std::optional<std::string_view> base_view;
  if (base.has_value()) base_view = base->view();
  ASSIGN_OR_RETURN(std::string merged,
                   FoldOperands(merge_operator, version, lookup->user_key, base_view, operands));
  return std::optional<Value>(Value(std::move(merged)));
}

}  // namespace varve
