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

std::vector<Ticker> Statistics::Tickers() const {
  MutexLock lock(mutex_);
  DbStats all = closed_;
  FamilyStats families = closed_families_;
  for (const DB* const db : open_) AddTo(*db, &all, &families);
  return {
      {0, "block.cache.miss", all.block_cache_misses},
      {1, "block.cache.hit", all.block_cache_hits},
      {35, "bloom.filter.useful", families.filter_negatives},
      {36, "bloom.filter.full.positive", families.filter_positives},
      {37, "bloom.filter.full.true.positive", families.filter_true_positives},
      {58, "number.keys.written", all.entries_written},
      {61, "bytes.written", all.user_bytes_written},
      {78, "number.multiget.get", families.multigets},
      {79, "number.multiget.keys.read", families.multiget_keys},
      {81, "number.multiget.keys.found", families.multiget_keys_found},
      {59, "number.keys.read", families.gets},
      {72, "num.iterator.created", families.iterators},
      {85, "wal.bytes", all.wal_bytes_written},
      {91, "write.self", all.batches_written},
      {94, "compact.read.bytes", all.compaction_bytes_read},
      {95, "compact.write.bytes", all.compaction_bytes_written},
      {96, "flush.write.bytes", all.flush_bytes_written},
      {76, "stall.micros", all.stall_micros},
  };
}

std::string Statistics::ToString() const {
  std::string text;
  for (const Ticker& ticker : Tickers()) {
    text.append("rocksdb.").append(ticker.name).append(" COUNT : ");
    text.append(std::to_string(ticker.count)).append("\n");
  }
  return text;
}

uint64_t Statistics::CountOf(uint32_t number) const {
  for (const Ticker& ticker : Tickers()) {
    if (ticker.number == number) return ticker.count;
  }
  return 0;
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
