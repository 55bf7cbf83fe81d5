// SPDX-License-Identifier: Apache-2.0
// Reading values: copied, pinned, many at once.
#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/handles.h"
#include "core/c/time_to_live.h"

using varve::c::IdOf;
using varve::c::View;

namespace varve::c {
namespace {

using MaybeValue = Result<std::optional<Value>>;

Status FirstOf(const std::set<std::string_view>& refused) {
  return refused.empty() ? Status::Ok() : Refusal(*refused.begin());
}

// As a program sees it: without the time behind it.
void Show(const rocksdb_t& db, MaybeValue* value) {
  if (db.ttl_clock == nullptr || !value->ok() || !(*value)->has_value()) return;
  const Status unstamped = Unstamp(&***value);
  if (!unstamped.ok()) *value = unstamped;
}

char* Get(rocksdb_t* db, const rocksdb_readoptions_t* options, ColumnFamilyId family,
          std::string_view key, size_t* size, char** errptr) {
  *size = 0;
  const MaybeValue value = ReadValue(*db, *options, family, key);
  if (SaveReadError(errptr, options->read.cache_only, value.status()) || !value->has_value())
    return nullptr;
  return CopyBytes((**value).view(), size);
}

rocksdb_pinnableslice_t* GetPinned(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                   ColumnFamilyId family, std::string_view key, char** errptr) {
  MaybeValue value = ReadValue(*db, *options, family, key);
  if (SaveReadError(errptr, options->read.cache_only, value.status()) || !value->has_value())
    return nullptr;
  return new rocksdb_pinnableslice_t{std::move(**value)};
}

std::vector<std::string_view> ViewsOf(size_t count, const char* const* keys, const size_t* sizes) {
  std::vector<std::string_view> views(count);
  for (size_t i = 0; i < count; ++i) views[i] = View(keys[i], sizes[i]);
  return views;
}

std::vector<MaybeValue> ReadMany(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                 ColumnFamilyId family, std::span<const std::string_view> keys) {
  Status check = CheckRead(*db, options);
  if (options.value_size_soft_limit != UINT64_MAX) {
    check = Refusal("rocksdb_readoptions_set_value_size_soft_limit");
  }
  if (!check.ok()) return std::vector<MaybeValue>(keys.size(), check);
  std::vector<MaybeValue> values = db->db->MultiGet(options.read, keys, family);
  for (MaybeValue& value : values) Show(*db, &value);
  return values;
}

// As RocksDB, the elements of `values`, `sizes` and `errors` are set without being read.
void Store(const rocksdb_readoptions_t& options, const MaybeValue& value, char** copy, size_t* size,
           char** error) {
  *copy = nullptr;
  *size = 0;
  *error = nullptr;
  if (SaveReadError(error, options.read.cache_only, value.status()) || !value->has_value()) return;
  *copy = CopyBytes((**value).view(), size);
}

// 0: the key is not there. RocksDB answers from memory alone, and so does this. It says of a key
// that is not there, too, that its value was found: an empty one, which the caller frees.
unsigned char KeyMayExist(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          ColumnFamilyId family, std::string_view key, char** value, size_t* size,
                          unsigned char* value_found) {
  if (value_found != nullptr) *value_found = 0;
  ReadOptions in_memory = options->read;
  in_memory.cache_only = true;
  MaybeValue found = db->db->Get(in_memory, key, family);
  Show(*db, &found);
  if (!found.ok()) return 1;
  if (value_found != nullptr) {
    *value_found = 1;
    *value = CopyBytes(found->has_value() ? (**found).view() : std::string_view(), size);
  }
  return found->has_value() ? 1 : 0;
}

}  // namespace

Status CheckRead(const rocksdb_t& db, const rocksdb_readoptions_t& options) {
  RETURN_IF_ERROR(FirstOf(options.refused));
  if (options.read_tier != kPersistedTier || !db.wrote_without_log) return Status::Ok();
  return Refusal("rocksdb_readoptions_set_read_tier");
}

MaybeValue ReadValue(rocksdb_t& db, const rocksdb_readoptions_t& options, ColumnFamilyId family,
                     std::string_view key) {
  RETURN_IF_ERROR(CheckRead(db, options));
  MaybeValue value = db.db->Get(options.read, key, family);
  Show(db, &value);
  return value;
}

Status CheckIterate(const rocksdb_readoptions_t& options) {
  RETURN_IF_ERROR(FirstOf(options.refused));
  if (options.tailing && options.read.iter_start_timestamp) {
    return Status::NotSupported("a tailing iterator over all versions of its keys");
  }
  return FirstOf(options.refused_by_iterators);
}

bool SaveReadError(char** errptr, bool cache_only, const Status& status) {
  if (status.code() != Code::kBusy || !cache_only) return SaveError(errptr, status);
  SaveErrorText(errptr, std::string("Result incomplete: ").append(status.message()));
  return true;
}

}  // namespace varve::c

