// SPDX-License-Identifier: Apache-2.0
// The names of the files of a database directory (db-format 1.1).
//
//   CURRENT  IDENTITY  LOCK  LOG  LOG.old.<microseconds>          no file number
//   MANIFEST-n  OPTIONS-n  OPTIONS-n.dbtmp
//   n.log  n.sst  n.ldb  n.blob  n.dbtmp                          n: at least 6 digits when written
//
// Names that do not parse are not files of a database, and are left alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "varve/types.h"

namespace varve {

enum class FileKind : uint8_t {
  kCurrent,
  kIdentity,
  kLock,
  kInfoLog,  // LOG, LOG.old, LOG.old.<microseconds>; number: the microseconds.
  kManifest,
  kWal,
  kTable,     // n.sst
  kTableLdb,  // n.ldb: LevelDB's name for the same.
  kBlob,
  kTemporary,  // n.dbtmp
  kOptions,
  kOptionsTemporary,    // OPTIONS-n.dbtmp
  kCompactionProgress,  // RocksDB 11.x; also its .dbtmp. Ignored.
  kMetaDatabase,        // METADB-n: not written by any current release. Ignored.
};

struct FileName {
  FileKind kind = FileKind::kCurrent;
  FileNumber number = 0;

  bool operator==(const FileName&) const = default;
};

// `name`: without directories. Nullopt if it is not the name of a database file.
std::optional<FileName> ParseFileName(std::string_view name);

inline constexpr std::string_view kCurrentFileName = "CURRENT";
inline constexpr std::string_view kIdentityFileName = "IDENTITY";
inline constexpr std::string_view kLockFileName = "LOCK";
inline constexpr std::string_view kInfoLogFileName = "LOG";

std::string ManifestFileName(FileNumber number);   // "MANIFEST-000005"
std::string WalFileName(FileNumber number);        // "000007.log"
std::string TableFileName(FileNumber number);      // "000012.sst"
std::string TableLdbFileName(FileNumber number);   // "000012.ldb"
std::string BlobFileName(FileNumber number);       // "000013.blob"
std::string TemporaryFileName(FileNumber number);  // "000005.dbtmp"
std::string OptionsFileName(FileNumber number);    // "OPTIONS-000009"
std::string OptionsTemporaryFileName(FileNumber number);

// "directory/name".
std::string JoinPath(std::string_view directory, std::string_view name);

}  // namespace varve
