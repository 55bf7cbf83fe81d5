// SPDX-License-Identifier: Apache-2.0
#include "core/python/stats.h"

#include "core/python/bytes.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

nb::dict ToDict(const Durations& durations) {
  nb::dict dict;
  dict["count"] = durations.count;
  dict["total_nanos"] = durations.total_nanos;
  dict["p50_nanos"] = durations.Percentile(0.5);
  dict["p99_nanos"] = durations.Percentile(0.99);
  return dict;
}

nb::dict ToDict(const RecoveryLoss& loss) {
  nb::dict dict;
  dict["file"] = ToStr(loss.file);
  dict["offset"] = loss.offset;
  dict["bytes"] = loss.bytes;
  dict["reason"] = ToStr(loss.reason);
  dict["damage"] = loss.damage;
  dict["unfinished"] = loss.unfinished;
  return dict;
}

}  // namespace

#define MEMBER(name) dict[#name] = stats.name
#define DURATIONS(name) dict[#name] = ToDict(stats.name)

nb::dict ToDict(const DbStats& stats) {
  nb::dict dict;
  MEMBER(last_sequence);
  MEMBER(snapshots);
  MEMBER(memtable_bytes);
  MEMBER(pinned_memtable_bytes);
  MEMBER(open_tables);
  MEMBER(open_table_bytes);
  MEMBER(block_bytes);
  MEMBER(block_cache_bytes);
  MEMBER(block_cache_capacity);
  MEMBER(block_cache_hits);
  MEMBER(block_cache_misses);
  MEMBER(batches_written);
  MEMBER(entries_written);
  MEMBER(user_bytes_written);
  MEMBER(wal_bytes_written);
  MEMBER(flush_bytes_written);
  MEMBER(compaction_bytes_read);
  MEMBER(compaction_bytes_written);
  MEMBER(flushes);
  MEMBER(compactions);
  MEMBER(trivial_moves);
  MEMBER(remote_compactions_running);
  MEMBER(remote_compactions);
  MEMBER(remote_compaction_failures);
  MEMBER(remote_compaction_fallbacks);
  dict["remote_compaction_failure"] = ToStr(stats.remote_compaction_failure);
  MEMBER(stalls);
  MEMBER(stall_micros);
  dict["stall_cause"] = ToStr(stats.stall_cause);
  DURATIONS(write_durations);
  DURATIONS(flush_durations);
  DURATIONS(compaction_durations);
  return dict;
}

nb::dict ToDict(const FamilyStats& stats) {
  nb::dict dict;
  MEMBER(id);
  dict["name"] = ToStr(Name{stats.name});
  dict["levels"] = ToList(stats.levels);
  MEMBER(memtable_bytes);
  MEMBER(memtable_entries);
  MEMBER(memtable_deletions);
  MEMBER(sealed_memtables);
  MEMBER(sealed_memtable_bytes);
  MEMBER(sealed_memtable_entries);
  MEMBER(sealed_memtable_deletions);
  MEMBER(blob_files);
  MEMBER(blob_bytes);
  MEMBER(blob_garbage_bytes);
  MEMBER(pending_compaction_bytes);
  MEMBER(gets);
  MEMBER(gets_found);
  MEMBER(multigets);
  MEMBER(multiget_keys);
  MEMBER(multiget_keys_found);
  MEMBER(iterators);
  MEMBER(filter_negatives);
  MEMBER(filter_positives);
  MEMBER(filter_true_positives);
  DURATIONS(get_durations);
  DURATIONS(multiget_durations);
  return dict;
}

#undef MEMBER
#undef DURATIONS

nb::dict ToDict(const RecoveryReport& report) {
  nb::list losses, notes;
  for (const RecoveryLoss& loss : report.losses) losses.append(ToDict(loss));
  for (const std::string& note : report.option_notes) notes.append(ToStr(note));
  nb::dict dict;
  dict["damaged"] = report.damaged();
  dict["wal_files"] = report.wal_files;
  dict["wal_records"] = report.wal_records;
  dict["wal_bytes"] = report.wal_bytes;
  dict["losses"] = losses;
  dict["option_notes"] = notes;
  return dict;
}

nb::list ToList(const std::vector<LevelInfo>& levels) {
  nb::list list;
  for (const LevelInfo& level : levels) {
    nb::dict dict;
    dict["level"] = level.level;
    dict["files"] = level.files;
    dict["bytes"] = level.bytes;
    list.append(dict);
  }
  return list;
}

nb::list ToList(const std::vector<LiveFile>& files) {
  nb::list list;
  for (const LiveFile& file : files) {
    nb::dict dict;
    dict["number"] = file.number;
    dict["level"] = file.level;
    dict["size"] = file.size;
    dict["smallest_key"] = ToBytes(file.smallest_key);
    dict["largest_key"] = ToBytes(file.largest_key);
    dict["smallest_sequence"] = file.smallest_sequence;
    dict["largest_sequence"] = file.largest_sequence;
    dict["entries"] = file.entries;
    dict["deletions"] = file.deletions;
    list.append(dict);
  }
  return list;
}

}  // namespace varve::python
