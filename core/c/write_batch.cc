// SPDX-License-Identifier: Apache-2.0
// Filling a write batch. Keys and values in parts are joined.
#include <initializer_list>
#include <limits>

#include "core/base/bytes/byte_writer.h"
#include "core/c/batch_records.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/handles.h"
#include "core/format/log/write_batch_format.h"

using varve::c::IdOf;
using varve::c::View;
using Batch = rocksdb_writebatch_t;
using Family = rocksdb_column_family_handle_t;

namespace varve::c {
namespace {

std::string Joined(int count, const char* const* parts, const size_t* sizes) {
  std::string joined;
  for (int i = 0; i < count; ++i) joined.append(parts[i], sizes[i]);
  return joined;
}

// Foreign bytes may be no batch, or say that it is full: it stays so, and DB::Write() says why.
bool HasHeader(const Batch* batch) { return batch->batch.bytes().size() >= kWriteBatchHeaderSize; }

// RocksDB leaves out what would make a batch larger than its limit, and tells nobody who calls it
// by c.h. `parts` are the sizes of a change's key and value.
bool HasRoom(const Batch* batch, const Family* family, std::initializer_list<size_t> parts) {
  if (batch->max_bytes == 0) return true;
  const ColumnFamilyId id = IdOf(family);
  size_t size = batch->batch.bytes().size() + 1;
  if (id != kDefaultColumnFamilyId) size += VarintSize(id);
  for (const size_t part : parts) size += VarintSize(part) + part;
  return size <= batch->max_bytes;
}

bool TakesChange(const Batch* batch, const Family* family, std::initializer_list<size_t> parts) {
  return HasHeader(batch) && batch->batch.count() < std::numeric_limits<uint32_t>::max() &&
         HasRoom(batch, family, parts);
}

constexpr size_t kCountOffset = 8;
constexpr size_t kCountSize = 4;

void Restore(const Batch::SavePoint& point, WriteBatch* batch) {
  std::string& bytes = batch->mutable_bytes();
  if (bytes.size() < point.size) return;
  bytes.resize(point.size);
  bytes.replace(kCountOffset, kCountSize, point.count);
  batch->CutTimestamped(point.timestamped);
}

void Put(Batch* batch, const Family* family, std::string_view key, std::string_view value) {
  if (TakesChange(batch, family, {key.size(), value.size()}))
    batch->batch.Put(key, value, IdOf(family));
}
void Merge(Batch* batch, const Family* family, std::string_view key, std::string_view operand) {
  if (TakesChange(batch, family, {key.size(), operand.size()}))
    batch->batch.Merge(key, operand, IdOf(family));
}
void Delete(Batch* batch, const Family* family, std::string_view key) {
  if (TakesChange(batch, family, {key.size()})) batch->batch.Delete(key, IdOf(family));
}
void SingleDelete(Batch* batch, const Family* family, std::string_view key) {
  if (TakesChange(batch, family, {key.size()})) batch->batch.SingleDelete(key, IdOf(family));
}
void DeleteRange(Batch* batch, const Family* family, std::string_view begin, std::string_view end) {
  if (!TakesChange(batch, family, {begin.size(), end.size()})) return;
  batch->batch.DeleteRange(begin, end, IdOf(family));
  Family& known = batch->range_families.try_emplace(IdOf(family)).first->second;
  if (family != nullptr) known.objects = family->objects;
}

}  // namespace
}  // namespace varve::c

using varve::c::Joined;

