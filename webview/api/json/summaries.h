// SPDX-License-Identifier: Apache-2.0
// The JSON of things that several resources show, each with its schema.
#pragma once

#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/json/bytes_json.h"
#include "webview/api/json/json.h"
#include "webview/api/target.h"

namespace varve::api {

// {"id":"t1","name":"pkgs","kind":"db","live":false}
Json TargetSummaryJson(const Target& target);
Json TargetSummarySchema();

// {"key":{…},"seq":"17","type":"put"}; schema: BoundRef().
Json BoundJson(const BoundReport& bound);

// A column family without its files.
Json FamilySummaryJson(const FamilyReport& family);
Json FamilySummarySchema();

// {"offset":4096,"size":4011}, of a block
Json HandleJson(const HandleReport& handle);
Json HandleSchema();

// What the MANIFEST says of a table file.
Json FileSummaryJson(const FileReport& file, const FamilyReport& family);
Json FileSummarySchema();

// What stands for the bytes of a table: its unique id, or its size and handles where it has none.
std::string FileIdentity(const TableReport& report);

// {"key":{…},"seq":"17","type":"put","value":{…}}
Json EntryJson(const StoredEntry& entry, const BytesStyle& style, const std::string& href,
               bool keys_only);
Json EntrySchema();

}  // namespace varve::api
