// SPDX-License-Identifier: Apache-2.0
// Assigns sequences to ingested tables, which only the MANIFEST knew, if that is not whole. Input:
// the rescued tables. Output: the same with sequences, and a note in their rows.
#pragma once

#include "core/repair/table_rescue.h"
#include "core/version/blob_reader.h"
#include "varve/status.h"

namespace varve {

// Ingestion took the next sequence, so it follows those of all tables with smaller numbers.
Status AssignIngestedSequences(FileSystem& fs, const BlobReader& blobs, RescuedTables* rescued);

}  // namespace varve
