// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/target.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "core/base/bytes/byte_reader.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/log/write_batch_format.h"
#include "core/format/manifest/version_edit.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_reader.h"
#include "core/wal/log_reader.h"

namespace varve {
namespace {

// The last 8 bytes of every table format, supported or not (sst-format 4.2).
constexpr std::array<uint64_t, 5> kTableMagics = {0xDB4775248B80FB57, 0x88E241B785F4CFF7,
                                                  0x8242229663BF9564, 0x4F3418EB7A8F13B8,
                                                  0x926789D0C5F17873};

Result<bool> EndsWithTableMagic(const RandomAccessFile& file, uint64_t size) {
  if (size < 8) return false;
  std::array<char, 8> buffer;
  ASSIGN_OR_RETURN(const std::string_view tail, file.Read(size - 8, 8, buffer.data()));
  ByteReader in(tail);
  uint64_t magic = 0;
  if (!in.ReadFixed64(&magic)) return false;
  return std::find(kTableMagics.begin(), kTableMagics.end(), magic) != kTableMagics.end();
}

// The log number in recyclable headers; 0 if the file begins with another header.
uint64_t LogNumberOf(const RandomAccessFile& file) {
  std::array<char, kRecyclableLogHeaderSize> buffer;
  const auto head = file.Read(0, buffer.size(), buffer.data());
  if (!head.ok() || head->size() < buffer.size()) return 0;
  return IsRecyclable(DecodeLogRecordHeader(*head).type) ? RecyclableLogNumber(*head) : 0;
}

// A valid edit starts with a known tag, a valid batch with a header whose count matches its
// records: one record is enough to distinguish them.
TargetKind KindOfLog(const RandomAccessFile& file, uint64_t size) {
  for (const bool as_manifest : {true, false}) {
    LogReader reader(file, size, as_manifest ? 0 : LogNumberOf(file));
    if (reader.Next() != LogReader::Event::kRecord) continue;
    if (as_manifest && !reader.record().empty() && DecodeVersionEdit(reader.record()).ok()) {
      return TargetKind::kManifest;
    }
    if (!as_manifest) {
      BatchReader batch(reader.record());
      BatchRecord record;
      while (batch.Next(&record)) {
      }
      if (batch.status().ok()) return TargetKind::kWal;
    }
  }
  return TargetKind::kUnknown;
}

}  // namespace

std::string_view TargetKindName(TargetKind kind) {
  switch (kind) {
    case TargetKind::kDatabase:
      return "db";
    case TargetKind::kTable:
      return "sst";
    case TargetKind::kManifest:
      return "manifest";
    case TargetKind::kWal:
      return "wal";
    case TargetKind::kDirectory:
    case TargetKind::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view TargetKindText(TargetKind kind) {
  switch (kind) {
    case TargetKind::kDatabase:
      return "a database";
    case TargetKind::kTable:
      return "a table";
    case TargetKind::kManifest:
      return "a MANIFEST";
    case TargetKind::kWal:
      return "a write-ahead log";
    case TargetKind::kDirectory:
      return "a directory";
    case TargetKind::kUnknown:
      break;
  }
  return "a file of an unknown kind";
}

Result<TargetKind> IdentifyTarget(FileSystem& fs, const std::string& path) {
  if (const std::string current = JoinPath(path, kCurrentFileName); fs.Exists(current)) {
    // A web server may have failed to answer whether it does.
    RETURN_IF_ERROR(fs.FileSize(current).status());
    return TargetKind::kDatabase;
  }
  if (!fs.Exists(path)) return Status::NotFound(path + ": no such file or directory");
  if (fs.List(path).ok()) {
    const Status missing = MissingCurrent(fs, path);
    if (missing.code() == Code::kCorruption) return missing;
    return TargetKind::kDirectory;
  }
  ASSIGN_OR_RETURN(const auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  ASSIGN_OR_RETURN(const bool is_table, EndsWithTableMagic(*file, size));
  return is_table ? TargetKind::kTable : KindOfLog(*file, size);
}

Result<TargetKind> RequireKind(FileSystem& fs, const std::string& path, std::string_view not_what,
                               std::initializer_list<TargetKind> wanted) {
  const auto is_wanted = [&wanted](TargetKind kind) {
    return std::find(wanted.begin(), wanted.end(), kind) != wanted.end();
  };
  ASSIGN_OR_RETURN(const TargetKind kind, IdentifyTarget(fs, path));
  if (is_wanted(kind)) return kind;
  if (kind == TargetKind::kDirectory && is_wanted(TargetKind::kDatabase)) {
    return MissingCurrent(fs, path);
  }
  return Status::InvalidArgument(path + " is " + std::string(not_what) + " but " +
                                 std::string(TargetKindText(kind)));
}

Status RequireDatabase(FileSystem& fs, const std::string& path) {
  return RequireKind(fs, path, "not a database", {TargetKind::kDatabase}).status();
}

Result<TargetKind> RequireTable(FileSystem& fs, const std::string& path) {
  Result<TargetKind> kind =
      RequireKind(fs, path, "not a table", {TargetKind::kTable, TargetKind::kUnknown});
  if (kind.status().code() != Code::kInvalidArgument || !fs.List(path).ok()) return kind;
  return Status::InvalidArgument(std::string(kind.status().message()) +
                                 "; name a table in it (*.sst, *.ldb)");
}

namespace {

// The directory that `path` is in, or will be, if it is a database's.
std::string DatabaseAround(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(path, error);
  if (error) return "";  // Whoever makes the file finds out.
  std::string directory = real.parent_path().string();
  const std::string current = JoinPath(directory, kCurrentFileName);
  return std::filesystem::exists(current, error) ? directory : "";
}

}  // namespace

bool IsNameOfDatabaseFile(const std::string& path) {
  return ParseFileName(std::filesystem::path(path).filename().string()) &&
         !DatabaseAround(path).empty();
}

Status CheckNotInLevelDb(FileSystem& fs, const std::string& path) {
  const std::string directory = DatabaseAround(path);
  return !directory.empty() && HoldsLevelDb(fs, directory) ? RefuseToWriteLevelDb(directory)
                                                           : Status::Ok();
}

}  // namespace varve
