// SPDX-License-Identifier: Apache-2.0
// Merge operands of a family: which operator applies, and the result. Shared by the engine's reads
// and by reports about reads.
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

// The value of `merge_operator` in the stored options of a family (`options`; may be null), if it
// names an operator, known here or not. Then the names in tables are not used: they lack
// parameters.
const std::string* NamedMergeOperator(const OptionsSection* options);

// Empty if there is none.
std::string MergeOperatorName(const MergeOperator* merge_operator);

// The operator of the family's first table, the only one that is opened. Null: none, or unknown.
const MergeOperator* MergeOperatorOfTables(const Version& version);

// The operator of a family for which the caller gives none: the stored one or, if none is stored,
// that of the tables. Null: none, or unknown.
const MergeOperator* KeptMergeOperator(const OptionsSection* options, const Version& version);

// Applies the operands, oldest first, to `base` (nullopt: nothing), which is a user's value.
// NotSupported without an operator, naming the one that the tables with the key were written with.
Result<std::string> FoldOperands(const MergeOperator* merge_operator, const Version& version,
                                 std::string_view user_key, std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands);

// The lookup's operands applied to `base` (nullopt: nothing).
Result<std::optional<Value>> FoldLookup(const MergeOperator* merge_operator, const Version& version,
                                        const Lookup& lookup, const std::optional<Value>& base);

// The result of a Get after a lookup. If that found a stored value, `resolve` is called with the
// lookup, which it may move from, and returns the user's value (Result<Value>).
template <typename ResolveFn>
Result<std::optional<Value>> FinishLookup(const MergeOperator* merge_operator,
                                          const Version& version, Lookup* lookup,
                                          ResolveFn resolve) {
  switch (lookup->state) {
    case Lookup::State::kFailed:
      return lookup->status;
    case Lookup::State::kSearching:
    case Lookup::State::kDeleted:
      return std::optional<Value>();
    case Lookup::State::kFound: {
      ASSIGN_OR_RETURN(Value value, resolve(lookup));
      return std::optional<Value>(std::move(value));
    }
    case Lookup::State::kMergedOnto: {
      ASSIGN_OR_RETURN(Value base, resolve(lookup));
      return FoldLookup(merge_operator, version, *lookup, std::move(base));
    }
    case Lookup::State::kMerging:  // The end of the tree: there is no base.
    case Lookup::State::kMergedOntoNothing:
      break;
  }
  return FoldLookup(merge_operator, version, *lookup, std::nullopt);
}

}  // namespace varve
