// SPDX-License-Identifier: Apache-2.0
// GET …/stats, GET …/stats/history: statistics of a running engine. Not available for files alone.
#include <functional>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/stats_fields.h"
#include "webview/api/resources/live.h"
#include "webview/api/resources/resources.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

struct Histogram {
  Durations durations;
  uint64_t sampled_one_in = 1;
};

struct Bucket {
  uint64_t below_nanos = 0;
  uint64_t count = 0;
};

std::vector<Bucket> BucketsOf(const Histogram& histogram) {
  std::vector<Bucket> buckets;
  for (size_t i = 0; i < Durations::kBuckets; ++i) {
    const uint64_t count = histogram.durations.buckets[i];
    if (count > 0) buckets.push_back({.below_nanos = uint64_t{1} << i, .count = count});
  }
  return buckets;
}

auto Micros(double fraction) {
  return [fraction](const Histogram& histogram) {
    return histogram.durations.Percentile(fraction) / 1000;
  };
}

const Fields<Histogram>& HistogramFields() {
  static const auto bucket = Fields<Bucket>("DurationBucket")
                                 .Number("below_ns", Unit::kNanoseconds, &Bucket::below_nanos,
                                         "the durations are below this, and at least half of it")
                                 .Number("count", Unit::kCount, &Bucket::count, "durations in it");
  static const auto fields =
      Fields<Histogram>("DurationHistogram")
          .Number(
              "count", Unit::kCount, [](const Histogram& of) { return of.durations.count; },
              "durations measured")
          .Number("sampled_one_in", Unit::kCount, &Histogram::sampled_one_in,
                  "one of so many calls was measured")
          .Fraction(
              "sum_us",
              [](const Histogram& of) {
                return static_cast<double>(of.durations.total_nanos) / 1000;
              },
              "their sum, in microseconds")
          .Fraction("p50_us", Micros(0.5), "median, in microseconds, interpolated within a bucket")
          .Fraction("p95_us", Micros(0.95), "95 percent took at most so many microseconds")
          .Fraction("p99_us", Micros(0.99), "99 percent took at most so many microseconds")
          .Fraction("p999_us", Micros(0.999), "99.9 percent took at most so many microseconds")
          .List("buckets", BucketsOf, bucket,
                "buckets that are not empty, shortest durations first");
  return fields;
}

// Getters of the sum over all families, and of what the database counts.
auto Sum(uint64_t FamilyStats::* figure) {
  return [figure](const EngineStats& stats) {
    uint64_t sum = 0;
    for (const FamilyStats& family : stats.families) sum += family.*figure;
    return sum;
  };
}
auto OfDb(uint64_t DbStats::* figure) {
  return [figure](const EngineStats& stats) { return stats.db.*figure; };
}
auto Calls(Durations FamilyStats::* figure) {
  return [figure](const EngineStats& stats) {
    Histogram sum = {.durations = {}, .sampled_one_in = kOneCallIn};
    for (const FamilyStats& family : stats.families) sum.durations.Add(family.*figure);
    return sum;
  };
}
auto OfJobs(Durations DbStats::* figure) {
  return [figure](const EngineStats& stats) {
    return Histogram{.durations = stats.db.*figure, .sampled_one_in = 1};
  };
}

}  // namespace

