// SPDX-License-Identifier: Apache-2.0
#include "core/c/statistics.h"

#include "core/c/error.h"
#include "core/c/option_handles.h"

namespace varve::c {

void Statistics::AddTo(const DB& db, DbStats* totals, FamilyStats* families) {
  const DbStats stats = db.Stats();
  totals->block_cache_hits += stats.block_cache_hits;
  totals->block_cache_misses += stats.block_cache_misses;
  totals->batches_written += stats.batches_written;
  totals->entries_written += stats.entries_written;
  totals->user_bytes_written += stats.user_bytes_written;
  totals->wal_bytes_written += stats.wal_bytes_written;
  totals->flush_bytes_written += stats.flush_bytes_written;
  totals->compaction_bytes_read += stats.compaction_bytes_read;
  totals->compaction_bytes_written += stats.compaction_bytes_written;
  totals->stall_micros += stats.stall_micros;
  for (const FamilyStats& family : db.StatsOfFamilies()) {
    families->gets += family.gets;
    families->multigets += family.multigets;
    families->multiget_keys += family.multiget_keys;
    families->multiget_keys_found += family.multiget_keys_found;
    families->iterators += family.iterators;
    families->filter_negatives += family.filter_negatives;
    families->filter_positives += family.filter_positives;
    families->filter_true_positives += family.filter_true_positives;
  }
}

void Statistics::Add(DB* db) {
  MutexLock lock(mutex_);
  open_.insert(db);
}

void Statistics::Remove(DB* db) {
  MutexLock lock(mutex_);
  open_.erase(db);
  AddTo(*db, &closed_, &closed_families_);
}

std::string Statistics::ToString() const {
  MutexLock lock(mutex_);
  DbStats all = closed_;
  FamilyStats families = closed_families_;
  for (const DB* const db : open_) AddTo(*db, &all, &families);
  std::string text;
  const auto add = [&](std::string_view name, uint64_t count) {
    text.append("rocksdb.").append(name).append(" COUNT : ");
    text.append(std::to_string(count)).append("\n");
  };
  add("block.cache.miss", all.block_cache_misses);
  add("block.cache.hit", all.block_cache_hits);
  add("bloom.filter.useful", families.filter_negatives);
  add("bloom.filter.full.positive", families.filter_positives);
  add("bloom.filter.full.true.positive", families.filter_true_positives);
  add("number.keys.written", all.entries_written);
  add("bytes.written", all.user_bytes_written);
  add("number.multiget.get", families.multigets);
  add("number.multiget.keys.read", families.multiget_keys);
  add("number.multiget.keys.found", families.multiget_keys_found);
  add("number.keys.read", families.gets);
  add("num.iterator.created", families.iterators);
  add("wal.bytes", all.wal_bytes_written);
  add("write.self", all.batches_written);
  add("compact.read.bytes", all.compaction_bytes_read);
  add("compact.write.bytes", all.compaction_bytes_written);
  add("flush.write.bytes", all.flush_bytes_written);
  add("stall.micros", all.stall_micros);
  return text;
}

}  // namespace varve::c

extern "C" {

void rocksdb_options_enable_statistics(rocksdb_options_t* options) {
  options->statistics = std::make_shared<varve::c::Statistics>();
}

char* rocksdb_options_statistics_get_string(rocksdb_options_t* options) {
  if (options->statistics == nullptr) return nullptr;
  return varve::c::CopyText(options->statistics->ToString());
}

}  // extern "C"
