// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_metadata.h"

#include <optional>
#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

InternalKey Bound(const std::string& encoded) {
  const std::optional<InternalKey> key = DecodeInternalKey(encoded);
  CHECK(key.has_value());
  return *key;
}

}  // namespace

FileMetadata::FileMetadata(FileDescription d)
    : description(std::move(d)),
      smallest(Bound(description.smallest)),
      largest(Bound(description.largest)) {
  SetCounts(description.counts);
}

TableCounts FileMetadata::counts() const {
  const uint64_t entries = entries_.load(std::memory_order_acquire);
  if (entries == 0) return {};
  return {.entries = entries,
          .deletions = deletions_.load(std::memory_order_relaxed),
          .raw_key_bytes = raw_key_bytes_.load(std::memory_order_relaxed),
          .raw_value_bytes = raw_value_bytes_.load(std::memory_order_relaxed)};
}

void FileMetadata::SetCounts(const TableCounts& counts) const {
  deletions_.store(counts.deletions, std::memory_order_relaxed);
  raw_key_bytes_.store(counts.raw_key_bytes, std::memory_order_relaxed);
  raw_value_bytes_.store(counts.raw_value_bytes, std::memory_order_relaxed);
  entries_.store(counts.entries, std::memory_order_release);
}

}  // namespace varve