// RocksDB's names where the meaning is the same; figures of Varve alone begin with "varve.".
const Fields<EngineStats>& TickerFields() {
  using enum Unit;
  static const auto fields =
      Fields<EngineStats>("Tickers")
          .Number("rocksdb.block.cache.hit", kCount, OfDb(&DbStats::block_cache_hits),
                  "blocks found in the cache, by all that share it")
          .Number("rocksdb.block.cache.miss", kCount, OfDb(&DbStats::block_cache_misses),
                  "blocks that were not in the cache, by all that share it")
          .Number("rocksdb.bloom.filter.useful", kCount, Sum(&FamilyStats::filter_negatives),
                  "tables that a filter kept from being searched")
          .Number("rocksdb.bloom.filter.full.positive", kCount, Sum(&FamilyStats::filter_positives),
                  "tables searched because a filter allowed it")
          .Number("rocksdb.bloom.filter.full.true.positive", kCount,
                  Sum(&FamilyStats::filter_true_positives),
                  "tables searched because a filter allowed it that had the key")
          .Number("rocksdb.number.keys.read", kCount, Sum(&FamilyStats::gets), "point reads")
          .Number("rocksdb.number.keys.written", kCount, OfDb(&DbStats::entries_written),
                  "puts, deletions and merges written")
          .Number("rocksdb.number.multiget.get", kCount, Sum(&FamilyStats::multigets),
                  "batches of point reads")
          .Number("rocksdb.number.multiget.keys.read", kCount, Sum(&FamilyStats::multiget_keys),
                  "keys in batches of point reads")
          .Number("rocksdb.number.multiget.keys.found", kCount,
                  Sum(&FamilyStats::multiget_keys_found),
                  "keys in batches of point reads that had a value")
          .Number("rocksdb.num.iterator.created", kCount, Sum(&FamilyStats::iterators),
                  "iterators made")
          .Number("rocksdb.bytes.written", kBytes, OfDb(&DbStats::user_bytes_written),
                  "of keys and values that users wrote")
          .Number("rocksdb.wal.bytes", kBytes, OfDb(&DbStats::wal_bytes_written),
                  "written to logs, headers included")
          .Number("rocksdb.flush.write.bytes", kBytes, OfDb(&DbStats::flush_bytes_written),
                  "of tables written by flushes")
          .Number("rocksdb.compact.read.bytes", kBytes, OfDb(&DbStats::compaction_bytes_read),
                  "read by compactions")
          .Number("rocksdb.compact.write.bytes", kBytes, OfDb(&DbStats::compaction_bytes_written),
                  "of tables written by compactions")
          .Number("rocksdb.stall.micros", kMicroseconds, OfDb(&DbStats::stall_micros),
                  "for which writes had to wait")
          .Number("varve.gets.found", kCount, Sum(&FamilyStats::gets_found),
                  "point reads that found a value")
          .Number("varve.batches.written", kCount, OfDb(&DbStats::batches_written),
                  "batches written")
          .Number("varve.flushes", kCount, OfDb(&DbStats::flushes), "flushes that have ended")
          .Number("varve.compactions", kCount, OfDb(&DbStats::compactions),
                  "compactions that rewrote or dropped tables")
          .Number("varve.trivial.moves", kCount, OfDb(&DbStats::trivial_moves),
                  "compactions that only changed the level of tables")
          .Number("varve.remote.compactions", kCount, OfDb(&DbStats::remote_compactions),
                  "of varve.compactions, those that a compaction service did")
          .Number("varve.remote.compaction.failures", kCount,
                  OfDb(&DbStats::remote_compaction_failures),
                  "compactions that the service did not do, or whose result was refused")
          .Number("varve.remote.compaction.fallbacks", kCount,
                  OfDb(&DbStats::remote_compaction_fallbacks), "of these, those done here instead")
          .Number("varve.stalls", kCount, OfDb(&DbStats::stalls),
                  "groups of writes that had to wait");
  return fields;
}

const Fields<EngineStats>& HistogramsFields() {
  const auto& one = HistogramFields();
  static const auto fields =
      Fields<EngineStats>("Histograms")
          .Object("rocksdb.db.get.micros", Calls(&FamilyStats::get_durations), one, "point reads")
          .Object("rocksdb.db.multiget.micros", Calls(&FamilyStats::multiget_durations), one,
                  "batches of point reads")
          .Object(
              "rocksdb.db.write.micros",
              [](const EngineStats& stats) {
                return Histogram{.durations = stats.db.write_durations,
                                 .sampled_one_in = kOneCallIn};
              },
              one, "batches written, waiting included")
          .Object("rocksdb.db.flush.micros", OfJobs(&DbStats::flush_durations), one, "flushes")
          .Object("rocksdb.compaction.times.micros", OfJobs(&DbStats::compaction_durations), one,
                  "compactions that rewrote tables");
  return fields;
}

const Fields<LevelInfo>& LevelSizeFields() {
  static const auto fields =
      Fields<LevelInfo>("LevelSize")
          .Integer("level", Unit::kNone, &LevelInfo::level, "the level")
          .Number("files", Unit::kCount, &LevelInfo::files, "tables on the level")
          .Number("bytes", Unit::kBytes, &LevelInfo::bytes, "of the tables on the level");
  return fields;
}

