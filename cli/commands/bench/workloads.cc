// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments/suggestion.h"
#include "cli/commands/bench/workload.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

using Data = Workload::Data;
constexpr uint64_t kMultiGetBatch = 32;
constexpr uint64_t kStepsPerSample = 64;  // A step of an iterator is shorter than two clock reads.

// Writes next_record() after next_record(), in batches.
template <typename NextRecord>
Status Fill(Worker& worker, NextRecord next_record) {
  std::vector<std::string> keys;
  std::vector<Store::Record> batch;
  while (worker.More()) {
    const uint64_t entries = worker.Batch(1);
    uint64_t bytes = 0;
    if (entries == 1) {
      const std::string_view key = worker.Key(next_record()), value = worker.Value();
      bytes = key.size() + value.size();
      RETURN_IF_ERROR(worker.store().Put(key, value));
    } else {
      keys.resize(std::max<size_t>(keys.size(), entries));
      batch.clear();
      for (uint64_t i = 0; i < entries; ++i) {
        batch.emplace_back(keys[i].assign(worker.Key(next_record())), worker.Value());
        bytes += batch.back().first.size() + batch.back().second.size();
      }
      RETURN_IF_ERROR(worker.store().PutMany(batch));
    }
    worker.Done(entries, bytes);
  }
  return Status::Ok();
}

Status FillSequential(Worker& worker) {
  return Fill(worker, [next = worker.thread() * worker.planned()]() mutable { return next++; });
}

Status FillRandom(Worker& worker) {
  return Fill(worker, [&worker] { return worker.ChooseRecord(); });
}

// One permutation of all records.
Status FillUniqueRandom(Worker& worker) {
  const Permutation order(worker.records(), worker.settings().seed);
  return Fill(worker, [&, next = uint64_t{0}]() mutable { return order.At(next++); });
}

template <typename NextRecord>
Status Delete(Worker& worker, NextRecord next_record) {
  while (worker.More()) {
    const std::string_view key = worker.Key(next_record());
    RETURN_IF_ERROR(worker.store().Delete(key));
    worker.Done(1, key.size());
  }
  return Status::Ok();
}

Status DeleteSequential(Worker& worker) {
  return Delete(worker, [next = worker.thread() * worker.planned()]() mutable { return next++; });
}

Status DeleteRandom(Worker& worker) {
  return Delete(worker, [&worker] { return worker.ChooseRecord(); });
}

template <typename NextRecord>
Status Read(Worker& worker, NextRecord next_record) {
  while (worker.More()) {
    const std::string_view key = worker.Key(next_record());
    ReadCount count = worker.NewCount();
    RETURN_IF_ERROR(worker.store().Get(key, &count));
    worker.Done(1, key.size() + count.bytes, count.found, count.checksum);
  }
  return Status::Ok();
}

Status ReadRandom(Worker& worker) {
  return Read(worker, [&worker] { return worker.ChooseRecord(); });
}

// One record in a hundred is all that is read.
Status ReadHot(Worker& worker) {
  return Read(worker, [&worker] {
    return worker.random().Below(std::max<uint64_t>(1, worker.records() / 100));
  });
}

// Reads a record and writes it anew.
Status UpdateRandom(Worker& worker) {
  while (worker.More()) {
    const std::string_view key = worker.Key(worker.ChooseRecord());
    ReadCount count = worker.NewCount();
    RETURN_IF_ERROR(worker.store().Get(key, &count));
    const std::string_view value = worker.Value();
    RETURN_IF_ERROR(worker.store().Put(key, value));
    worker.Done(1, 2 * key.size() + count.bytes + value.size(), count.found, count.checksum);
  }
  return Status::Ok();
}

// Nine reads to a write, which is db_bench's --readwritepercent=90.
Status ReadRandomWriteRandom(Worker& worker) {
  constexpr uint64_t kReadPercent = 90;
  while (worker.More()) {
    const std::string_view key = worker.Key(worker.ChooseRecord());
    ReadCount count = worker.NewCount();
    uint64_t written = 0;
    if (worker.random().Below(100) < kReadPercent) {
      RETURN_IF_ERROR(worker.store().Get(key, &count));
    } else {
      const std::string_view value = worker.Value();
      RETURN_IF_ERROR(worker.store().Put(key, value));
      written = value.size();
    }
    worker.Done(1, key.size() + count.bytes + written, count.found, count.checksum);
  }
  return Status::Ok();
}

