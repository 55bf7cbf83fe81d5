// SPDX-License-Identifier: Apache-2.0
// Blob files, and what entries of tables say of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

// Where the value of an entry of type "blob_index" is.
struct BlobReference {
  FileNumber file = 0;
  uint64_t offset = 0, size = 0;  // Of the stored value.
  CompressionType compression = CompressionType::kNone;
};
Result<BlobReference> ReportBlobIndex(std::string_view user_key, std::string_view stored);

// One record. Views are valid until the next call.
struct StoredBlob {
  uint64_t offset = 0;  // Of the record.
  std::string_view key;
  std::string_view value;  // As it is stored.
};

// Walks one blob file. One thread.
class BlobStream {
 public:
  static Result<BlobStream> Open(FileSystem& fs, const std::string& path);
  BlobStream(BlobStream&&) noexcept;
  BlobStream& operator=(BlobStream&&) noexcept;
  ~BlobStream();

  ColumnFamilyId family() const;
  CompressionType compression() const;
  // What the footer says; nullopt: there is none, as a crash of the writer leaves it.
  std::optional<uint64_t> blobs() const;

  // The checksum of the header of a record is verified, and that of the rest.
  bool Next(StoredBlob* blob);
  const Status& status() const;  // Check it when Next() returns false.
  // The value of the record that Next() returned, decompressed.
  Result<Value> ReadValue(const StoredBlob& blob) const;

 private:
  struct Impl;
  explicit BlobStream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