extern "C" {

Batch* rocksdb_writebatch_create() { return new Batch; }

Batch* rocksdb_writebatch_create_from(const char* bytes, size_t size) {
  return new Batch{varve::WriteBatch(std::string(bytes, size))};
}

void rocksdb_writebatch_destroy(Batch* batch) { delete batch; }

void rocksdb_writebatch_clear(Batch* batch) {
  batch->batch.Clear();
  batch->save_points.clear();
  batch->range_families.clear();
}

int rocksdb_writebatch_count(Batch* batch) {
  return varve::c::HasHeader(batch) ? static_cast<int>(batch->batch.count()) : 0;
}

void rocksdb_writebatch_put(Batch* batch, const char* key, size_t key_size, const char* value,
                            size_t value_size) {
  varve::c::Put(batch, nullptr, View(key, key_size), View(value, value_size));
}
void rocksdb_writebatch_put_cf(Batch* batch, Family* family, const char* key, size_t key_size,
                               const char* value, size_t value_size) {
  varve::c::Put(batch, family, View(key, key_size), View(value, value_size));
}
void rocksdb_writebatch_putv(Batch* batch, int key_parts, const char* const* keys,
                             const size_t* key_sizes, int value_parts, const char* const* values,
                             const size_t* value_sizes) {
  varve::c::Put(batch, nullptr, Joined(key_parts, keys, key_sizes),
                Joined(value_parts, values, value_sizes));
}
void rocksdb_writebatch_putv_cf(Batch* batch, Family* family, int key_parts,
                                const char* const* keys, const size_t* key_sizes, int value_parts,
                                const char* const* values, const size_t* value_sizes) {
  varve::c::Put(batch, family, Joined(key_parts, keys, key_sizes),
                Joined(value_parts, values, value_sizes));
}

void rocksdb_writebatch_merge(Batch* batch, const char* key, size_t key_size, const char* operand,
                              size_t operand_size) {
  varve::c::Merge(batch, nullptr, View(key, key_size), View(operand, operand_size));
}
void rocksdb_writebatch_merge_cf(Batch* batch, Family* family, const char* key, size_t key_size,
                                 const char* operand, size_t operand_size) {
  varve::c::Merge(batch, family, View(key, key_size), View(operand, operand_size));
}
void rocksdb_writebatch_mergev(Batch* batch, int key_parts, const char* const* keys,
                               const size_t* key_sizes, int value_parts, const char* const* values,
                               const size_t* value_sizes) {
  varve::c::Merge(batch, nullptr, Joined(key_parts, keys, key_sizes),
                  Joined(value_parts, values, value_sizes));
}
void rocksdb_writebatch_mergev_cf(Batch* batch, Family* family, int key_parts,
                                  const char* const* keys, const size_t* key_sizes, int value_parts,
                                  const char* const* values, const size_t* value_sizes) {
  varve::c::Merge(batch, family, Joined(key_parts, keys, key_sizes),
                  Joined(value_parts, values, value_sizes));
}

void rocksdb_writebatch_delete(Batch* batch, const char* key, size_t key_size) {
  varve::c::Delete(batch, nullptr, View(key, key_size));
}
void rocksdb_writebatch_delete_cf(Batch* batch, Family* family, const char* key, size_t key_size) {
  varve::c::Delete(batch, family, View(key, key_size));
}
void rocksdb_writebatch_deletev(Batch* batch, int key_parts, const char* const* keys,
                                const size_t* key_sizes) {
  varve::c::Delete(batch, nullptr, Joined(key_parts, keys, key_sizes));
}
void rocksdb_writebatch_deletev_cf(Batch* batch, Family* family, int key_parts,
                                   const char* const* keys, const size_t* key_sizes) {
  varve::c::Delete(batch, family, Joined(key_parts, keys, key_sizes));
}
void rocksdb_writebatch_singledelete(Batch* batch, const char* key, size_t key_size) {
  varve::c::SingleDelete(batch, nullptr, View(key, key_size));
}
void rocksdb_writebatch_singledelete_cf(Batch* batch, Family* family, const char* key,
                                        size_t key_size) {
  varve::c::SingleDelete(batch, family, View(key, key_size));
}

void rocksdb_writebatch_delete_range(Batch* batch, const char* begin, size_t begin_size,
                                     const char* end, size_t end_size) {
  varve::c::DeleteRange(batch, nullptr, View(begin, begin_size), View(end, end_size));
}
void rocksdb_writebatch_delete_range_cf(Batch* batch, Family* family, const char* begin,
                                        size_t begin_size, const char* end, size_t end_size) {
  varve::c::DeleteRange(batch, family, View(begin, begin_size), View(end, end_size));
}
void rocksdb_writebatch_delete_rangev(Batch* batch, int parts, const char* const* begins,
                                      const size_t* begin_sizes, const char* const* ends,
                                      const size_t* end_sizes) {
  varve::c::DeleteRange(batch, nullptr, Joined(parts, begins, begin_sizes),
                        Joined(parts, ends, end_sizes));
}
void rocksdb_writebatch_delete_rangev_cf(Batch* batch, Family* family, int parts,
                                         const char* const* begins, const size_t* begin_sizes,
                                         const char* const* ends, const size_t* end_sizes) {
  varve::c::DeleteRange(batch, family, Joined(parts, begins, begin_sizes),
                        Joined(parts, ends, end_sizes));
}

// For the WAL only: it counts as no change.
void rocksdb_writebatch_put_log_data(Batch* batch, const char* blob, size_t size) {
  if (!varve::c::HasHeader(batch) || !varve::c::HasRoom(batch, nullptr, {size})) return;
  varve::c::AppendLogData(View(blob, size), &batch->batch);
}

// --- changes with a timestamp, which is stored as a part of the key

void rocksdb_writebatch_put_cf_with_ts(Batch* batch, Family* family, const char* key,
                                       size_t key_size, const char* timestamp,
                                       size_t timestamp_size, const char* value,
                                       size_t value_size) {
  if (!varve::c::TakesChange(batch, family, {key_size + timestamp_size, value_size})) return;
  batch->batch.PutAt(View(key, key_size), View(timestamp, timestamp_size), View(value, value_size),
                     IdOf(family));
}
void rocksdb_writebatch_delete_cf_with_ts(Batch* batch, Family* family, const char* key,
                                          size_t key_size, const char* timestamp,
                                          size_t timestamp_size) {
  if (!varve::c::TakesChange(batch, family, {key_size + timestamp_size})) return;
  batch->batch.DeleteAt(View(key, key_size), View(timestamp, timestamp_size), IdOf(family));
}
void rocksdb_writebatch_singledelete_cf_with_ts(Batch* batch, Family* family, const char* key,
                                                size_t key_size, const char* timestamp,
                                                size_t timestamp_size) {
  if (!varve::c::TakesChange(batch, family, {key_size + timestamp_size})) return;
  batch->batch.SingleDeleteAt(View(key, key_size), View(timestamp, timestamp_size), IdOf(family));
}

// --- save points

void rocksdb_writebatch_set_save_point(Batch* batch) {
  if (!varve::c::HasHeader(batch)) return;
  const std::string& bytes = batch->batch.bytes();
  batch->save_points.push_back({bytes.size(),
                                bytes.substr(varve::c::kCountOffset, varve::c::kCountSize),
                                batch->batch.timestamped()});
}

void rocksdb_writebatch_rollback_to_save_point(Batch* batch, char** errptr) {
  if (batch->save_points.empty()) {
    varve::c::SaveError(errptr, varve::Status::NotFound(""));
    return;
  }
  varve::c::Restore(batch->save_points.back(), &batch->batch);
  batch->save_points.pop_back();
}

void rocksdb_writebatch_pop_save_point(Batch* batch, char** errptr) {
  if (batch->save_points.empty()) {
    varve::c::SaveError(errptr, varve::Status::NotFound(""));
    return;
  }
  batch->save_points.pop_back();
}

}  // extern "C"