extern "C" {

char* rocksdb_get(rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
                  size_t key_size, size_t* size, char** errptr) {
  return varve::c::Get(db, options, IdOf(nullptr), View(key, key_size), size, errptr);
}

char* rocksdb_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                     rocksdb_column_family_handle_t* family, const char* key, size_t key_size,
                     size_t* size, char** errptr) {
  return varve::c::Get(db, options, IdOf(family), View(key, key_size), size, errptr);
}

rocksdb_pinnableslice_t* rocksdb_get_pinned(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                            const char* key, size_t key_size, char** errptr) {
  return varve::c::GetPinned(db, options, IdOf(nullptr), View(key, key_size), errptr);
}

rocksdb_pinnableslice_t* rocksdb_get_pinned_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                               rocksdb_column_family_handle_t* family,
                                               const char* key, size_t key_size, char** errptr) {
  return varve::c::GetPinned(db, options, IdOf(family), View(key, key_size), errptr);
}

void rocksdb_pinnableslice_destroy(rocksdb_pinnableslice_t* slice) { delete slice; }

const char* rocksdb_pinnableslice_value(const rocksdb_pinnableslice_t* slice, size_t* size) {
  if (slice == nullptr) {
    *size = 0;
    return nullptr;
  }
  return varve::c::BytesOf(slice->value.view(), size);
}

void rocksdb_multi_get(rocksdb_t* db, const rocksdb_readoptions_t* options, size_t count,
                       const char* const* keys, const size_t* key_sizes, char** values,
                       size_t* sizes, char** errors) {
  const auto views = varve::c::ViewsOf(count, keys, key_sizes);
  const auto read = varve::c::ReadMany(db, *options, IdOf(nullptr), views);
  for (size_t i = 0; i < count; ++i) {
    varve::c::Store(*options, read[i], &values[i], &sizes[i], &errors[i]);
  }
}

// Each family's keys together, all at the same snapshot.
void rocksdb_multi_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          const rocksdb_column_family_handle_t* const* families, size_t count,
                          const char* const* keys, const size_t* key_sizes, char** values,
                          size_t* sizes, char** errors) {
  rocksdb_readoptions_t at = *options;
  std::optional<varve::Snapshot> snapshot;
  if (at.read.snapshot == nullptr) {
    snapshot = db->db->GetSnapshot();
    at.read.snapshot = &*snapshot;
  }
  std::map<varve::ColumnFamilyId, std::vector<size_t>> places;
  for (size_t i = 0; i < count; ++i) places[IdOf(families[i])].push_back(i);
  for (const auto& [family, indices] : places) {
    std::vector<std::string_view> views;
    for (const size_t i : indices) views.push_back(View(keys[i], key_sizes[i]));
    const auto read = varve::c::ReadMany(db, at, family, views);
    for (size_t j = 0; j < indices.size(); ++j) {
      const size_t i = indices[j];
      varve::c::Store(*options, read[j], &values[i], &sizes[i], &errors[i]);
    }
  }
}

void rocksdb_batched_multi_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                  rocksdb_column_family_handle_t* family, size_t count,
                                  const char* const* keys, const size_t* key_sizes,
                                  rocksdb_pinnableslice_t** values, char** errors,
                                  const bool /*sorted_input*/) {
  const auto views = varve::c::ViewsOf(count, keys, key_sizes);
  auto read = varve::c::ReadMany(db, *options, IdOf(family), views);
  for (size_t i = 0; i < count; ++i) {
    values[i] = nullptr;
    errors[i] = nullptr;
    if (varve::c::SaveReadError(&errors[i], options->read.cache_only, read[i].status()) ||
        !read[i]->has_value())
      continue;
    values[i] = new rocksdb_pinnableslice_t{std::move(**read[i])};
  }
}

unsigned char rocksdb_key_may_exist(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                    const char* key, size_t key_size, char** value, size_t* size,
                                    const char* /*timestamp*/, size_t /*timestamp_size*/,
                                    unsigned char* value_found) {
  return varve::c::KeyMayExist(db, options, IdOf(nullptr), View(key, key_size), value, size,
                               value_found);
}

unsigned char rocksdb_key_may_exist_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                       rocksdb_column_family_handle_t* family, const char* key,
                                       size_t key_size, char** value, size_t* size,
                                       const char* /*timestamp*/, size_t /*timestamp_size*/,
                                       unsigned char* value_found) {
  return varve::c::KeyMayExist(db, options, IdOf(family), View(key, key_size), value, size,
                               value_found);
}

// --- snapshots

const rocksdb_snapshot_t* rocksdb_create_snapshot(rocksdb_t* db) {
  if (db->updates_in_place) return new rocksdb_snapshot_t{nullptr};
  return new rocksdb_snapshot_t{new varve::Snapshot(db->db->GetSnapshot())};
}

void rocksdb_release_snapshot(rocksdb_t* /*db*/, const rocksdb_snapshot_t* snapshot) {
  delete snapshot->snapshot;
  delete snapshot;
}

uint64_t rocksdb_get_latest_sequence_number(rocksdb_t* db) {
  return db->db->GetSnapshot().sequence();
}

}  // extern "C"
