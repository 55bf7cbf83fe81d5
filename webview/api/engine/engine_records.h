// SPDX-License-Identifier: Apache-2.0
// RecordReader over DB::OpenReadOnly. A library of its own (varve_api_engine), which links the
// engine; whoever wants …/get and …/scan hands EngineRecords() to ServiceOptions::records.
#pragma once

#include "varve/options.h"
#include "webview/api/records.h"

namespace varve {
class DB;
}

namespace varve::api {

// Opens with `options`, on the file system of each call.
RecordOpener EngineRecords(const Options& options);
// With the default options.
RecordOpener EngineRecords(const Environment& environment);

// Of a database that is open: each call sees what has been written by then. `db` must outlive the
// reader and its cursors.
std::shared_ptr<RecordReader> RecordsOf(DB& db);

}  // namespace varve::api
