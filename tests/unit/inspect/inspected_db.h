// SPDX-License-Identifier: Apache-2.0
// A database in memory, made by the engine with nothing but what a test asks for, for the reports.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "varve/db.h"

namespace varve {

struct InspectedDb {
  InspectedDb() : owned(NewMemoryFileSystem()), fs(*owned) {
    options.create_if_missing = true;
    options.env = NativeEnvironment();
    options.env.file_system = owned.get();
    options.env.executor = &executor;
    options.family.disable_auto_compactions = true;
    options.family.table.compression = CompressionType::kNone;
    auto opened = DB::Open(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db = *std::move(opened);
  }
  void Put(const std::string& key, const std::string& value, ColumnFamilyId family = 0) {
    REQUIRE(db->Put({}, key, value, family).ok());
  }
  void Flush() { REQUIRE(db->Flush().ok()); }
  void Close() {
    REQUIRE(db->Close().ok());
    db.reset();
  }
  // Of the tables, ascending.
  std::vector<std::string> Tables() const {
    std::vector<std::string> names;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".sst")) names.push_back(entry.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  void Flip(const std::string& name, size_t at) {
    std::string bytes = *ReadFileToString(fs, "db/" + name, 1 << 24);
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    auto file = fs.Create("db/" + name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
    REQUIRE((*file)->Close().ok());
  }

  const std::unique_ptr<FileSystem> owned;
  FileSystem& fs;
  InlineExecutor executor;
  Options options;
  std::unique_ptr<DB> db;
};

}  // namespace varve
