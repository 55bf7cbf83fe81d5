// SPDX-License-Identifier: Apache-2.0
// Copies files unchanged into the new database.
#pragma once

#include <string>
#include <vector>

#include "core/repair/repair_job.h"
#include "core/repair/source_files.h"
#include "varve/status.h"

namespace varve {

// Syncs the file, but not its name. Does nothing in a dry run.
Status CopyFromSource(const RepairJob& job, const std::string& name);

// Fifth phase of a repair: copies these blob files and logs, and OPTIONS and IDENTITY if readable.
Status CopyTheRest(const RepairJob& job, const SourceFiles& files,
                   const std::vector<std::string>& blobs, const std::vector<std::string>& logs);

}  // namespace varve
