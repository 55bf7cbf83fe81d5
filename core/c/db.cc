// SPDX-License-Identifier: Apache-2.0
// Opening and closing.
#include <cstdlib>

#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/info_log.h"
#include "core/c/open.h"
#include "core/c/statistics.h"
#include "core/c/time_to_live.h"
#include "core/format/file_name.h"
#include "core/format/options/options_file.h"
#include "core/fs/complete_environment.h"

using varve::Status;
using varve::c::Access;
using varve::c::FamilyToOpen;
using varve::c::SaveError;

namespace varve::c {
namespace {

rocksdb_t* Open(const rocksdb_options_t* options, const char* path,
                const std::vector<FamilyToOpen>& families, Access access,
                rocksdb_column_family_handle_t** handles, char** errptr) {
  auto opened = OpenDatabase(*options, path, families, access);
  if (SaveError(errptr, opened.status())) return nullptr;
  for (size_t i = 0; handles != nullptr && i < families.size(); ++i) {
    handles[i] = NewFamilyHandle(opened->get(), families[i]);
  }
  return opened->release();
}

std::vector<FamilyToOpen> DefaultFamily(const rocksdb_options_t* options) {
  return {{std::string(kDefaultFamily), options}};
}

std::vector<FamilyToOpen> ListOf(int count, const char* const* names,
                                 const rocksdb_options_t* const* options) {
  std::vector<FamilyToOpen> families;
  for (int i = 0; i < count; ++i) families.push_back({names[i], options[i]});
  return families;
}

rocksdb_t* OpenWithTtl(const rocksdb_options_t* options, const char* path,
                       std::vector<FamilyToOpen> families, const int* ttls,
                       rocksdb_column_family_handle_t** handles, char** errptr) {
  Clock& clock = *Complete(options->env).clock;
  std::vector<rocksdb_options_t> with;
  with.reserve(families.size());
  for (size_t i = 0; i < families.size(); ++i) {
    with.push_back(WithTimeToLive(*families[i].options, ttls[i], clock));
    families[i].options = &with.back();
  }
  rocksdb_t* const db = Open(options, path, families, Access::kReadWrite, handles, errptr);
  if (db != nullptr) db->ttl_clock = &clock;
  return db;
}

// RocksDB has its LOG in the directory of the secondary.
rocksdb_t* OpenAsSecondary(const rocksdb_options_t* options, const char* path,
                           const char* secondary_path, const std::vector<FamilyToOpen>& families,
                           rocksdb_column_family_handle_t** handles, char** errptr) {
  const Status made = FileSystemOf(options->env).CreateDirectory(secondary_path);
  if (SaveError(errptr, IoErrorIfMissing(made))) return nullptr;
  rocksdb_t* const db = Open(options, path, families, Access::kReadOnly, handles, errptr);
  if (db == nullptr) return nullptr;
  db->secondary = true;
  db->log = NewInfoLog(*options, secondary_path, families);
  db->log->Begin(secondary_path);
  return db;
}

// Families that the primary has dropped stay as they were for those who have a handle.
Status CatchUp(rocksdb_t* db) {
  if (!db->secondary) return Status::NotSupported("Supported only by secondary instance");
  const std::vector<FamilyInfo> before = db->db->Families();
  RETURN_IF_ERROR(db->db->CatchUp({.keep_readable = true}));
  for (const FamilyInfo& family : before) {
    if (!db->HasHandle(family.id)) db->db->ForgetDroppedFamily(family.id);
  }
  return Status::Ok();
}

// RocksDB's answer to error_if_wal_file_exists, whatever is in the log.
Status CheckNoWal(const rocksdb_options_t& options, const std::string& path) {
  auto entries = FileSystemOf(options.env).List(path);
  if (!entries.ok()) return Status::Ok();  // Opening says what is wrong.
  for (const DirectoryEntry& entry : *entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kWal) continue;
    return Status::Corruption(
        "The db was opened in readonly mode with error_if_wal_file_exists but a WAL file already "
        "exists: " +
        entry.name);
  }
  return Status::Ok();
}

rocksdb_t* OpenReadOnly(const rocksdb_options_t* options, const char* path,
                        const std::vector<FamilyToOpen>& families, bool error_if_wal_file_exists,
                        rocksdb_column_family_handle_t** handles, char** errptr) {
  if (error_if_wal_file_exists && SaveError(errptr, CheckNoWal(*options, path))) return nullptr;
  return Open(options, path, families, Access::kReadOnly, handles, errptr);
}

}  // namespace
}  // namespace varve::c

