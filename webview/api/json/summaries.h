// SPDX-License-Identifier: Apache-2.0
// What several resources show, described.
#pragma once

#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/schema/fields.h"
#include "webview/api/target.h"

namespace varve::api {

const Fields<Target>& TargetSummaryFields();

const Fields<BoundReport>& BoundFields();  // Elsewhere: BoundRef().

// A column family without its files.
const Fields<FamilyReport>& FamilySummaryFields();

const Fields<HandleReport>& HandleFields();

const Fields<OverlapReport>& OverlapFields();

// What the MANIFEST says of a table file.
struct FileOfFamily {
  const FileReport& file;
  const FamilyReport& family;
};
const Fields<FileOfFamily>& FileSummaryFields();

// What stands for the bytes of a table: its unique id, or its size and handles where it has none.
std::string FileIdentity(const TableReport& report);

struct EntryView {
  const StoredEntry& entry;
  bool keys_only;
};
const Fields<EntryView>& EntryFields();

}  // namespace varve::api
