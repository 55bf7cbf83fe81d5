// SPDX-License-Identifier: Apache-2.0
// Merges tables that cannot be placed on levels separately. Input: intact tables of one family.
// Output: a new file with all versions of all keys, each once, and its description.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/format/manifest/file_description.h"
#include "core/repair/table_survey.h"
#include "varve/comparator.h"
#include "varve/environment.h"
#include "varve/result.h"

namespace varve {

// `path`: of the new table. The caller sets number, epoch and path id of the description. Nullopt,
// and no file, if nothing is left: bounds may exclude all of a table that has only range deletions.
Result<std::optional<FileDescription>> MergeTables(const Environment& env, const std::string& path,
                                                   const Comparator& order,
                                                   const std::vector<const TableSurvey*>& tables);

}  // namespace varve
