// SPDX-License-Identifier: Apache-2.0
// The description of a table in a repaired database's MANIFEST, if the old MANIFEST had one.
#pragma once

#include <string>

#include "core/format/manifest/file_description.h"
#include "core/repair/table_survey.h"

namespace varve {

// Equals `stored`, except for members that the table contradicts; *why then names them. `salvaged`:
// the survey is of a copy of the intact part.
FileDescription DescribeAsFound(const FileDescription& stored, const TableSurvey& survey,
                                bool salvaged, std::string* why);

}  // namespace varve