extern "C" {

rocksdb_t* rocksdb_open(const rocksdb_options_t* options, const char* path, char** errptr) {
  return varve::c::Open(options, path, varve::c::DefaultFamily(options), Access::kReadWrite,
                        nullptr, errptr);
}

rocksdb_t* rocksdb_open_for_read_only(const rocksdb_options_t* options, const char* path,
                                      unsigned char error_if_wal_file_exists, char** errptr) {
  return varve::c::OpenReadOnly(options, path, varve::c::DefaultFamily(options),
                                error_if_wal_file_exists != 0, nullptr, errptr);
}

rocksdb_t* rocksdb_open_column_families(const rocksdb_options_t* options, const char* path,
                                        int count, const char* const* names,
                                        const rocksdb_options_t* const* family_options,
                                        rocksdb_column_family_handle_t** handles, char** errptr) {
  return varve::c::Open(options, path, varve::c::ListOf(count, names, family_options),
                        Access::kReadWrite, handles, errptr);
}

rocksdb_t* rocksdb_open_for_read_only_column_families(
    const rocksdb_options_t* options, const char* path, int count, const char* const* names,
    const rocksdb_options_t* const* family_options, rocksdb_column_family_handle_t** handles,
    unsigned char error_if_wal_file_exists, char** errptr) {
  return varve::c::OpenReadOnly(options, path, varve::c::ListOf(count, names, family_options),
                                error_if_wal_file_exists != 0, handles, errptr);
}

rocksdb_t* rocksdb_open_as_secondary(const rocksdb_options_t* options, const char* path,
                                     const char* secondary_path, char** errptr) {
  return varve::c::OpenAsSecondary(options, path, secondary_path, varve::c::DefaultFamily(options),
                                   nullptr, errptr);
}

rocksdb_t* rocksdb_open_as_secondary_column_families(const rocksdb_options_t* options,
                                                     const char* path, const char* secondary_path,
                                                     int count, const char* const* names,
                                                     const rocksdb_options_t* const* family_options,
                                                     rocksdb_column_family_handle_t** handles,
                                                     char** errptr) {
  return varve::c::OpenAsSecondary(options, path, secondary_path,
                                   varve::c::ListOf(count, names, family_options), handles, errptr);
}

void rocksdb_try_catch_up_with_primary(rocksdb_t* db, char** errptr) {
  SaveError(errptr, varve::c::CatchUp(db));
}

rocksdb_t* rocksdb_open_with_ttl(const rocksdb_options_t* options, const char* path, int ttl,
                                 char** errptr) {
  return varve::c::OpenWithTtl(options, path, varve::c::DefaultFamily(options), &ttl, nullptr,
                               errptr);
}

rocksdb_t* rocksdb_open_column_families_with_ttl(const rocksdb_options_t* options, const char* path,
                                                 int count, const char* const* names,
                                                 const rocksdb_options_t* const* family_options,
                                                 rocksdb_column_family_handle_t** handles,
                                                 const int* ttls, char** errptr) {
  return varve::c::OpenWithTtl(options, path, varve::c::ListOf(count, names, family_options), ttls,
                               handles, errptr);
}

// What could not be written has no errptr to be told by; it is in the WALs, unless they were off.
void rocksdb_close(rocksdb_t* db) {
  if (db == nullptr) return;
  if (db->statistics != nullptr) db->statistics->Remove(db->db.get());
  {
    varve::MutexLock lock(db->link->mutex);
    db->link->db = nullptr;
  }
  {
    varve::MutexLock lock(db->mutex);
    db->kept_files.reset();
  }
  const Status closed = db->db->Close();
  if (db->log != nullptr) {
    const auto level = closed.ok() ? varve::c::LogLevel::kInfo : varve::c::LogLevel::kError;
    db->log->Write(level, "Shutdown complete: " + varve::c::ErrorText(closed));
  }
  delete db;
}

}  // extern "C"
