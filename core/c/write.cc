// SPDX-License-Identifier: Apache-2.0
// Writing, one change or a batch of them.
#include <algorithm>

#include "core/base/try.h"
#include "core/c/batch_records.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/handles.h"
#include "core/c/time_to_live.h"
#include "core/format/log/write_batch_format.h"

using varve::Status;
using varve::WriteBatch;
using varve::c::FamilyOf;
using varve::c::IdOf;
using varve::c::View;

namespace varve::c {
Result<WriteOptions> ToEngine(const rocksdb_writeoptions_t& options, rocksdb_t* db) {
  if (options.sync && options.disable_WAL) {
    return Status::InvalidArgument("Sync writes has to enable WAL.");
  }
  if (options.disable_WAL && !db->wrote_without_log) db->wrote_without_log = true;
  WriteOptions write;
  write.durability = options.sync          ? Durability::kSync
                     : options.disable_WAL ? Durability::kNone
                                           : Durability::kBuffered;
  write.no_slowdown = options.no_slowdown;
  return write;
}

void SaveWriteError(const rocksdb_writeoptions_t& options, const Status& status, char** errptr) {
  if (status.code() == Code::kBusy && options.no_slowdown) {
    SaveErrorText(errptr, "Result incomplete: Write stall");  // RocksDB's words.
    return;
  }
  SaveError(errptr, status);
}

namespace {

// The batch without the changes of families that do not exist.
Result<WriteBatch> WithoutMissingFamilies(const DB& db, const WriteBatch& batch) {
  const std::vector<FamilyInfo> families = db.Families();
  const auto exists = [&](ColumnFamilyId id) {
    return std::any_of(families.begin(), families.end(),
                       [&](const FamilyInfo& family) { return family.id == id; });
  };
  WriteBatch kept;
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry || !exists(record.family)) continue;
    RETURN_IF_ERROR(AppendRecord(record, &kept));
  }
  RETURN_IF_ERROR(in.status());
  kept.TakeTimestampedOf(batch);
  return kept;
}

Status WriteStored(rocksdb_t* db, const rocksdb_writeoptions_t& options, const WriteBatch& batch) {
  ASSIGN_OR_RETURN(const WriteOptions write, ToEngine(options, db));
  if (!options.ignore_missing_column_families) return db->db->Write(write, batch);
  ASSIGN_OR_RETURN(WriteBatch kept, WithoutMissingFamilies(*db->db, batch));
  return db->db->Write(write, std::move(kept));
}

Status TryWrite(rocksdb_t* db, const rocksdb_writeoptions_t& options, const WriteBatch& batch) {
  if (db->ttl_clock == nullptr) return WriteStored(db, options, batch);
  ASSIGN_OR_RETURN(const WriteBatch stamped, StampedBatch(batch, *db->ttl_clock));
  return WriteStored(db, options, stamped);
}

// What is stored of a value; `stamped` keeps it if that is something else.
std::string_view AsStored(const rocksdb_t& db, std::string_view value, std::string* stamped) {
  if (db.ttl_clock == nullptr) return value;
  return *stamped = Stamped(value, *db.ttl_clock);
}

bool HasMerge(const WriteBatch& batch) {
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind == BatchRecordKind::kEntry && record.type == ValueType::kMerge) return true;
  }
  return false;
}

}  // namespace

void Write(rocksdb_t* db, const rocksdb_writeoptions_t* options, const WriteBatch& batch,
           char** errptr) {
  Status written = TryWrite(db, *options, batch);
  // A merge without an operator has another code in a batch than alone.
  if (written.code() == Code::kNotSupported && !db->read_only && HasMerge(batch)) {
    written = Status::InvalidArgument(std::string(written.message()));
  }
  if (!written.ok()) SaveWriteError(*options, written, errptr);
}