// Makes an iterator and moves it nowhere.
Status NewIterator(Worker& worker) {
  while (worker.More()) {
    RETURN_IF_ERROR(worker.store().NewScan().status());
    worker.Done(1, 0);
  }
  return Status::Ok();
}

// Keys that lie among those there are, and are one byte too long.
Status ReadMissing(Worker& worker) {
  std::string key;
  while (worker.More()) {
    key.assign(worker.Key(worker.ChooseRecord())).push_back('0');
    ReadCount count = worker.NewCount();
    RETURN_IF_ERROR(worker.store().Get(key, &count));
    worker.Done(1, key.size(), count.found, count.checksum);
  }
  return Status::Ok();
}

Status MultiReadRandom(Worker& worker) {
  const uint64_t stride = worker.settings().stride;
  std::vector<std::string> keys(worker.Batch(kMultiGetBatch));
  std::vector<std::string_view> views(keys.size());
  while (worker.More()) {
    const uint64_t batch = worker.Batch(kMultiGetBatch), records = worker.records();
    uint64_t record = worker.ChooseRecord();
    for (uint64_t i = 0; i < batch; ++i) {
      views[i] = keys[i].assign(worker.Key(record));
      record = stride == 0 ? worker.ChooseRecord() : (record + stride) % records;
    }
    ReadCount count = worker.NewCount();
    RETURN_IF_ERROR(worker.store().MultiGet(std::span(views).first(batch), &count));
    worker.Done(batch, batch * worker.settings().key_size + count.bytes, count.found,
                count.checksum);
  }
  return Status::Ok();
}

// Through everything from one end; a duration has it start again.
template <bool kForward>
Status ReadInOrder(Worker& worker) {
  do {
    ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
    kForward ? it->SeekToFirst() : it->SeekToLast();
    if (!it->Valid()) return it->status();
    while (it->Valid() && worker.More()) {
      const uint64_t bytes = it->key().size() + it->value().size();
      ReadCount count = worker.NewCount();
      if (count.summed) count.Sum(it->key(), it->value());
      kForward ? it->Next() : it->Prev();
      worker.Done(1, bytes, 1, count.checksum);
    }
    RETURN_IF_ERROR(it->status());
  } while (worker.settings().duration > 0 && !worker.stopped());
  return Status::Ok();
}

// The same forward, --batch-size records at once.
Status ReadInBatches(Worker& worker) {
  do {
    ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
    it->SeekToFirst();
    if (!it->Valid()) return it->status();
    while (it->Valid() && worker.More()) {
      ReadCount count = worker.NewCount();
      it->Take(worker.Batch(1000), &count);
      worker.Done(count.found, count.bytes, count.found, count.checksum);
    }
    RETURN_IF_ERROR(it->status());
  } while (worker.settings().duration > 0 && !worker.stopped());
  return Status::Ok();
}

Status ReadToCache(Worker& worker) {
  ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
  for (it->SeekToFirst(); it->Valid() && worker.More(); it->Next()) {
    worker.Done(1, it->key().size() + it->value().size(), 1);
  }
  return it->status();
}

Status SeekRandom(Worker& worker) {
  while (worker.More()) {
    const std::string_view key = worker.Key(worker.ChooseRecord());
    ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
    it->Seek(key);
    const bool found = it->Valid() && it->key() == key;
    uint64_t bytes = 0;
    ReadCount count = worker.NewCount();
    for (uint64_t n = 0; it->Valid(); ++n, it->Next()) {
      bytes += it->key().size() + it->value().size();
      if (count.summed) count.Sum(it->key(), it->value());
      if (n == worker.settings().nexts) break;
    }
    RETURN_IF_ERROR(it->status());
    worker.Done(1, bytes, found ? 1 : 0, count.checksum);
  }
  return Status::Ok();
}

