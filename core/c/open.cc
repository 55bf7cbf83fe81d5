// SPDX-License-Identifier: Apache-2.0
#include "core/c/open.h"

#include <algorithm>

#include "core/base/try.h"
#include "core/c/cache.h"
#include "core/c/error.h"
#include "core/c/info_log.h"
#include "core/c/interface.h"
#include "core/c/statistics.h"
#include "core/engine/open/open_listened.h"
#include "core/format/file_name.h"
#include "core/format/options/options_file.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "core/table/block/clock_cache.h"
#include "core/table/cache/table_cache.h"
#include "core/version/manifest_reader.h"

namespace varve::c {
namespace {

bool Exists(FileSystem& fs, const std::string& path) {
  return fs.Exists(JoinPath(path, kCurrentFileName));
}

Result<RecoveredManifest> Manifest(FileSystem& fs, const std::string& path) {
  TableCache tables(fs, path, std::make_shared<ClockCache>(0), /*max_open_files=*/1,
                    /*direct_reads=*/false);
  return ReadManifest(fs, path, InspectionOptions(), &tables);
}

bool Has(std::span<const FamilyToOpen> families, std::string_view name) {
  return std::any_of(families.begin(), families.end(),
                     [&](const FamilyToOpen& family) { return family.name == name; });
}

std::string NameOf(const Comparator* comparator) {
  return std::string((comparator == nullptr ? BytewiseComparator() : comparator)->name());
}

// A family to be opened that exists has the comparator that it was made with; another one is made
// now, or there is none.
Status CheckFamily(const FamilyToOpen& family, std::span<const StoredFamily> existing,
                   bool creates) {
  const auto stored = std::find_if(existing.begin(), existing.end(),
                                   [&](const auto& other) { return other.name == family.name; });
  if (stored == existing.end()) {
    if (creates || family.name == kDefaultFamily) return Status::Ok();
    return Status::InvalidArgument("Column family not found: " + family.name);
  }
  const std::string comparator = NameOf(family.options->comparator);
  if (comparator == stored->comparator) return Status::Ok();
  return Status::InvalidArgument(comparator + ": does not match existing comparator " +
                                 stored->comparator);
}

// Before anything is changed.
Status CheckFamilies(const rocksdb_options_t& options, const std::string& path,
                     std::span<const FamilyToOpen> families, Access access) {
  if (!Has(families, kDefaultFamily)) {
    return Status::InvalidArgument("Default column family not specified");
  }
  std::vector<StoredFamily> existing;
  if (Exists(FileSystemOf(options.env), path)) {
    ASSIGN_OR_RETURN(existing, ListFamilies(options.env, path));
  }
  const bool creates =
      access == Access::kReadWrite && options.values.create_missing_column_families;
  for (const FamilyToOpen& family : families) {
    RETURN_IF_ERROR(CheckFamily(family, existing, creates));
  }
  std::string missing;
  for (const StoredFamily& family : existing) {
    if (!Has(families, family.name)) missing += (missing.empty() ? "" : ", ") + family.name;
  }
  if (access == Access::kReadOnly || missing.empty()) return Status::Ok();
  return Status::InvalidArgument("Column families not opened: " + missing);
}

Status AddFamilies(std::span<const FamilyToOpen> families, Options* out) {
  bool no_cache = out->block_cache == nullptr && out->block_cache_bytes == 0;
  for (const auto& [name, options] : families) {
    ASSIGN_OR_RETURN(out->families[name], FamilyToEngine(*options));
    if (out->block_cache != nullptr || no_cache || !options->table) continue;
    // The engine has one cache for all families.
    if (options->table->block_cache != nullptr) {
      out->block_cache = options->table->block_cache->blocks;
    }
  }
  return Status::Ok();
}

// A directory, or the name of one that could be made.
bool IsPlaceForDatabase(FileSystem& fs, const std::string& path) {
  return fs.Exists(path) ? fs.List(path).ok() : fs.Exists(DirectoryOf(WithoutLastSlash(path)));
}

// The codes of RocksDB, where they differ.
Status Translated(const Status& status, const rocksdb_options_t& options, const std::string& path) {
  if (status.code() == Code::kBusy) {
    return Status::IoError("While lock file: " + path + "/LOCK: " + std::string(status.message()));
  }
  if (status.code() != Code::kNotFound || options.values.create_if_missing ||
      !IsPlaceForDatabase(FileSystemOf(options.env), path)) {
    return IoErrorIfMissing(status);
  }
  return Status::InvalidArgument(path + "/CURRENT: does not exist (create_if_missing is false)");
}

void LogRecovery(const RecoveryReport& report, InfoLog* log) {
  log->Write(LogLevel::kInfo, "Recovered " + std::to_string(report.wal_records) + " records from " +
                                  std::to_string(report.wal_files) + " logs of " +
                                  std::to_string(report.wal_bytes) + " bytes");
  for (const RecoveryLoss& loss : report.losses) {
    log->Write(loss.damage ? LogLevel::kError : LogLevel::kWarn,
               loss.file + "@" + std::to_string(loss.offset) + ": " + loss.reason + "; " +
                   std::to_string(loss.bytes) + " bytes are left out");
  }
  for (const std::string& note : report.option_notes) log->Write(LogLevel::kWarn, note);
}

}  // namespace

std::string WithoutLastSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

FileSystem& FileSystemOf(const Environment& env) { return *Complete(env).file_system; }

Result<std::vector<StoredFamily>> ListFamilies(const Environment& env, const std::string& path) {
  const Result<RecoveredManifest> manifest = Manifest(FileSystemOf(env), path);
  if (!manifest.ok()) return IoErrorIfMissing(manifest.status());
  std::vector<StoredFamily> stored;
  for (const FamilyState& family : manifest->state.families.all()) {
    const bool said = !family.comparator_name.empty();
    stored.push_back({family.name, said ? family.comparator_name : NameOf(nullptr)});
  }
  return stored;
}

Result<std::string> IdInManifest(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(const RecoveredManifest manifest, Manifest(fs, path));
  return manifest.state.counters.db_id;
}

std::shared_ptr<InfoLog> NewInfoLog(const rocksdb_options_t& options, const std::string& path,
                                    std::span<const FamilyToOpen> families) {
  auto log = std::make_shared<InfoLog>(options, path);
  log->Write(LogLevel::kHeader,
             "Varve, as librocksdb.so of RocksDB version: " + std::string(kInterface.version));
  LogOptions(options, log.get());
  for (const FamilyToOpen& family : families) {
    LogFamilyOptions(family.name, *family.options, log.get());
  }
  return log;
}

rocksdb_column_family_handle_t* NewFamilyHandle(rocksdb_t* db, const FamilyToOpen& family) {
  const std::optional<ColumnFamilyId> id = db->db->FindFamily(family.name);
  if (!id) return nullptr;
  return new rocksdb_column_family_handle_t(
      db->HandleOf(*id, family.name, db->Keep(*family.options)));
}

Result<std::unique_ptr<rocksdb_t>> OpenDatabase(const rocksdb_options_t& options,
                                                const std::string& path,
                                                std::span<const FamilyToOpen> families,
                                                Access access) {
  Options engine;
  RETURN_IF_ERROR(ToEngine(options, path, &engine));
  RETURN_IF_ERROR(AddFamilies(families, &engine));
  RETURN_IF_ERROR(CheckFamilies(options, path, families, access));
  auto handle = std::make_unique<rocksdb_t>(path);
  // Recovery may need merge operators already.
  for (const FamilyToOpen& family : families) {
    auto objects = handle->Keep(*family.options);
    if (family.name == kDefaultFamily) handle->default_family.objects = std::move(objects);
    if (family.options->values.inplace_update_support != 0) handle->updates_in_place = true;
  }
  handle->default_family.name = kDefaultFamily;
  if (access == Access::kReadWrite) handle->log = NewInfoLog(options, path, families);
  RecoveryReport report;
  auto opened = access == Access::kReadOnly
                    ? DB::OpenReadOnly(engine, path)
                    : OpenListened(engine, path, handle->log.get(), &report);
  if (!opened.ok()) {
    return access == Access::kReadOnly ? IoErrorIfMissing(opened.status())
                                       : Translated(opened.status(), options, path);
  }
  handle->db = *std::move(opened);
  if (handle->log != nullptr) {
    handle->log->Begin(path);
    LogRecovery(report, handle->log.get());
  }
  {
    MutexLock lock(handle->link->mutex);
    handle->link->db = handle->db.get();
  }
  handle->read_only = access == Access::kReadOnly;
  handle->file_system = &FileSystemOf(options.env);
  if (options.statistics != nullptr) {
    handle->statistics = options.statistics;
    handle->statistics->Add(handle->db.get());
  }
  return handle;
}

}  // namespace varve::c

