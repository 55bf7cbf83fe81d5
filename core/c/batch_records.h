// SPDX-License-Identifier: Apache-2.0
// Copying a write batch with changes.
#pragma once

#include <string_view>

#include "core/format/log/write_batch_format.h"
#include "varve/status.h"
#include "varve/write_batch.h"

namespace varve::c {

// Adds a record of another batch. NotSupported if it is none of DB's changes, nor data for the log.
Status AppendRecord(const BatchRecord& record, WriteBatch* batch);
// For the log only: it counts as no change.
void AppendLogData(std::string_view blob, WriteBatch* batch);

}  // namespace varve::c