// Overwrites at --write-rate until told to stop.
Status WriteMeanwhile(Worker& worker) {
  const auto begin = Worker::Clock::now();
  const double rate = static_cast<double>(worker.settings().write_rate);
  while (worker.More()) {
    const std::string_view key = worker.Key(worker.ChooseRecord()), value = worker.Value();
    RETURN_IF_ERROR(worker.store().Put(key, value));
    worker.Done(1, key.size() + value.size());
    if (rate == 0) continue;
    const std::chrono::duration<double> due(static_cast<double>(worker.bytes()) / rate);
    while (!worker.stopped() && Worker::Clock::now() - begin < due) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return Status::Ok();
}

// Iterates over everything, again and again, until told to stop.
Status ScanMeanwhile(Worker& worker) {
  while (!worker.stopped()) {
    ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
    for (it->SeekToFirst(); it->Valid() && worker.More(); it->Next()) {
      worker.Done(1, it->key().size() + it->value().size());
    }
    RETURN_IF_ERROR(it->status());
  }
  return Status::Ok();
}

// One call of the store.
template <typename Call>
Status Once(Worker& worker, Call call) {
  if (!worker.More()) return Status::Ok();
  RETURN_IF_ERROR(call(worker.store()));
  worker.Done(1, 0);
  return Status::Ok();
}

Status Compact(Worker& worker) {
  return Once(worker, [](Store& store) { return store.Compact(); });
}
Status Flush(Worker& worker) {
  return Once(worker, [](Store& store) { return store.Flush(); });
}
Status WaitForCompaction(Worker& worker) {
  return Once(worker, [](Store& store) { return store.WaitForBackgroundWork(); });
}

// db_bench writes a thousandth of the records where each takes so much longer.
void FewerRecords(Settings& settings) { settings.num = std::max<uint64_t>(1, settings.num / 1000); }

constexpr std::array kTable = {
    Workload{.name = "fillseq",
             .summary = "write the records in order into an empty database",
             .data = Data::kFresh,
             .writes = true,
             .work = FillSequential},
    Workload{.name = "fillrandom",
             .summary = "write random records into an empty database",
             .data = Data::kFresh,
             .writes = true,
             .work = FillRandom},
    Workload{.name = "filluniquerandom",
             .summary = "write each record once, in random order, into an empty database",
             .data = Data::kFresh,
             .writes = true,
             .work = FillUniqueRandom,
             .whole = true},
    Workload{.name = "fillbatch",
             .summary = "fillseq in batches of 1,000 records",
             .data = Data::kFresh,
             .writes = true,
             .work = FillSequential,
             .adjust = [](Settings& settings) { settings.batch_size = 1000; }},
    Workload{.name = "fillsync",
             .summary = "fillrandom of a thousandth of the records, each on disk before the next",
             .data = Data::kFresh,
             .writes = true,
             .work = FillRandom,
             .adjust =
                 [](Settings& settings) {
                   FewerRecords(settings);
                   settings.durability = Durability::kSync;
                 }},
    Workload{.name = "fill100k",
             .summary = "fillrandom of a thousandth of the records, values of 100,000 bytes",
             .data = Data::kFresh,
             .writes = true,
             .work = FillRandom,
             .adjust =
                 [](Settings& settings) {
                   FewerRecords(settings);
                   settings.value_sizes = {.size = 100'000};
                 }},
    Workload{.name = "overwrite",
             .summary = "write random records again",
             .writes = true,
             .work = FillRandom},
    Workload{.name = "updaterandom",
             .summary = "get a random record, and write it again",
             .writes = true,
             .work = UpdateRandom},
    Workload{.name = "deleteseq",
             .summary = "delete the records in order",
             .writes = true,
             .work = DeleteSequential},
    Workload{.name = "deleterandom",
             .summary = "delete random records",
             .writes = true,
             .work = DeleteRandom},
    Workload{.name = "readrandom", .summary = "get random records", .work = ReadRandom},
    Workload{
        .name = "readhot", .summary = "get random records of the first hundredth", .work = ReadHot},
    Workload{.name = "readmissing", .summary = "get keys that do not exist", .work = ReadMissing},
    Workload{.name = "multireadrandom",
             .summary = "get --batch-size records at once, at random or --stride apart",
             .work = MultiReadRandom},
    Workload{.name = "readseq",
             .summary = "iterate forward",
             .work = ReadInOrder<true>,
             .sample_of = kStepsPerSample},
    Workload{.name = "readseqbatch",
             .summary = "iterate forward, --batch-size records at once",
             .work = ReadInBatches},
    Workload{.name = "readreverse",
             .summary = "iterate backward",
             .work = ReadInOrder<false>,
             .sample_of = kStepsPerSample},
    Workload{.name = "readtocache",
             .summary = "iterate over everything once, to warm the cache",
             .work = ReadToCache,
             .whole = true,
             .sample_of = kStepsPerSample},
    Workload{.name = "seekrandom",
             .summary = "seek to a random record, then --nexts steps",
             .work = SeekRandom},
    Workload{.name = "newiterator", .summary = "make an iterator and drop it", .work = NewIterator},
    Workload{.name = "readrandomwriterandom",
             .summary = "get random records, and write one in ten operations",
             .writes = true,
             .work = ReadRandomWriteRandom},
    Workload{.name = "readwhilescanning",
             .summary = "readrandom beside one thread that iterates",
             .work = ReadRandom,
             .writer = ScanMeanwhile},
    Workload{.name = "seekrandomwhilewriting",
             .summary = "seekrandom beside one thread that overwrites",
             .writes = true,
             .work = SeekRandom,
             .writer = WriteMeanwhile},
    Workload{.name = "readwhilewriting",
             .summary = "readrandom beside one thread that overwrites",
             .writes = true,
             .work = ReadRandom,
             .writer = WriteMeanwhile},
    Workload{.name = "multireadwhilewriting",
             .summary = "multireadrandom beside one thread that overwrites",
             .writes = true,
             .work = MultiReadRandom,
             .writer = WriteMeanwhile},
    Workload{.name = "ycsba",
             .summary = "YCSB A: 50 % reads, 50 % updates",
             .writes = true,
             .work = YcsbA,
             .distribution = Distribution::kZipfian},
    Workload{.name = "ycsbb",
             .summary = "YCSB B: 95 % reads, 5 % updates",
             .writes = true,
             .work = YcsbB,
             .distribution = Distribution::kZipfian},
    Workload{.name = "ycsbc",
             .summary = "YCSB C: reads",
             .work = YcsbC,
             .distribution = Distribution::kZipfian},
    Workload{.name = "ycsbd",
             .summary = "YCSB D: 95 % reads of the latest, 5 % inserts",
             .writes = true,
             .work = YcsbD,
             .distribution = Distribution::kLatest},
    Workload{.name = "ycsbe",
             .summary = "YCSB E: 95 % scans of up to 100 records, 5 % inserts",
             .writes = true,
             .work = YcsbE,
             .distribution = Distribution::kZipfian},
    Workload{.name = "ycsbf",
             .summary = "YCSB F: 50 % reads, 50 % read-modify-writes",
             .writes = true,
             .work = YcsbF,
             .distribution = Distribution::kZipfian},
    Workload{.name = "flush",
             .summary = "write the memtables to tables",
             .writes = true,
             .work = Flush,
             .whole = true},
    Workload{.name = "compact",
             .summary = "compact everything",
             .writes = true,
             .work = Compact,
             .whole = true},
    Workload{.name = "waitforcompaction",
             .summary = "wait until background work is done",
             .writes = true,
             .work = WaitForCompaction,
             .whole = true},
    Workload{.name = "open", .summary = "close the database and open it", .whole = true},
};

}  // namespace

std::span<const Workload> WorkloadTable() { return kTable; }

const Workload* FindWorkload(std::string_view name) {
  for (const Workload& workload : kTable) {
    if (workload.name == name) return &workload;
  }
  return nullptr;
}

Status CheckLength(const Settings& settings, std::span<const Workload* const> workloads) {
  const bool fills = std::any_of(workloads.begin(), workloads.end(), [](const Workload* workload) {
    return workload->data == Workload::Data::kFresh;
  });
  if (fills || settings.duration == 0 || !settings.operations) return Status::Ok();
  return Status::InvalidArgument("--ops and --duration cannot be combined, but for a fill");
}

Status NoWorkload(std::string_view name) {
  std::vector<std::string> names;
  for (const Workload& workload : kTable) names.emplace_back(workload.name);
  return Status::InvalidArgument("there is no workload '" + std::string(name) + "'" +
                                 DidYouMean(name, names) + " (varve bench list shows them)");
}

}  // namespace varve::cli::bench