std::shared_ptr<const varve::c::FamilyObjects> rocksdb_t::Keep(const rocksdb_options_t& options) {
  auto kept = std::make_shared<const varve::c::FamilyObjects>(
      varve::c::FamilyObjects{options.merge_operator, options.prefix_extractor,
                              varve::c::FiltersOf(options), options.comparator});
  varve::MutexLock lock(mutex);
  objects.push_back(kept);
  return kept;
}

rocksdb_column_family_handle_t rocksdb_t::HandleOf(
    varve::ColumnFamilyId id, const std::string& name,
    std::shared_ptr<const varve::c::FamilyObjects> given) {
  varve::MutexLock lock(mutex);
  Family& family = families[id];
  family.objects = given;
  std::shared_ptr<varve::c::FamilyUse> use = family.use.lock();
  if (use == nullptr) family.use = use = std::make_shared<varve::c::FamilyUse>(link, id);
  return {id, name, std::move(given), std::move(use)};
}

bool rocksdb_t::HasHandle(varve::ColumnFamilyId id) {
  varve::MutexLock lock(mutex);
  const auto known = families.find(id);
  return known != families.end() && !known->second.use.expired();
}

std::shared_ptr<const varve::c::FamilyObjects> rocksdb_t::ObjectsOf(varve::ColumnFamilyId id) {
  if (id == varve::kDefaultColumnFamilyId) return default_family.objects;
  varve::MutexLock lock(mutex);
  const auto known = families.find(id);
  return known == families.end() ? nullptr : known->second.objects;
}
