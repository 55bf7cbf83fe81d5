// SPDX-License-Identifier: Apache-2.0
// A family's levels and the tables in them. The handle of a table points into that of its level.
#include "core/c/error.h"
#include "core/c/live_files.h"
#include "core/format/file_name.h"

struct rocksdb_level_metadata_t {
  int level;
  std::vector<varve::LiveFile> files;
  std::vector<std::string> directories;  // Of each.
};

struct rocksdb_column_family_metadata_t {
  std::string name;
  std::vector<rocksdb_level_metadata_t> levels = {};
};

using FamilyMetadata = rocksdb_column_family_metadata_t;
using LevelMetadata = rocksdb_level_metadata_t;
using TableMetadata = rocksdb_sst_file_metadata_t;
using varve::c::CopyBytes;
using varve::c::CopyText;

namespace varve::c {
namespace {

bool Matches(const LiveFile& file, const rocksdb_column_family_handle_t& family,
             const FileFilter& filter) {
  const Comparator* comparator = family.objects == nullptr ? nullptr : family.objects->comparator;
  if (comparator == nullptr) comparator = BytewiseComparator();
  return !(filter.start_key && comparator->Compare(file.largest_key, *filter.start_key) < 0) &&
         !(filter.end_key && comparator->Compare(file.smallest_key, *filter.end_key) > 0);
}

// As far as the options of the family say it.
std::string PlaceOf(const rocksdb_t& db, const rocksdb_column_family_handle_t& family,
                    const LiveFile& file) {
  const Result<ColumnFamilyOptions> options = db.db->OptionsOf(family.id);
  if (!options.ok()) return db.path;
  for (const DbPath& path : options->cf_paths) {
    if (db.file_system->Exists(JoinPath(path.path, NameOf(file)))) return path.path;
  }
  return db.path;
}

}  // namespace

FamilyMetadata* Describe(rocksdb_t* db, const rocksdb_column_family_handle_t& family,
                         const FileFilter& filter) {
  auto described = std::make_unique<FamilyMetadata>(FamilyMetadata{family.name});
  for (const LevelInfo& level : db->db->Levels(family.id)) {
    described->levels.push_back({level.level, {}, {}});
  }
  auto files = db->db->LiveFiles(family.id);
  if (!files.ok()) return described.release();  // Dropped: it has none.
  for (LiveFile& file : *files) {
    const auto level = static_cast<size_t>(file.level);
    if (level < described->levels.size() && Matches(file, family, filter)) {
      described->levels[level].directories.push_back(PlaceOf(*db, family, file));
      described->levels[level].files.push_back(std::move(file));
    }
  }
  if (filter.level >= 0) {
    std::erase_if(described->levels,
                  [&](const LevelMetadata& level) { return level.level != filter.level; });
  }
  return described.release();
}

namespace {

uint64_t SizeOf(const LevelMetadata& level) {
  uint64_t size = 0;
  for (const LiveFile& file : level.files) size += file.size;
  return size;
}

}  // namespace
}  // namespace varve::c

extern "C" {

FamilyMetadata* rocksdb_get_column_family_metadata(rocksdb_t* db) {
  return varve::c::Describe(db, db->default_family);
}
FamilyMetadata* rocksdb_get_column_family_metadata_cf(rocksdb_t* db,
                                                      rocksdb_column_family_handle_t* family) {
  return varve::c::Describe(db, varve::c::FamilyOf(*db, family));
}
void rocksdb_column_family_metadata_destroy(FamilyMetadata* family) { delete family; }

uint64_t rocksdb_column_family_metadata_get_size(FamilyMetadata* family) {
  uint64_t size = 0;
  for (const LevelMetadata& level : family->levels) size += varve::c::SizeOf(level);
  return size;
}
size_t rocksdb_column_family_metadata_get_file_count(FamilyMetadata* family) {
  size_t count = 0;
  for (const LevelMetadata& level : family->levels) count += level.files.size();
  return count;
}
char* rocksdb_column_family_metadata_get_name(FamilyMetadata* family) {
  return CopyText(family->name);
}
size_t rocksdb_column_family_metadata_get_level_count(FamilyMetadata* family) {
  return family->levels.size();
}
LevelMetadata* rocksdb_column_family_metadata_get_level_metadata(FamilyMetadata* family, size_t i) {
  return i < family->levels.size() ? new LevelMetadata(family->levels[i]) : nullptr;
}

void rocksdb_level_metadata_destroy(LevelMetadata* level) { delete level; }
int rocksdb_level_metadata_get_level(LevelMetadata* level) { return level->level; }
uint64_t rocksdb_level_metadata_get_size(LevelMetadata* level) { return varve::c::SizeOf(*level); }
size_t rocksdb_level_metadata_get_file_count(LevelMetadata* level) { return level->files.size(); }
TableMetadata* rocksdb_level_metadata_get_sst_file_metadata(LevelMetadata* level, size_t i) {
  return i < level->files.size() ? new TableMetadata{&level->files[i], level->directories[i]}
                                 : nullptr;
}

void rocksdb_sst_file_metadata_destroy(TableMetadata* file) { delete file; }
char* rocksdb_sst_file_metadata_get_relative_filename(TableMetadata* file) {
  return CopyText(varve::c::NameOf(*file->file));
}
uint64_t rocksdb_sst_file_metadata_get_size(TableMetadata* file) { return file->file->size; }
char* rocksdb_sst_file_metadata_get_smallestkey(TableMetadata* file, size_t* size) {
  return CopyBytes(file->file->smallest_key, size);
}
char* rocksdb_sst_file_metadata_get_largestkey(TableMetadata* file, size_t* size) {
  return CopyBytes(file->file->largest_key, size);
}

}  // extern "C"
