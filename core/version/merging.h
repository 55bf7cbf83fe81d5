// SPDX-License-Identifier: Apache-2.0
// Merge operands of a family: which operator folds them, and what comes of it. One rule for the
// engine's reads and for those that only explain them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/format/options_file.h"
#include "core/version/version.h"
#include "varve/merge_operator.h"
#include "varve/result.h"

namespace varve {

// The text of `merge_operator` in what the OPTIONS files keep of a family (`options`; may be null),
// if it names one, known here or not. Then what tables name is no guide: they leave out parameters.
const std::string* NamedMergeOperator(const OptionsSection* options);

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

}  // namespace varve
