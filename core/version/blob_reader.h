// SPDX-License-Identifier: Apache-2.0
// BlobReader resolves blob indexes (db-format section 9): it finds the file, reads the record,
// checks its checksums and that it is the key's own, and decompresses the value.
//
// Keeps the most recently used files open, or all. Thread-safe.
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

  // The value that `blob_index` (the value of an entry of type kBlobIndex) stands for. Corruption if
  // its file is missing: whoever deletes one has seen to it that no entry needs it.
  Result<Value> Read(std::string_view user_key, std::string_view blob_index) const;

  // Walks the whole file: header, every record, footer. Corruption naming the offset.
  struct Summary {
    uint64_t blobs = 0;
    uint64_t bytes = 0;  // As the MANIFEST counts: 32 + key + stored value per blob.
  };
  Result<Summary> Verify(FileNumber number) const;

  // The file is about to be deleted.
  void Evict(FileNumber number) const;

  // From now on, however many files are open, none is closed but by Evict().
  void KeepAllOpen();
  // Opens the file if it is not open. NotFound if there is none.
  Status Open(FileNumber number) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Would a read take what is stored as the value of an entry? Down to the blob file, unless `blobs`
// is null. As CheckStoredValue() and BlobReader::Read() say it.
Status CheckReadable(const BlobReader* blobs, const InternalKey& key, std::string_view stored);

}  // namespace varve
