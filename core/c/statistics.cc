// SPDX-License-Identifier: Apache-2.0
#include "core/c/statistics.h"

#include <cmath>

#include "core/c/error.h"
#include "core/c/option_handles.h"

namespace varve::c {
namespace {

// Of `calls` calls, those of `timed` were timed.
HistogramFigures FiguresOf(const Durations& timed, uint64_t calls) {
  if (timed.count == 0) return {};
  constexpr double kNanosInMicro = 1000;
  const auto count = static_cast<double>(timed.count);
  const double average = static_cast<double>(timed.total_nanos) / count;
  const auto percentile = [&](double fraction) {
    return timed.Percentile(fraction) / kNanosInMicro;
  };
  double squares = 0, lowest = 0, highest = 0;
  for (size_t i = Durations::kBuckets; i-- > 0;) {
    if (timed.buckets[i] == 0) continue;
    const double high = std::ldexp(1, static_cast<int>(i)), low = i == 0 ? 0 : high / 2;
    if (highest == 0) highest = high;
    lowest = low;
    const double distance = (low + high) / 2 - average;
    squares += static_cast<double>(timed.buckets[i]) * distance * distance;
  }
  return {.count = calls,
          .sum = static_cast<uint64_t>(average * static_cast<double>(calls) / kNanosInMicro),
          .average = average / kNanosInMicro,
          .deviation = std::sqrt(squares / count) / kNanosInMicro,
          .min = lowest / kNanosInMicro,
          .median = percentile(0.5),
          .p95 = percentile(0.95),
          .p99 = percentile(0.99),
          .max = highest / kNanosInMicro};
}

}  // namespace

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
  totals->write_durations.Add(stats.write_durations);
  totals->flush_durations.Add(stats.flush_durations);
  totals->compaction_durations.Add(stats.compaction_durations);
  for (const FamilyStats& family : db.StatsOfFamilies()) {
    families->gets += family.gets;
    families->multigets += family.multigets;
    families->multiget_keys += family.multiget_keys;
    families->multiget_keys_found += family.multiget_keys_found;
    families->iterators += family.iterators;
    families->get_durations.Add(family.get_durations);
    families->multiget_durations.Add(family.multiget_durations);
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

Statistics::Totals Statistics::Sum() const {
  MutexLock lock(mutex_);
  Totals totals{closed_, closed_families_};
  for (const DB* const db : open_) AddTo(*db, &totals.all, &totals.families);
  return totals;
}

HistogramFigures Statistics::HistogramOf(uint32_t number) const {
  const auto [all, families] = Sum();
  switch (number) {
    case 0:
      return FiguresOf(families.get_durations, families.gets);
    case 1:
      return FiguresOf(all.write_durations, all.batches_written);
    case 2:
      return FiguresOf(all.compaction_durations, all.compaction_durations.count);
    case 10:
      return FiguresOf(families.multiget_durations, families.multigets);
    case 50:
      return FiguresOf(all.flush_durations, all.flush_durations.count);
    default:
      return {};
  }
}

std::vector<Ticker> Statistics::Tickers() const {
  const auto [all, families] = Sum();
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
