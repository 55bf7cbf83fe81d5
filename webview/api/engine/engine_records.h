// SPDX-License-Identifier: Apache-2.0
// RecordReader over DB::OpenReadOnly. A separate library (varve_api_engine), which links the
// engine; programs that want …/get and …/scan set ServiceOptions::records to EngineRecords().
#pragma once

#include "varve/options.h"
#include "webview/api/records.h"

namespace varve {
class DB;
}

namespace varve::api {

// Opens with `options`, in the file system of each call.
RecordOpener EngineRecords(const Options& options);
// With the default options.
RecordOpener EngineRecords(const Environment& environment);

// For an open database: each call sees all earlier writes. `db` must outlive the reader and its
// cursors.
std::shared_ptr<RecordReader> RecordsOf(DB& db);

}  // namespace varve::api
