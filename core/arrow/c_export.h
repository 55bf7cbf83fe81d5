// SPDX-License-Identifier: Apache-2.0
// Gives columns away through Arrow's C data interface: as a struct with a child for each column.
#pragma once

#include <vector>

#include "core/arrow/c_data.h"
#include "core/arrow/record_columns.h"

namespace varve::arrow {

// The type of the batches. `*out` is overwritten; whoever has it calls its release().
void ExportSchema(const std::vector<ColumnField>& fields, ArrowSchema* out);

// The records, whose buffers are not copied. As above.
void ExportBatch(RecordColumns records, ArrowArray* out);

}  // namespace varve::arrow
