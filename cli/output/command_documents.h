// SPDX-License-Identifier: Apache-2.0
// What commands answer when they are done, described (webview/api/schema/fields.h): their JSON, csv
// and schema come from it. Each is defined beside its command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/api_output.h"
#include "core/inspect/lsm/approximate_size.h"
#include "varve/stats.h"
#include "varve/types.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {

template <typename T>
void PrintReport(Console& console, std::string_view schema, const api::Fields<T>& fields,
                 const T& report) {
  api::Json document = {{"schema", std::string(schema)}};
  fields.AddTo(&document, report);
  PrintDocument(console, document);
}

struct PutDone {
  const std::string& family;
  const std::string& key;
  uint64_t value_bytes;
  Sequence sequence;
};
const api::Fields<PutDone>& PutFields();  // put

struct DeleteDone {
  const std::string& family;
  bool range;
  uint64_t changes;
  Sequence sequence;
};
const api::Fields<DeleteDone>& DeleteFields();  // delete

struct BatchesDone {
  uint64_t commits, changes;
  bool complete;
  Sequence sequence;
};
const api::Fields<BatchesDone>& BatchRunFields();  // batch

struct IngestDone {
  std::string family;
  uint64_t files, bytes;
  bool moved;
  Sequence sequence;
};
const api::Fields<IngestDone>& IngestFields();  // ingest

struct RangeSize {
  std::string family;
  const ApproximateSize& size;
};
const api::Fields<RangeSize>& RangeSizeFields();  // approxsize

struct CheckpointDone {
  const std::string& of;
  const std::string& directory;
  Sequence sequence;
};
const api::Fields<CheckpointDone>& CheckpointFields();  // checkpoint

struct CompactDone {
  const std::string& family;
  std::vector<LevelInfo> before, after;  // Without empty ones.
  uint64_t bytes_written;
};
const api::Fields<CompactDone>& CompactionFields();  // compact

}  // namespace varve::cli
