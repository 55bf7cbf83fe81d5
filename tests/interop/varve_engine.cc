// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/interop/engines.h"
#include "varve/db.h"
#include "varve/option_table.h"
#include "varve/sst_file_writer.h"

namespace varve::interop {
namespace {

template <typename T>
T Pick(std::mt19937_64& random, std::initializer_list<T> choices) {
  return choices.begin()[random() % choices.size()];
}

// Every option set is one that RocksDB 7.8.3 can read (format_version 5 and below).
Options DrawOptions(uint64_t seed) {
  std::mt19937_64 random(seed);
  Options options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.max_background_jobs = Pick(random, {1, 2, 3});
  options.max_subcompactions = Pick(random, {1, 1, 3});
  options.max_open_files = Pick(random, {-1, -1, 20});
  options.block_cache_bytes = Pick<uint64_t>(random, {0, 64 << 10, 8 << 20});
  options.use_direct_reads = Pick(random, {false, false, true});
  options.use_direct_io_for_flush_and_compaction = Pick(random, {false, false, true});
  ColumnFamilyOptions& family = options.family;
  family.merge_operator = MergeOperatorByName("StringAppendOperator");
  family.write_buffer_size = Pick<uint64_t>(random, {64 << 10, 256 << 10, 4 << 20});
  family.level0_file_num_compaction_trigger = Pick(random, {1, 2, 4});
  family.max_bytes_for_level_base = Pick<uint64_t>(random, {64 << 10, 512 << 10, 256 << 20});
  family.max_bytes_for_level_multiplier = Pick(random, {2.0, 10.0});
  family.level_compaction_dynamic_level_bytes = Pick(random, {true, false});
  family.target_file_size_base = Pick<uint64_t>(random, {16 << 10, 256 << 10, 64 << 20});
  std::mt19937_64 apart = random;  // What else is drawn from a seed stays as it was.
  if (Pick(apart, {true, false})) {
    family.blobs.enabled = true;
    family.blobs.min_size = Pick<uint64_t>(apart, {0, 20, 300});
    family.blobs.file_size = Pick<uint64_t>(apart, {4 << 10, 256 << 20});
    family.blobs.compression = Pick(apart, {CompressionType::kNone, CompressionType::kSnappy,
                                            CompressionType::kZstd, CompressionType::kBzip2});
    family.blobs.collect_garbage = Pick(apart, {true, false});
    family.blobs.age_cutoff = Pick(apart, {0.25, 1.0});
  }
  if (Pick(apart, {false, false, true})) {
    family.compaction_style = CompactionStyle::kUniversal;
    UniversalOptions& universal = family.universal;
    universal.size_ratio = Pick<uint32_t>(apart, {1, 50});
    universal.max_size_amplification_percent = Pick<uint32_t>(apart, {20, 200, 2000});
    universal.stop_style =
        Pick(apart, {UniversalStopStyle::kTotalSize, UniversalStopStyle::kSimilarSize});
    universal.allow_trivial_move = Pick(apart, {true, false});
  }
  TableOptions& table = family.table;
  table.format_version = Pick<uint32_t>(random, {2, 3, 4, 5, 5, 5});
  table.checksum = Pick(random, {ChecksumType::kCrc32c, ChecksumType::kXxh32, ChecksumType::kXxh64,
                                 ChecksumType::kXxh3});
  table.block_size = Pick<uint32_t>(random, {64, 1024, 4096, 65536});
  table.block_restart_interval = Pick<uint32_t>(random, {1, 4, 16});
  table.index_block_restart_interval = Pick<uint32_t>(random, {1, 1, 8});
  table.metadata_block_size = Pick<uint32_t>(random, {256, 4096});
  table.index_type = Pick(random, {IndexType::kBinary, IndexType::kTwoLevel});
  table.filter = Pick(random, {FilterKind::kNone, FilterKind::kBloom, FilterKind::kRibbon});
  table.filter_bits_per_key = Pick(random, {1.0, 10.0, 17.5});
  table.partition_filters =
      table.index_type == IndexType::kTwoLevel && Pick(random, {true, true, false});
  table.decouple_partitioned_filters = Pick(random, {true, false});
  table.data_block_hash_index = Pick(random, {true, false});
  table.compression =
      Pick(random, {CompressionType::kNone, CompressionType::kSnappy, CompressionType::kZlib,
                    CompressionType::kBzip2, CompressionType::kLz4, CompressionType::kLz4hc,
                    CompressionType::kZstd});
  if (table.compression == CompressionType::kZstd && Pick(random, {true, false})) {
    table.compression_dict_bytes = 4096;
    table.zstd_max_train_bytes = Pick<uint32_t>(random, {0, 64 << 10});
  }
  return options;
}

std::string Describe(const Options& options) {
  const Options defaults;
  std::string text;
  for (const OptionRow& row : OptionTable()) {
    if (row.get(options) == row.get(defaults)) continue;
    text += std::string(row.name) + "=" + row.get(options) + " ";
  }
  return text;
}

WriteBatch ToBatch(DB& db, const Group& group) {
  WriteBatch batch;
  for (const Operation& op : group) {
    const ColumnFamilyId family = *db.FindFamily(op.family);
    switch (op.kind) {
      case Operation::Kind::kPut:
        batch.Put(op.key, op.value, family);
        break;
      case Operation::Kind::kDelete:
        batch.Delete(op.key, family);
        break;
      case Operation::Kind::kSingleDelete:
        batch.SingleDelete(op.key, family);
        break;
      case Operation::Kind::kDeleteRange:
        batch.DeleteRange(op.key, op.value, family);
        break;
      case Operation::Kind::kMerge:
        batch.Merge(op.key, op.value, family);
        break;
    }
  }
  return batch;
}

std::string ReadFamily(DB& db, const FamilyInfo& info, Family* family) {
  Result<Iterator> made = db.NewIterator({}, info.id);
  if (!made.ok()) return made.status().ToString();
  Iterator& it = *made;
  for (it.SeekToFirst(); it.Valid(); it.Next()) {
    if (!family->emplace(it.key(), it.value()).second) return "a key came twice";
  }
  if (!it.status().ok()) return it.status().ToString();
  Family backwards;
  for (it.SeekToLast(); it.Valid(); it.Prev()) backwards.emplace(it.key(), it.value());
  if (!it.status().ok()) return it.status().ToString();
  if (backwards != *family) return "the reverse scan differs";
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : *family) keys.push_back(key);
  const auto values = db.MultiGet({}, keys, info.id);
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto single = db.Get({}, keys[i], info.id);
    if (!single.ok()) return single.status().ToString();
    if (!values[i].ok()) return values[i].status().ToString();
    const std::string& expected = family->find(std::string(keys[i]))->second;
    if (!single->has_value() || (**single).view() != expected) return "a get differs";
    if (!values[i]->has_value() || (**values[i]).view() != expected) return "a multiget differs";
  }
  return "";
}

}  // namespace

