// SPDX-License-Identifier: Apache-2.0
// Types that several resources show.
#pragma once

#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/schema/fields.h"
#include "webview/api/target.h"

namespace varve::api {

const Fields<Target>& TargetSummaryFields();

const Fields<BoundReport>& BoundFields();  // Elsewhere: BoundRef().

const Fields<LevelReport>& LevelSummaryFields();

// A column family without its files.
const Fields<FamilyReport>& FamilySummaryFields();

const Fields<HandleReport>& HandleFields();

const Fields<OverlapReport>& OverlapFields();

// The MANIFEST's description of a table file: without its family, and with it.
const Fields<FileReport>& FileOfLevelFields();
struct FileOfFamily {
  const FileReport& file;
  const FamilyReport& family;
};
const Fields<FileOfFamily>& FileSummaryFields();

// Identifies the contents of a table: its unique id or, without one, its size and handles.
std::string FileIdentity(const TableReport& report);

struct EntryView {
  const StoredEntry& entry;
  bool keys_only;
};
const Fields<EntryView>& EntryFields();

}  // namespace varve::api
