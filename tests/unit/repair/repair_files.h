// SPDX-License-Identifier: Apache-2.0
// Files in memory, for the phases of a repair.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/manifest/version_edit.h"
#include "core/fs/memory_fs.h"
#include "core/table/write/table_builder.h"
#include "core/wal/log_writer.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "varve/comparator.h"
#include "varve/environment.h"

namespace varve {

// A directory "db" of a file system of its own.
class RepairFiles {
 public:
  RepairFiles() : fs_(NewMemoryFileSystem()), env_(NativeEnvironment()) {
    env_.file_system = fs_.get();
    REQUIRE(fs_->CreateDirectory("db").ok());
  }

  FileSystem& fs() { return *fs_; }
  const Environment& env() const { return env_; }

  void Write(const std::string& name, std::string_view bytes) {
    const auto file = fs_->Create("db/" + name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
  }
  std::string Read(const std::string& path) {
    const auto bytes = ReadFileToString(*fs_, path, 1 << 20);
    return bytes.ok() ? *bytes : "(none)";
  }

  // A table, and what a MANIFEST says of it on level 0.
  VersionEdit::NewFile Table(FileNumber number, const std::vector<TestEntry>& entries) {
    const auto file = fs_->Create("db/" + TableFileName(number), /*direct=*/false);
    REQUIRE(file.ok());
    TableBuilder builder(TableOptions(), *BytewiseComparator(), TableOrigin(), file->get());
    for (const TestEntry& entry : entries) REQUIRE(builder.Add(entry.key(), entry.value).ok());
    REQUIRE(builder.Finish().ok());
    FileDescription said;
    said.number = said.epoch = number;
    said.size = builder.file_size();
    said.smallest = builder.smallest();
    said.largest = builder.largest();
    said.smallest_sequence = builder.smallest_sequence();
    said.largest_sequence = builder.largest_sequence();
    return {0, said};
  }

  // The first edit begins a database; CURRENT names it.
  void Manifest(FileNumber number, const std::vector<VersionEdit>& edits,
                std::string_view damage = "") {
    auto file = fs_->Create("db/" + ManifestFileName(number), /*direct=*/false);
    REQUIRE(file.ok());
    LogWriter log(*std::move(file));
    for (const VersionEdit& edit : edits) {
      std::string record;
      EncodeVersionEdit(edit, &record);
      REQUIRE(log.Append(record).ok());
    }
    if (!damage.empty()) REQUIRE(log.Append(damage).ok());
    Write("CURRENT", ManifestFileName(number) + "\n");
  }
  static VersionEdit Begin(FileNumber next_file_number, Sequence last_sequence) {
    VersionEdit edit;
    edit.comparator = BytewiseComparator()->name();
    edit.log_number = edit.prev_log_number = 0;
    edit.next_file_number = next_file_number;
    edit.last_sequence = last_sequence;
    return edit;
  }

 private:
  std::unique_ptr<FileSystem> fs_;
  Environment env_;
};

}  // namespace varve