const Fields<RunningCompaction>& RunningCompactionFields() {
  static const auto fields =
      Fields<RunningCompaction>("RunningCompaction")
          .Ids("inputs", &RunningCompaction::inputs, "numbers of the tables that it reads")
          .Integer("output_level", Unit::kNone, &RunningCompaction::output_level,
                   "that its tables will be on")
          .WholeBytes("from", &RunningCompaction::smallest, "the first key that they may hold")
          .WholeBytes("to", &RunningCompaction::largest, "the last key that they may hold");
  return fields;
}

const Fields<FamilyStats>& FamilyStatsFields() {
  static const auto fields =
      Fields<FamilyStats>("FamilyStats")
          .Id("id", &FamilyStats::id, "of the column family")
          .Name("name", &FamilyStats::name, "of the column family")
          .List("levels", &FamilyStats::levels, LevelSizeFields(), "at this moment")
          .Number("memtable_bytes", Unit::kBytes, &FamilyStats::memtable_bytes,
                  "of the memtable that takes writes")
          .Number("sealed_memtables", Unit::kCount, &FamilyStats::sealed_memtables,
                  "memtables that wait for a flush")
          .Number("sealed_memtable_bytes", Unit::kBytes, &FamilyStats::sealed_memtable_bytes,
                  "of memtables that wait for a flush")
          .Number("blob_files", Unit::kCount, &FamilyStats::blob_files, "at this moment")
          .Number("blob_bytes", Unit::kBytes, &FamilyStats::blob_bytes, "of these files")
          .Number("blob_garbage_bytes", Unit::kBytes, &FamilyStats::blob_garbage_bytes,
                  "of values in them to which no table refers")
          .Number("pending_compaction_bytes", Unit::kBytes, &FamilyStats::pending_compaction_bytes,
                  "that compactions have to rewrite, estimated")
          .List("running_compactions", &FamilyStats::running_compactions, RunningCompactionFields(),
                "at this moment")
          .Number("gets", Unit::kCount, &FamilyStats::gets, "point reads")
          .Number("gets_found", Unit::kCount, &FamilyStats::gets_found,
                  "point reads that found a value")
          .Number("filter_negatives", Unit::kCount, &FamilyStats::filter_negatives,
                  "tables that a filter kept from being searched")
          .Number("filter_positives", Unit::kCount, &FamilyStats::filter_positives,
                  "tables searched because a filter allowed it")
          .Number("filter_true_positives", Unit::kCount, &FamilyStats::filter_true_positives,
                  "tables searched because a filter allowed it that had the key")
          .Number("multigets", Unit::kCount, &FamilyStats::multigets, "batches of point reads")
          .Number("multiget_keys", Unit::kCount, &FamilyStats::multiget_keys,
                  "keys in batches of point reads")
          .Number("multiget_keys_found", Unit::kCount, &FamilyStats::multiget_keys_found,
                  "keys in batches of point reads that had a value")
          .Number("iterators", Unit::kCount, &FamilyStats::iterators, "iterators made");
  return fields;
}

const Fields<DbStats>& BlockCacheFields() {
  static const auto fields =
      Fields<DbStats>()
          .Number("bytes", Unit::kBytes, &DbStats::block_cache_bytes,
                  "in the cache, those of other databases that share it included")
          .Number("capacity", Unit::kBytes, &DbStats::block_cache_capacity,
                  "that the cache may hold");
  return fields;
}

const Fields<EngineStats>& EngineStatsFields() {
  static const auto stall =
      Fields<DbStats>().Text("cause", &DbStats::stall_cause,
                             "what writes wait for at this moment: \"memtables\", \"level0 "
                             "files\" or \"pending bytes\"; empty: nothing");
  static const auto fields =
      Fields<EngineStats>("EngineStats")
          .Object("tickers", std::identity(), TickerFields(), "counted since the database opened")
          .Object("histograms", std::identity(), HistogramsFields(),
                  "how long calls and jobs took since then")
          .Object("block_cache", &EngineStats::db, BlockCacheFields(), "at this moment")
          .Object("stall", &EngineStats::db, stall, "at this moment")
          .Number("memtable_bytes", Unit::kBytes, OfDb(&DbStats::memtable_bytes),
                  "of all memtables")
          .Number("pinned_memtable_bytes", Unit::kBytes, OfDb(&DbStats::pinned_memtable_bytes),
                  "of memtables that are in tables already and still read")
          .Number("open_tables", Unit::kCount, OfDb(&DbStats::open_tables),
                  "tables that are open, each with a file descriptor")
          .Number("open_table_bytes", Unit::kBytes, OfDb(&DbStats::open_table_bytes),
                  "in memory for open tables, outside the cache")
          .Number("block_bytes", Unit::kBytes, OfDb(&DbStats::block_bytes),
                  "of all blocks in memory: in caches, pinned by readers, and of open tables")
          .List("cfs", &EngineStats::families, FamilyStatsFields(), "each column family");
  return fields;
}

