// SPDX-License-Identifier: Apache-2.0
// Records as a stream of record batches, through Arrow's C stream interface.
#pragma once

#include <memory>

#include "core/arrow/c_data.h"
#include "core/arrow/record_shape.h"
#include "core/python/open_db.h"
#include "core/python/records.h"

namespace varve::python {

// Of a capsule with an ArrowArrayStream, as Arrow's PyCapsule interface wants it.
inline constexpr const char* kStreamName = "arrow_array_stream";

// Overwrites `*out`, whose functions may be called from any thread, with the GIL or without it, one
// at a time. They give errno's codes: EIO if a record cannot be read, EINVAL if it does not fit
// `shape`, ENOMEM, EBUSY for a second thread, ESHUTDOWN once the database is closed, ENOTSUP in a
// forked child. Records before an error are given first. Needs the GIL.
void ExportStream(std::shared_ptr<OpenDb> open, Cursor cursor, arrow::RecordShape shape,
                  bool reverse, ArrowArrayStream* out);

}  // namespace varve::python
