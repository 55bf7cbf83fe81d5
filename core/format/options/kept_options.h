// SPDX-License-Identifier: Apache-2.0
// Completes the caller's options by those stored in the OPTIONS file of the database
// (decisions/0019). Precedence, lowest first:
//
//   default  <-  kept in the file  <-  chosen by the caller
//
// An option is chosen if its field differs from its default or Options::chosen names it. Options in
// the file that this engine does not honour stay in the file; notes for people say what is used
// instead, unless the option makes no difference here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/format/options/options_file.h"
#include "varve/merge_operator.h"
#include "varve/options.h"

namespace varve {

// Completes the options of the database itself, not those of its families.
std::vector<std::string> CompleteDatabaseOptions(const OptionsFile& file, Options* options);

// Completes the options of one family; does nothing if the file has none. The comparator is left to
// the MANIFEST. The result is valid if the input was.
std::vector<std::string> CompleteFamilyOptions(const FamilySections::Pair& sections,
                                               const std::vector<std::string>& chosen,
                                               ColumnFamilyOptions* options);

// Whether the value of `merge_operator` in an OPTIONS file names an operator at all.
bool NamesMergeOperator(std::string_view text);
// The built-in operator with the given name and parameters; null if there is none.
const MergeOperator* MergeOperatorOfText(std::string_view text);

}  // namespace varve
