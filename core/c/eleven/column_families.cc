// SPDX-License-Identifier: Apache-2.0
// Column families: several at once, and what is known of their files.
#include <cstdlib>
#include <memory>

#include "core/base/try.h"
#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/live_files.h"
#include "core/c/open.h"
#include "core/engine/open/identity.h"
#include "core/fs/complete_environment.h"

using Family = rocksdb_column_family_handle_t;
using MetadataOptions = rocksdb_column_family_metadata_options_t;

namespace varve::c {
namespace {

FileFilter FilterOf(const MetadataOptions& options) {
  return {options.level, options.start_key, options.end_key};
}

// That of the MANIFEST, as RocksDB has it, or of IDENTITY. A copy, which a checkpoint or a backup
// is, has none of its own until it is asked for.
Result<std::string> IdentityOf(rocksdb_t* db) {
  MutexLock lock(db->mutex);
  FileSystem& fs = *db->file_system;
  ASSIGN_OR_RETURN(std::string id, IdInManifest(fs, db->path));
  if (!id.empty()) return id;
  ASSIGN_OR_RETURN(id, ReadIdentity(fs, db->path));
  if (!id.empty() || db->read_only) return id;
  id = NewDatabaseId(*Complete({}).random);
  RETURN_IF_ERROR(WriteIdentity(fs, db->path, id));
  return id;
}

void SetKey(std::optional<std::string>* to, const char* key, size_t size) {
  to->reset();
  if (key != nullptr) to->emplace(key, size);
}

const char* KeyOf(const std::optional<std::string>& key, size_t* size) {
  *size = key ? key->size() : 0;
  return key ? key->data() : nullptr;
}

}  // namespace
}  // namespace varve::c

extern "C" {

// Those that could be created, in their order; the first that could not ends it.
Family** rocksdb_create_column_families(rocksdb_t* db, const rocksdb_options_t* options, int count,
                                        const char* const* names, size_t* created, char** errptr) {
  std::vector<Family*> made;
  for (int i = 0; i < count; ++i) {
    Family* const family = rocksdb_create_column_family(db, options, names[i], errptr);
    if (family == nullptr) break;
    made.push_back(family);
  }
  *created = made.size();
  auto** const list = static_cast<Family**>(std::malloc((made.size() + 1) * sizeof(Family*)));
  for (size_t i = 0; list != nullptr && i < made.size(); ++i) list[i] = made[i];
  return list;
}
void rocksdb_create_column_families_destroy(Family** list) { std::free(list); }

Family* rocksdb_get_default_column_family_handle(rocksdb_t* db) {
  return new Family(db->default_family);
}

char* rocksdb_get_db_identity(rocksdb_t* db, size_t* size) {
  *size = 0;
  const auto id = varve::c::IdentityOf(db);
  return id.ok() && !id->empty() ? varve::c::CopyBytes(*id, size) : nullptr;
}

// --- metadata

rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata_with_options(
    rocksdb_t* db, const MetadataOptions* options) {
  return varve::c::Describe(db, db->default_family, varve::c::FilterOf(*options));
}
rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata_cf_with_options(
    rocksdb_t* db, Family* family, const MetadataOptions* options) {
  return varve::c::Describe(db, varve::c::FamilyOf(*db, family), varve::c::FilterOf(*options));
}
void rocksdb_column_family_metadata_options_set_start_key(MetadataOptions* options, const char* key,
                                                          size_t size) {
  varve::c::SetKey(&options->start_key, key, size);
}
const char* rocksdb_column_family_metadata_options_get_start_key(const MetadataOptions* options,
                                                                 size_t* size) {
  return varve::c::KeyOf(options->start_key, size);
}
void rocksdb_column_family_metadata_options_set_end_key(MetadataOptions* options, const char* key,
                                                        size_t size) {
  varve::c::SetKey(&options->end_key, key, size);
}
const char* rocksdb_column_family_metadata_options_get_end_key(const MetadataOptions* options,
                                                               size_t* size) {
  return varve::c::KeyOf(options->end_key, size);
}
char* rocksdb_sst_file_metadata_get_directory(rocksdb_sst_file_metadata_t* file) {
  return varve::c::CopyText(file->directory);
}

const char* rocksdb_livefiles_directory(const rocksdb_livefiles_t* list, int index) {
  return list->files[static_cast<size_t>(index)].directory.c_str();
}
uint64_t rocksdb_livefiles_smallest_seqno(const rocksdb_livefiles_t* list, int index) {
  return list->files[static_cast<size_t>(index)].file.smallest_sequence;
}
uint64_t rocksdb_livefiles_largest_seqno(const rocksdb_livefiles_t* list, int index) {
  return list->files[static_cast<size_t>(index)].file.largest_sequence;
}

}  // extern "C"
