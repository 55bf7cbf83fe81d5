// SPDX-License-Identifier: Apache-2.0
// A database goes on with the options that its OPTIONS file keeps (decisions/0019): how what the
// caller gives is completed by them.
//
//   default  <-  kept in the file  <-  chosen by the caller
//
// An option is chosen if its field differs from its default or Options::chosen names it. What the
// file has and this engine does not honour stays in the file; what holds instead is returned in
// sentences for people. Options that never mattered here are not worth a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/format/options/options_file.h"
#include "varve/merge_operator.h"
#include "varve/options.h"

namespace varve {

// Completes the options of the database itself; its families are left alone.
std::vector<std::string> CompleteDatabaseOptions(const OptionsFile& file, Options* options);

// Completes those of one family; nothing if the file does not speak of it. The comparator is the
// MANIFEST's business. What comes out is valid if what went in was.
std::vector<std::string> CompleteFamilyOptions(const FamilySections::Pair& sections,
                                               const std::vector<std::string>& chosen,
                                               ColumnFamilyOptions* options);

// Whether the text of `merge_operator` in an OPTIONS file names one at all.
bool NamesMergeOperator(std::string_view text);
// The built-in operator that it names, with the parameters it gives; null if there is none.
const MergeOperator* MergeOperatorOfText(std::string_view text);

}  // namespace varve
