// SPDX-License-Identifier: Apache-2.0
// BlobReader resolves blob indexes (db-format section 9): it opens the file, reads the record,
// verifies its checksums and its key, and decompresses the value.
//
// Keeps the most recently used files open, or all files. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/format/internal_key.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

class BlobReader {
 public:
  // Files are "<directory>/<number>.blob".
  BlobReader(FileSystem& fs, std::string directory);
  ~BlobReader();

  // The value that `blob_index` (the value of a kBlobIndex entry) refers to. Corruption if its file
  // is missing: a blob file is only deleted when no entry refers to it.
  Result<Value> Read(std::string_view user_key, std::string_view blob_index) const;

  // Reads and verifies the whole file: header, every record, footer. Corruption naming the offset.
  struct Summary {
    uint64_t blobs = 0;
    uint64_t bytes = 0;  // As counted in the MANIFEST: 32 + key + stored value per blob.
  };
  Result<Summary> Verify(FileNumber number) const;

  // The file is about to be deleted.
  void Evict(FileNumber number) const;

  // From now on files are closed only by Evict(), however many are open.
  void KeepAllOpen();
  // Opens the file if it is not open. NotFound if there is none.
  Status Open(FileNumber number) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether reads accept the stored value of an entry: CheckStoredValue() and, unless `blobs` is
// null, BlobReader::Read().
Status CheckReadable(const BlobReader* blobs, const InternalKey& key, std::string_view stored);

}  // namespace varve
