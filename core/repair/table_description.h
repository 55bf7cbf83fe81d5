// SPDX-License-Identifier: Apache-2.0
// What the MANIFEST of a repaired database says about a table that the old one described, too.
#pragma once

#include <string>

#include "core/format/manifest/file_description.h"
#include "core/repair/table_survey.h"

namespace varve {

// As `stored` has it, but for what the table itself shows to be wrong; *why then says so. `salvaged`:
// the survey is that of a copy of what was sound.
FileDescription DescribeAsFound(const FileDescription& stored, const TableSurvey& survey,
                                bool salvaged, std::string* why);

}  // namespace varve
