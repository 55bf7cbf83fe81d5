// SPDX-License-Identifier: Apache-2.0
// MANIFESTs made record by record, and read back from memory.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/fs/memory_fs.h"
#include "core/version/manifest_reader.h"
#include "core/wal/log_writer.h"
#include "tests/test_files.h"
#include "varve/file_system.h"

namespace varve {

inline VersionEdit Counters(uint64_t log, FileNumber next_file, Sequence last) {
  VersionEdit edit;
  edit.log_number = log;
  edit.next_file_number = next_file;
  edit.last_sequence = last;
  return edit;
}

inline VersionEdit WithCounters(VersionEdit edit, Sequence last) {
  edit.last_sequence = last;
  return edit;
}

// The bytes of MANIFEST-000009 as edits are appended, and what recovery makes of them.
class ManifestImage {
 public:
  ManifestImage() : fs_(NewMemoryFileSystem()) {
    REQUIRE(fs_->CreateDirectory("db").ok());
    WriteFile(*fs_, "db/CURRENT", "MANIFEST-000009\n");
    auto file = fs_->Create("db/log", /*direct=*/false);
    REQUIRE(file.ok());
    log_ = std::make_unique<LogWriter>(*std::move(file));
  }

  void Append(const VersionEdit& edit) {
    std::string record;
    EncodeVersionEdit(edit, &record);
    REQUIRE(log_->Append(record).ok());
    ends_.push_back(log_->size());
    auto bytes = ReadFileToString(*fs_, "db/log", uint64_t{1} << 30);
    REQUIRE(bytes.ok());
    bytes_ = *std::move(bytes);
  }

  const std::string& bytes() const { return bytes_; }
  uint64_t end_of(size_t record) const { return ends_[record]; }
  size_t RecordsWithin(uint64_t size) const {
    size_t records = 0;
    while (records < ends_.size() && ends_[records] <= size) records++;
    return records;
  }

  Result<RecoveredManifest> Read() { return Read(bytes_); }
  Result<RecoveredManifest> Read(std::string_view bytes) {
    WriteFile(*fs_, "db/MANIFEST-000009", bytes);
    return ReadManifest(*fs_, "db", Options{}, nullptr);
  }

 private:
  std::unique_ptr<FileSystem> fs_;
  std::unique_ptr<LogWriter> log_;
  std::vector<uint64_t> ends_;
  std::string bytes_;
};

}  // namespace varve
