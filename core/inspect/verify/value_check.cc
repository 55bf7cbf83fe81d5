// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/value_check.h"

#include "core/format/value/blob_record.h"
#include "core/format/value/stored_value.h"

namespace varve {

std::optional<std::string> ValueCheck::Damage(const InternalKey& key, std::string_view value,
                                              BlockHandle block, uint64_t offset) {
  const Status read = CheckReadable(table_.expected.blobs, key, value);
  if (read.ok() || IsInReportedBlobFile(key, value)) return std::nullopt;
  std::string what = "the value of " + DebugString(key) + " at byte " + std::to_string(offset) +
                     ": " + std::string(read.message());
  if (read.code() == Code::kNotSupported) {
    if (!unsupported_values_) table_.findings.NotChecked("table", table_.name, std::move(what));
    unsupported_values_ = true;
    return std::nullopt;
  }
  if (read.code() == Code::kIoError) {
    table_.findings.Add({.severity = Finding::Severity::kUnreadable,
                         .layer = std::string(kBlobLayer),
                         .file = table_.name,
                         .offset = block.offset,
                         .what = std::move(what)});
    return std::nullopt;
  }
  return what;
}

// All values in an unreadable blob file have the same error: only the first is reported, or none
// if the file is not needed any more.
bool ValueCheck::IsInReportedBlobFile(const InternalKey& key, std::string_view value) {
  const BlobReader* const blobs = table_.expected.blobs;
  if (key.type != ValueType::kBlobIndex || blobs == nullptr) return false;
  const Result<BlobIndex> index = DecodeBlobIndex(value, key.user_key);
  if (!index.ok()) return false;
  const Status opened = blobs->Open(index->file);
  if (opened.ok()) return false;
  if (!reported_blob_files_.insert(index->file).second) return true;
  return opened.code() == Code::kNotFound && table_.expected.still_named != nullptr &&
         !table_.expected.still_named();
}

}  // namespace varve
