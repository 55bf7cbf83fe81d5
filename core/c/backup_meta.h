// SPDX-License-Identifier: Apache-2.0
// The description of one backup, RocksDB's meta/ID (schema 1; of schema 2, what does not change
// what a file is):
//
//   <Unix seconds>
//   <sequence number>
//   [metadata <hex>]
//   <number of files>
//   <path in the backup directory> crc32 <CRC-32C of the file, decimal>
//   ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::c {

struct BackupFile {
  std::string path;  // "private/1/CURRENT", "shared_checksum/000007_123456_789.sst"
  uint32_t crc = 0;
  uint64_t size = 0;  // Not in the description: that of the file.
};

struct BackupMeta {
  uint64_t unix_seconds = 0;
  uint64_t sequence = 0;
  std::string app_metadata = {};  // What the program gave with it.
  std::vector<BackupFile> files = {};

  uint64_t size() const;  // Of all files.
};

std::string FormatBackupMeta(const BackupMeta& meta);
// Corruption says what is wrong. Paths stay within the backup directory.
Result<BackupMeta> ParseBackupMeta(std::string_view text);

// "000007.sst" of "shared_checksum/000007_123456_789.sst", "CURRENT" of "private/1/CURRENT".
std::string DatabaseNameOf(std::string_view path);

}  // namespace varve::c