std::string WriteWithVarve(const std::string& path, const std::vector<std::string>& families,
                           const Session& session, OperationSource* source, Contents* contents,
                           std::string* described) {
  const Options options = DrawOptions(session.seed);
  *described = "varve: " + Describe(options);
  Result<std::unique_ptr<DB>> opened = DB::Open(options, path);
  if (!opened.ok()) return opened.status().ToString();
  DB& db = **opened;
  for (const std::string& family : families) {
    (*contents)[family];
    if (db.FindFamily(family)) continue;
    if (auto made = db.CreateColumnFamily(family, options.family); !made.ok()) {
      return made.status().ToString();
    }
  }
  std::mt19937_64 random(session.seed + 1);
  for (int i = 0; i < session.groups; ++i) {
    const Group group = source->Next();
    const WriteOptions write{.durability = i % 50 == 0 ? Durability::kSync : Durability::kBuffered};
    if (Status s = db.Write(write, ToBatch(db, group)); !s.ok()) return s.ToString();
    OperationSource::Apply(group, contents);
    if (session.flush && random() % 60 == 0) {
      const ColumnFamilyId family = *db.FindFamily(families[random() % families.size()]);
      if (Status s = db.Flush({}, family); !s.ok()) return s.ToString();
    }
  }
  if (session.compact) {
    for (const FamilyInfo& family : db.Families()) {
      if (Status s = db.CompactRange({.force_bottommost = true}, {}, {}, family.id); !s.ok()) {
        return s.ToString();
      }
    }
  }
  if (random() % 2 == 0) {
    if (Status s = db.FlushAll(); !s.ok()) return s.ToString();
  }
  if (Status s = db.Close(); !s.ok()) return s.ToString();
  return "";
}

std::string ReadWithVarve(const std::string& path, Contents* contents) {
  Options options;
  options.family.merge_operator = MergeOperatorByName("StringAppendOperator");
  RecoveryReport report;
  Result<std::unique_ptr<DB>> db = DB::OpenReadOnly(options, path, &report);
  if (!db.ok()) return db.status().ToString();
  if (!report.losses.empty()) return "recovery left out " + report.losses[0].reason;
  for (const FamilyInfo& family : (*db)->Families()) {
    if (std::string why = ReadFamily(**db, family, &(*contents)[family.name]); !why.empty()) {
      return family.name + ": " + why;
    }
  }
  return "";
}

std::string BuildTableWithVarve(const std::string& path, uint64_t seed, const Family& records) {
  const Options options = DrawOptions(seed);
  auto writer = SstFileWriter::Create(NativeEnvironment(), options.family, path);
  if (!writer.ok()) return writer.status().ToString();
  for (const auto& [key, value] : records) {
    if (Status s = writer->Put(key, value); !s.ok()) return s.ToString();
  }
  const Status s = writer->Finish();
  return s.ok() ? "" : s.ToString();
}

std::string IngestWithVarve(const std::string& path, const std::string& table) {
  Options options;
  options.create_if_missing = true;
  auto db = DB::Open(options, path);
  if (!db.ok()) return db.status().ToString();
  if (Status s = (*db)->Ingest({}, {table}); !s.ok()) return s.ToString();
  const Status s = (*db)->Close();
  return s.ok() ? "" : s.ToString();
}

std::string CheckpointWithVarve(const std::string& path, const std::string& copy) {
  Options options;
  options.family.merge_operator = MergeOperatorByName("StringAppendOperator");
  auto db = DB::Open(options, path);
  if (!db.ok()) return db.status().ToString();
  // Something that is only in the log.
  if (Status s = (*db)->Put({}, "in-the-log", "yes"); !s.ok()) return s.ToString();
  const Status s = (*db)->Checkpoint(copy);
  return s.ok() ? "" : s.ToString();
}

}  // namespace varve::interop