namespace {

// One change, by a function of DB that takes the options first and the family last.
template <typename Change>
void WriteOne(rocksdb_t* db, const rocksdb_writeoptions_t* options, char** errptr, Change change) {
  const Result<WriteOptions> write = ToEngine(*options, db);
  const Status written = write.ok() ? change(*write) : write.status();
  if (!written.ok()) SaveWriteError(*options, written, errptr);
}

void Put(rocksdb_t* db, const rocksdb_writeoptions_t* options, ColumnFamilyId family,
         std::string_view key, std::string_view value, char** errptr) {
  std::string stamped;
  value = AsStored(*db, value, &stamped);
  WriteOne(db, options, errptr,
           [&](const WriteOptions& write) { return db->db->Put(write, key, value, family); });
}

void Delete(rocksdb_t* db, const rocksdb_writeoptions_t* options, ColumnFamilyId family,
            std::string_view key, char** errptr) {
  WriteOne(db, options, errptr,
           [&](const WriteOptions& write) { return db->db->Delete(write, key, family); });
}

void Merge(rocksdb_t* db, const rocksdb_writeoptions_t* options, ColumnFamilyId family,
           std::string_view key, std::string_view operand, char** errptr) {
  std::string stamped;
  operand = AsStored(*db, operand, &stamped);
  WriteOne(db, options, errptr,
           [&](const WriteOptions& write) { return db->db->Merge(write, key, operand, family); });
}

void SingleDelete(rocksdb_t* db, const rocksdb_writeoptions_t* options, ColumnFamilyId family,
                  std::string_view key, char** errptr) {
  WriteBatch batch;
  batch.SingleDelete(key, family);
  Write(db, options, batch, errptr);
}

Status CheckRange(const rocksdb_column_family_handle_t& family, std::string_view begin,
                  std::string_view end) {
  const Comparator* comparator = family.objects == nullptr ? nullptr : family.objects->comparator;
  if (comparator == nullptr) comparator = BytewiseComparator();
  if (comparator->Compare(begin, end) <= 0) return Status::Ok();
  return Status::InvalidArgument("end key comes before start key");
}

Status CheckRanges(const rocksdb_t& db, const rocksdb_writebatch_t& batch) {
  if (batch.range_families.empty()) return Status::Ok();
  BatchReader in(batch.batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry || record.type != ValueType::kRangeDeletion)
      continue;
    const auto found = batch.range_families.find(record.family);
    const bool is_default = record.family == kDefaultColumnFamilyId;
    if (!is_default && found == batch.range_families.end()) continue;
    const auto& family = is_default ? db.default_family : found->second;
    RETURN_IF_ERROR(CheckRange(family, record.key, record.value));
  }
  return Status::Ok();  // Writing it says what else is wrong.
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_put(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                 size_t key_size, const char* value, size_t value_size, char** errptr) {
  varve::c::Put(db, options, IdOf(nullptr), View(key, key_size), View(value, value_size), errptr);
}

void rocksdb_put_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    rocksdb_column_family_handle_t* family, const char* key, size_t key_size,
                    const char* value, size_t value_size, char** errptr) {
  varve::c::Put(db, options, IdOf(family), View(key, key_size), View(value, value_size), errptr);
}

void rocksdb_delete(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                    size_t key_size, char** errptr) {
  varve::c::Delete(db, options, IdOf(nullptr), View(key, key_size), errptr);
}

void rocksdb_delete_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                       rocksdb_column_family_handle_t* family, const char* key, size_t key_size,
                       char** errptr) {
  varve::c::Delete(db, options, IdOf(family), View(key, key_size), errptr);
}

void rocksdb_singledelete(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                          size_t key_size, char** errptr) {
  varve::c::SingleDelete(db, options, IdOf(nullptr), View(key, key_size), errptr);
}

void rocksdb_singledelete_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* family, const char* key,
                             size_t key_size, char** errptr) {
  varve::c::SingleDelete(db, options, IdOf(family), View(key, key_size), errptr);
}

void rocksdb_delete_range_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* family, const char* begin,
                             size_t begin_size, const char* end, size_t end_size, char** errptr) {
  const std::string_view first = View(begin, begin_size), last = View(end, end_size);
  const Status ordered = varve::c::CheckRange(FamilyOf(*db, family), first, last);
  if (varve::c::SaveError(errptr, ordered)) return;
  WriteBatch batch;
  batch.DeleteRange(first, last, IdOf(family));
  varve::c::Write(db, options, batch, errptr);
}

void rocksdb_merge(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                   size_t key_size, const char* operand, size_t operand_size, char** errptr) {
  varve::c::Merge(db, options, IdOf(nullptr), View(key, key_size), View(operand, operand_size),
                  errptr);
}

void rocksdb_merge_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                      rocksdb_column_family_handle_t* family, const char* key, size_t key_size,
                      const char* operand, size_t operand_size, char** errptr) {
  varve::c::Merge(db, options, IdOf(family), View(key, key_size), View(operand, operand_size),
                  errptr);
}

void rocksdb_write(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_writebatch_t* batch, char** errptr) {
  if (!batch->refused.empty()) return varve::c::Refuse(errptr, batch->refused);
  if (varve::c::SaveError(errptr, varve::c::CheckRanges(*db, *batch))) return;
  varve::c::Write(db, options, batch->batch, errptr);
}

}  // extern "C"
