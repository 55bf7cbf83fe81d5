// SPDX-License-Identifier: Apache-2.0
// Column families: listed, created, dropped, and their handles.
#include <algorithm>
#include <cstdlib>

#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/open.h"
#include "core/c/time_to_live.h"

using varve::c::CopyBytes;
using varve::c::SaveError;

namespace varve::c {

bool SaveFamilyError(char** errptr, const rocksdb_t& db, ColumnFamilyId family,
                     const Status& status) {
  if (status.code() != Code::kInvalidArgument) return SaveError(errptr, status);
  const std::vector<FamilyInfo> families = db.db->Families();
  const bool exists = std::any_of(families.begin(), families.end(),
                                  [&](const FamilyInfo& other) { return other.id == family; });
  if (exists) return SaveError(errptr, status);
  SaveErrorText(errptr, "Column family dropped: ");
  return true;
}

rocksdb_column_family_handle_t* CreateFamilyBy(const FamilyMaker& make, rocksdb_t* db,
                                               const rocksdb_options_t& options, const char* name,
                                               char** errptr) {
  const auto family = FamilyToEngine(options);
  if (SaveError(errptr, family.status())) return nullptr;
  auto objects = db->Keep(options);
  const auto id = make({name, *family});
  if (SaveError(errptr, id.status())) return nullptr;
  if (options.values.inplace_update_support != 0) db->updates_in_place = true;
  return new rocksdb_column_family_handle_t(db->HandleOf(*id, name, std::move(objects)));
}

namespace {

rocksdb_column_family_handle_t* CreateFamily(rocksdb_t* db, const rocksdb_options_t& options,
                                             const char* name, char** errptr) {
  const auto make = [db](const NewFamily& family) {
    return db->db->CreateColumnFamily(family.name, family.options);
  };
  return CreateFamilyBy(make, db, options, name, errptr);
}

}  // namespace

}  // namespace varve::c

extern "C" {

char** rocksdb_list_column_families(const rocksdb_options_t* options, const char* path,
                                    size_t* count, char** errptr) {
  auto families = varve::c::ListFamilies(options->env, path);
  *count = 0;
  if (SaveError(errptr, families.status())) return nullptr;
  *count = families->size();
  char** const list = static_cast<char**>(std::malloc(families->size() * sizeof(char*)));
  for (size_t i = 0; i < families->size(); ++i) list[i] = varve::c::CopyText((*families)[i].name);
  return list;
}

void rocksdb_list_column_families_destroy(char** list, size_t count) {
  for (size_t i = 0; list != nullptr && i < count; ++i) std::free(list[i]);
  std::free(list);
}

rocksdb_column_family_handle_t* rocksdb_create_column_family(rocksdb_t* db,
                                                             const rocksdb_options_t* options,
                                                             const char* name, char** errptr) {
  if (db->ttl_clock == nullptr) return varve::c::CreateFamily(db, *options, name, errptr);
  return rocksdb_create_column_family_with_ttl(db, options, name, /*ttl=*/0, errptr);
}

rocksdb_column_family_handle_t* rocksdb_create_column_family_with_ttl(
    rocksdb_t* db, const rocksdb_options_t* options, const char* name, int ttl, char** errptr) {
  if (db->ttl_clock == nullptr) {
    SaveError(errptr, varve::Status::InvalidArgument("the database has no time to live"));
    return nullptr;
  }
  const auto with = varve::c::WithTimeToLive(*options, ttl, *db->ttl_clock);
  return varve::c::CreateFamily(db, with, name, errptr);
}

void rocksdb_drop_column_family(rocksdb_t* db, rocksdb_column_family_handle_t* family,
                                char** errptr) {
  SaveError(errptr, db->db->DropColumnFamily(family->id, {.keep_readable = true}));
}

void rocksdb_column_family_handle_destroy(rocksdb_column_family_handle_t* family) { delete family; }

uint32_t rocksdb_column_family_handle_get_id(rocksdb_column_family_handle_t* family) {
  return family->id;
}

char* rocksdb_column_family_handle_get_name(rocksdb_column_family_handle_t* family, size_t* size) {
  return CopyBytes(family->name, size);
}

}  // extern "C"