namespace {

const Fields<StatsSample>& SampleFields() {
  static const auto counts =
      Fields<DbStats>()
          .Id("seq", &DbStats::last_sequence, "sequence number of the newest write")
          .Number("memtable_bytes", Unit::kBytes, &DbStats::memtable_bytes, "of all memtables")
          .Number("block_cache_bytes", Unit::kBytes, &DbStats::block_cache_bytes, "in the cache")
          .Number("block_cache_hits", Unit::kCount, &DbStats::block_cache_hits,
                  "blocks found in the cache, until then")
          .Number("block_cache_misses", Unit::kCount, &DbStats::block_cache_misses,
                  "blocks that had to be read")
          .Number("entries_written", Unit::kCount, &DbStats::entries_written,
                  "puts, deletions and merges")
          .Number("user_bytes_written", Unit::kBytes, &DbStats::user_bytes_written,
                  "of keys and values that users wrote")
          .Number("flush_bytes_written", Unit::kBytes, &DbStats::flush_bytes_written,
                  "of tables written by flushes")
          .Number("compaction_bytes_written", Unit::kBytes, &DbStats::compaction_bytes_written,
                  "of tables written by compactions")
          .Number("stall_micros", Unit::kMicroseconds, &DbStats::stall_micros,
                  "for which writes had to wait");
  static const auto fields = Fields<StatsSample>("StatsSample")
                                 .Number("time_unix_us", Unit::kUnixMicroseconds,
                                         &StatsSample::unix_micros, "when it was taken")
                                 .Include(&StatsSample::db, counts);
  return fields;
}

const Fields<EngineStats>& StatsFields() {
  static const auto fields =
      Fields<EngineStats>().Object("stats", std::identity(), EngineStatsFields(),
                                   "RocksDB's tickers and histograms under their names, and more "
                                   "of the engine");
  return fields;
}

// Of the server, not of the engine.
const Fields<JobsUsage>& JobsFields() {
  static const auto jobs =
      Fields<JobsUsage>("JobsUsage")
          .Number("unfinished", Unit::kCount, &JobsUsage::unfinished, "queued or running")
          .Number("kept", Unit::kCount, &JobsUsage::kept, "all that were not deleted")
          .Number("result_bytes", Unit::kBytes, &JobsUsage::result_bytes,
                  "of the results that are kept, approximately");
  static const auto fields =
      Fields<JobsUsage>().Object("jobs", std::identity(), jobs, "of this server, at this moment");
  return fields;
}

using Samples = std::vector<StatsSample>;

const Fields<Samples>& StatsHistoryFields() {
  static const auto fields = Fields<Samples>().List("samples", std::identity(), SampleFields(),
                                                    "one a second, the oldest first");
  return fields;
}

Reply GetStats(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  StatsFields().AddTo(&json, live->Stats());
  JobsFields().AddTo(&json, call.service().jobs().Usage());
  return json;
}

Reply GetStatsHistory(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  StatsHistoryFields().AddTo(&json, live->StatsHistory());
  return json;
}

constexpr DocumentSchema kStatsDocument = {.name = "varve.stats/1",
                                           .make = [](std::string_view name) {
                                             auto members = StatsFields().Members();
                                             for (auto& member : JobsFields().Members())
                                               members.push_back(std::move(member));
                                             return Document(name, std::move(members));
                                           }};

constexpr DocumentSchema kStatsHistoryDocument = {
    .name = "varve.stats_history/1",
    .make = [](std::string_view name) { return Document(name, StatsHistoryFields().Members()); }};

}  // namespace

std::span<const Route> StatsRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/stats",
       .handler = GetStats,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kStatsDocument,
       .summary = "statistics of a running engine"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/stats/history",
       .handler = GetStatsHistory,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kStatsHistoryDocument,
       .summary = "statistics of a running engine, one sample a second"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
