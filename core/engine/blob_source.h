// SPDX-License-Identifier: Apache-2.0
// BlobSource fetches the values that RocksDB moved out of the tables into "<number>.blob" files
// (db-format section 9). Files are opened at first use and kept open. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/mutex.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

class BlobSource {
 public:
  BlobSource(FileSystem& fs, std::string directory);
  ~BlobSource();

  // The value that `blob_index` (the bytes of a kBlobIndex entry) of `user_key` stands for; the
  // record's checksums and its key are verified.
  Result<Value> Fetch(std::string_view user_key, std::string_view blob_index);

  // The file is about to be deleted.
  void Evict(FileNumber number) EXCLUDES(mutex_);

 private:
  struct OpenFile;
  Result<std::shared_ptr<const OpenFile>> Find(FileNumber number) EXCLUDES(mutex_);

  FileSystem& fs_;
  const std::string directory_;
  Mutex mutex_;
  std::map<FileNumber, std::shared_ptr<const OpenFile>> files_ GUARDED_BY(mutex_);
};

}  // namespace varve
