// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_survey.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/internal_key.h"
#include "core/format/value/blob_record.h"
#include "core/inspect/verify/findings.h"
#include "core/version/seen_bounds.h"

namespace varve {
namespace {

// Repair uses the same criterion as verification. Parts that could not be checked (an unknown
// comparator or codec) do not count as damage.
Status VerifySurveyed(FileSystem& fs, const std::string& path, const TableContext& context,
                      const BlobReader& blobs) {
  VerifyReport report;
  const VerifyProgressFn no_progress;
  Findings findings(&report, no_progress);
  const ExpectedTable expected{.comparator = context.comparator,
                               .blobs = &blobs,
                               .global_sequence = context.largest_sequence};
  ASSIGN_OR_RETURN(const auto table, BeginTableVerification(fs, path, path, expected, &findings));
  while (table != nullptr && table->Step()) {
  }
  for (const Finding& finding : report.findings) {
    const std::string place = finding.offset ? path + "@" + std::to_string(*finding.offset) : path;
    if (finding.severity == Finding::Severity::kError) {
      return Status::Corruption(finding.what).At(place);
    }
    // Not a defect of the table; reported when the blob file is copied.
    if (finding.layer == kBlobLayer && finding.severity == Finding::Severity::kUnreadable) continue;
    if (finding.severity == Finding::Severity::kUnreadable) {
      return Status::IoError(finding.what).At(place);
    }
  }
  return Status::Ok();
}

}  // namespace

Result<TableSurvey> SurveyTable(FileSystem& fs, const std::string& path,
                                const TableContext& context, const BlobReader& blobs) {
  RETURN_IF_ERROR(VerifySurveyed(fs, path, context, blobs));
  TableSurvey survey;
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(survey.reader, TableReader::Open(std::move(file),
                                                    {.comparator = context.comparator,
                                                     .global_sequence = context.largest_sequence}));
  const TableReader& reader = *survey.reader;
  if (reader.comparator() == nullptr) {
    return UnknownOrder(path, reader.comparator_name());
  }
  SeenBounds bounds(*reader.comparator());
  const auto it = reader.NewIterator({.fill_cache = false});
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const InternalKey& key = it->key();
    bounds.Cover(key);
    bounds.CoverSequence(key.sequence);
    ++survey.entries;
    if (key.type != ValueType::kBlobIndex) continue;
    const auto blob = DecodeBlobIndex(it->value(), key.user_key);
    if (!blob.ok()) continue;
    BlobReader::Summary& used = survey.blob_files[blob->file];
    ++used.blobs;
    used.bytes += kBlobRecordHeaderSize + key.user_key.size() + blob->size;
  }
  RETURN_IF_ERROR(it->status());
  survey.smallest_point = bounds.smallest();
  survey.largest_point = bounds.largest();
  for (const RangeTombstone& deletion : reader.RawTombstones()) {
    bounds.Cover({deletion.begin, deletion.sequence, ValueType::kRangeDeletion});
    bounds.Cover({deletion.end, kMaxSequence, ValueType::kRangeDeletion});
    bounds.CoverSequence(deletion.sequence);
    ++survey.entries;
  }
  if (bounds.last_sequence() > context.last_sequence) {
    return Status::Corruption("holds the sequence " + std::to_string(bounds.last_sequence()) +
                              ", and " + std::to_string(context.last_sequence) +
                              " is the last one of the database")
        .At(path);
  }
  if (bounds.empty()) return Status::Corruption(path + ": has no entries");
  CHECK_OP(survey.entries, >, 0);
  bounds.Describe(&survey.description);
  survey.description.size = reader.file_size();
  survey.description.file_checksum_function.clear();
  survey.description.creation_time = reader.properties().file_creation_time;
  survey.description.oldest_ancestor_time = reader.properties().creation_time;
  if (!survey.blob_files.empty()) {
    survey.description.oldest_blob_file = survey.blob_files.begin()->first;
  }
  return survey;
}

}  // namespace varve
