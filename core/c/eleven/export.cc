// SPDX-License-Identifier: Apache-2.0
// The export of a column family, its import, and lists of tables that a program makes for it.
#include <memory>
#include <utility>

#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/live_files.h"
#include "core/c/open.h"
#include "core/c/time_to_live.h"
#include "core/format/file_name.h"

using Family = rocksdb_column_family_handle_t;

struct rocksdb_export_import_files_metadata_t {
  std::string comparator = {};
  std::vector<rocksdb_livefiles_t::File> files = {};
};
struct rocksdb_livefile_t {
  rocksdb_livefiles_t::File file;
};
using ExportMetadata = rocksdb_export_import_files_metadata_t;

namespace varve::c {
namespace {

// As in RocksDB, an export says neither which family it was nor how many entries there are.
ExportMetadata* MetadataOf(const std::string& directory, ExportedFamily exported) {
  auto metadata = std::make_unique<ExportMetadata>();
  metadata->comparator = std::move(exported.comparator);
  for (ExportedTable& table : exported.tables) {
    table.file.entries = table.file.deletions = 0;
    metadata->files.push_back(
        {"", "/" + NameOf(table.file), std::move(table.file), WithoutLastSlash(directory)});
  }
  return metadata.release();
}

ExportedFamily ExportedOf(const ExportMetadata& metadata) {
  ExportedFamily exported{.comparator = metadata.comparator};
  for (const rocksdb_livefiles_t::File& file : metadata.files) {
    const std::string name = file.name.substr(file.name.starts_with('/') ? 1 : 0);
    exported.tables.push_back({JoinPath(file.directory, name), file.file});
  }
  return exported;
}

}  // namespace
}  // namespace varve::c

extern "C" {

ExportMetadata* rocksdb_checkpoint_export_column_family(rocksdb_checkpoint_t* checkpoint,
                                                        Family* family, const char* directory,
                                                        char** errptr) {
  auto exported = checkpoint->db->db->ExportColumnFamily(directory, family->id);
  if (varve::c::SaveFamilyError(errptr, *checkpoint->db, family->id, exported.status())) {
    return nullptr;
  }
  return varve::c::MetadataOf(directory, *std::move(exported));
}

Family* rocksdb_create_column_family_with_import(
    rocksdb_t* db, rocksdb_options_t* options, const char* name,
    rocksdb_import_column_family_options_t* import_options, ExportMetadata* metadata,
    char** errptr) {
  const auto make = [&](const varve::NewFamily& family) {
    auto id = db->db->ImportColumnFamily(family, {.move_files = import_options->move_files != 0},
                                         varve::c::ExportedOf(*metadata));
    if (!id.ok()) id = varve::c::IoErrorIfMissing(id.status());
    return id;
  };
  if (db->ttl_clock == nullptr) {
    return varve::c::CreateFamilyBy(make, db, *options, name, errptr);
  }
  const auto with = varve::c::WithTimeToLive(*options, /*ttl=*/0, *db->ttl_clock);
  return varve::c::CreateFamilyBy(make, db, with, name, errptr);
}

ExportMetadata* rocksdb_export_import_files_metadata_create() { return new ExportMetadata; }
void rocksdb_export_import_files_metadata_destroy(ExportMetadata* metadata) { delete metadata; }
char* rocksdb_export_import_files_metadata_get_db_comparator_name(ExportMetadata* metadata) {
  return varve::c::CopyText(metadata->comparator);
}
void rocksdb_export_import_files_metadata_set_db_comparator_name(ExportMetadata* metadata,
                                                                 const char* name) {
  metadata->comparator = name;
}
rocksdb_livefiles_t* rocksdb_export_import_files_metadata_get_files(ExportMetadata* metadata) {
  return new rocksdb_livefiles_t{metadata->files};
}
// Takes the list, as RocksDB does: the program does not destroy it.
void rocksdb_export_import_files_metadata_set_files(ExportMetadata* metadata,
                                                    rocksdb_livefiles_t* files) {
  metadata->files = std::move(files->files);
  delete files;
}

rocksdb_livefiles_t* rocksdb_livefiles_create() { return new rocksdb_livefiles_t; }
// Takes the file likewise.
void rocksdb_livefiles_add(rocksdb_livefiles_t* list, rocksdb_livefile_t* file) {
  list->files.push_back(std::move(file->file));
  delete file;
}
rocksdb_livefile_t* rocksdb_livefile_create() { return new rocksdb_livefile_t; }
void rocksdb_livefile_destroy(rocksdb_livefile_t* file) { delete file; }
void rocksdb_livefile_set_column_family_name(rocksdb_livefile_t* file, const char* name) {
  file->file.family = name;
}
void rocksdb_livefile_set_level(rocksdb_livefile_t* file, int level) {
  file->file.file.level = level;
}
void rocksdb_livefile_set_name(rocksdb_livefile_t* file, const char* name) {
  file->file.name = name;
}
void rocksdb_livefile_set_directory(rocksdb_livefile_t* file, const char* directory) {
  file->file.directory = directory;
}
void rocksdb_livefile_set_size(rocksdb_livefile_t* file, size_t size) {
  file->file.file.size = size;
}
void rocksdb_livefile_set_smallest_key(rocksdb_livefile_t* file, const char* key, size_t size) {
  file->file.file.smallest_key.assign(key, size);
}
void rocksdb_livefile_set_largest_key(rocksdb_livefile_t* file, const char* key, size_t size) {
  file->file.file.largest_key.assign(key, size);
}
void rocksdb_livefile_set_smallest_seqno(rocksdb_livefile_t* file, uint64_t sequence) {
  file->file.file.smallest_sequence = sequence;
}
void rocksdb_livefile_set_largest_seqno(rocksdb_livefile_t* file, uint64_t sequence) {
  file->file.file.largest_sequence = sequence;
}
void rocksdb_livefile_set_num_entries(rocksdb_livefile_t* file, uint64_t entries) {
  file->file.file.entries = entries;
}
void rocksdb_livefile_set_num_deletions(rocksdb_livefile_t* file, uint64_t deletions) {
  file->file.file.deletions = deletions;
}

}  // extern "C"
