// SPDX-License-Identifier: Apache-2.0
// Last phase of a repair: writes the MANIFEST and CURRENT, which complete the new database.
#pragma once

#include "core/repair/family_placement.h"
#include "core/repair/repair_job.h"
#include "core/repair/repair_report.h"
#include "core/repair/table_rescue.h"
#include "varve/status.h"

namespace varve {

// Input: the placed families, the tables with their losses, and the copied logs. Without a whole
// MANIFEST, families skip the logs that are flushed according to their tables (flushed_logs.h),
// unless these may have what was lost from tables.
Status WriteNewManifest(const RepairJob& job, const RescuedTables& rescued,
                        const RepairReport& report, PlacedFamilies placed);

}  // namespace varve
