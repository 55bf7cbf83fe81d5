// SPDX-License-Identifier: Apache-2.0
// The peer: Debian's librocksdb 7.8.3, built with assertions, so that a directory it does not like
// aborts the test.
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/utilities/options_util.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <cstdio>
#include <memory>
#include <random>

#include "tests/interop/engines.h"
#include "tests/interop/rocksdb_open.h"

namespace varve::interop {
namespace {

template <typename T>
T Pick(std::mt19937_64& random, std::initializer_list<T> choices) {
  return choices.begin()[random() % choices.size()];
}

std::shared_ptr<rocksdb::MergeOperator> StringAppend() {
  std::shared_ptr<rocksdb::MergeOperator> merge;
  rocksdb::ConfigOptions config;
  const rocksdb::Status s =
      rocksdb::MergeOperator::CreateFromString(config, "stringappend", &merge);
  if (!s.ok()) std::fprintf(stderr, "stringappend: %s\n", s.ToString().c_str());
  return merge;
}

struct Drawn {
  rocksdb::DBOptions db;
  rocksdb::ColumnFamilyOptions family;
  std::string text;
};

Drawn DrawOptions(uint64_t seed) {
  std::mt19937_64 random(seed);
  Drawn drawn;
  drawn.db.create_if_missing = true;
  drawn.db.create_missing_column_families = true;
  rocksdb::ColumnFamilyOptions& family = drawn.family;
  family.merge_operator = StringAppend();
  family.write_buffer_size = Pick<size_t>(random, {64 << 10, 256 << 10, 4 << 20});
  family.level0_file_num_compaction_trigger = Pick(random, {2, 4});
  family.max_bytes_for_level_base = Pick<uint64_t>(random, {64 << 10, 256 << 20});
  family.target_file_size_base = Pick<uint64_t>(random, {16 << 10, 64 << 20});
  std::mt19937_64 apart = random;  // What else is drawn from a seed stays as it was.
  if (Pick(apart, {true, false})) {
    family.enable_blob_files = true;
    family.min_blob_size = Pick<uint64_t>(apart, {0, 20, 300});
    family.blob_file_size = Pick<uint64_t>(apart, {4 << 10, 256 << 20});
    family.blob_compression_type =
        Pick(apart, {rocksdb::kNoCompression, rocksdb::kSnappyCompression, rocksdb::kZSTD});
    family.enable_blob_garbage_collection = Pick(apart, {true, false});
    family.blob_garbage_collection_age_cutoff = Pick(apart, {0.25, 1.0});
  }
  if (Pick(apart, {false, false, true})) {
    family.compaction_style = rocksdb::kCompactionStyleUniversal;
    rocksdb::CompactionOptionsUniversal& universal = family.compaction_options_universal;
    universal.max_size_amplification_percent = Pick(apart, {20u, 200u, 2000u});
    universal.allow_trivial_move = Pick(apart, {true, false});
  }
  family.compression =
      Pick(random, {rocksdb::kNoCompression, rocksdb::kSnappyCompression, rocksdb::kZlibCompression,
                    rocksdb::kBZip2Compression, rocksdb::kLZ4Compression,
                    rocksdb::kLZ4HCCompression, rocksdb::kZSTD});
  if (Pick(random, {true, false})) family.compression_opts.max_dict_bytes = 2048;
  rocksdb::BlockBasedTableOptions table;
  table.format_version = Pick<uint32_t>(random, {2, 3, 4, 5});
  table.checksum =
      Pick(random, {rocksdb::kCRC32c, rocksdb::kxxHash, rocksdb::kxxHash64, rocksdb::kXXH3});
  table.block_size = Pick<size_t>(random, {128, 4096, 32768});
  table.block_restart_interval = Pick(random, {1, 16});
  table.index_block_restart_interval = Pick(random, {1, 5});
  table.index_type = Pick(random, {rocksdb::BlockBasedTableOptions::kBinarySearch,
                                   rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch,
                                   rocksdb::BlockBasedTableOptions::kBinarySearchWithFirstKey});
  table.metadata_block_size = Pick<uint64_t>(random, {256, 4096});
  if (Pick(random, {true, true, false})) {
    table.filter_policy.reset(Pick(random, {true, false}) ? rocksdb::NewBloomFilterPolicy(10)
                                                          : rocksdb::NewRibbonFilterPolicy(10));
    table.partition_filters =
        table.index_type == rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  }
  table.data_block_index_type =
      Pick(random, {rocksdb::BlockBasedTableOptions::kDataBlockBinarySearch,
                    rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash});
  table.use_delta_encoding = Pick(random, {true, true, false});
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  drawn.text = "rocksdb: format_version=" + std::to_string(table.format_version) +
               " style=" + std::to_string(family.compaction_style) +
               " compression=" + std::to_string(family.compression) +
               " index=" + std::to_string(table.index_type) +
               " filters=" + std::to_string(table.filter_policy != nullptr) +
               std::to_string(table.partition_filters);
  return drawn;
}

// An open database with its handles, closed in the right order.
struct Opened {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  ~Opened() {
    for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
    if (db) db->Close();
  }
  rocksdb::ColumnFamilyHandle* Find(const std::string& name) const {
    for (auto* handle : handles) {
      if (handle->GetName() == name) return handle;
    }
    return nullptr;
  }
};

std::string Open(const std::string& path, const Drawn& drawn, bool read_only, Opened* opened) {
  std::vector<std::string> names;
  rocksdb::DB::ListColumnFamilies(drawn.db, path, &names);
  if (names.empty()) names = {"default"};
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, drawn.family);
  const rocksdb::Status s =
      read_only
          ? rocksdb::DB::OpenForReadOnly(drawn.db, path, descriptors, &opened->handles,
                                         Into(&opened->db))
          : rocksdb::DB::Open(drawn.db, path, descriptors, &opened->handles, Into(&opened->db));
  return s.ok() ? "" : s.ToString();
}

rocksdb::WriteBatch ToBatch(const Opened& opened, const Group& group) {
  rocksdb::WriteBatch batch;
  for (const Operation& op : group) {
    rocksdb::ColumnFamilyHandle* family = opened.Find(op.family);
    rocksdb::Status s;
    switch (op.kind) {
      case Operation::Kind::kPut:
        s = batch.Put(family, op.key, op.value);
        break;
      case Operation::Kind::kDelete:
        s = batch.Delete(family, op.key);
        break;
      case Operation::Kind::kSingleDelete:
        s = batch.SingleDelete(family, op.key);
        break;
      case Operation::Kind::kDeleteRange:
        s = batch.DeleteRange(family, op.key, op.value);
        break;
      case Operation::Kind::kMerge:
        s = batch.Merge(family, op.key, op.value);
        break;
    }
    if (!s.ok()) std::fprintf(stderr, "batch: %s\n", s.ToString().c_str());
  }
  return batch;
}

}  // namespace

std::string WriteWithRocksDb(const std::string& path, const std::vector<std::string>& families,
                             const Session& session, OperationSource* source, Contents* contents,
                             std::string* described) {
  const Drawn drawn = DrawOptions(session.seed);
  *described = drawn.text;
  Opened opened;
  if (std::string why = Open(path, drawn, /*read_only=*/false, &opened); !why.empty()) return why;
  for (const std::string& family : families) {
    (*contents)[family];
    if (opened.Find(family) != nullptr) continue;
    rocksdb::ColumnFamilyHandle* handle = nullptr;
    const rocksdb::Status s = opened.db->CreateColumnFamily(drawn.family, family, &handle);
    if (!s.ok()) return s.ToString();
    opened.handles.push_back(handle);
  }
  std::mt19937_64 random(session.seed + 1);
  for (int i = 0; i < session.groups; ++i) {
    const Group group = source->Next();
    rocksdb::WriteBatch batch = ToBatch(opened, group);
    if (auto s = opened.db->Write({}, &batch); !s.ok()) return s.ToString();
    OperationSource::Apply(group, contents);
    if (session.flush && random() % 60 == 0) {
      const auto s = opened.db->Flush({}, opened.Find(families[random() % families.size()]));
      if (!s.ok()) return s.ToString();
    }
  }
  if (session.compact) {
    rocksdb::CompactRangeOptions compact;
    compact.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    for (auto* handle : opened.handles) {
      const auto s = opened.db->CompactRange(compact, handle, nullptr, nullptr);
      if (!s.ok()) return s.ToString();
    }
  }
  if (random() % 2 == 0) {
    for (auto* handle : opened.handles) {
      if (auto s = opened.db->Flush({}, handle); !s.ok()) return s.ToString();
    }
  }
  return "";
}

std::string ReadWithRocksDb(const std::string& path, Contents* contents) {
  Drawn drawn;
  drawn.family.merge_operator = StringAppend();
  Opened opened;
  if (std::string why = Open(path, drawn, /*read_only=*/true, &opened); !why.empty()) return why;
  for (auto* handle : opened.handles) {
    Family& family = (*contents)[handle->GetName()];
    std::unique_ptr<rocksdb::Iterator> it(opened.db->NewIterator({}, handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      family.emplace(it->key().ToString(), it->value().ToString());
    }
    if (!it->status().ok()) return it->status().ToString();
    Family backwards;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      backwards.emplace(it->key().ToString(), it->value().ToString());
    }
    if (backwards != family) return "the reverse scan differs";
    for (const auto& [key, value] : family) {
      std::string got;
      const auto s = opened.db->Get({}, handle, key, &got);  // Goes through the filters.
      if (!s.ok() || got != value) return "a get differs: " + s.ToString();
    }
  }
  return "";
}

std::string BuildTableWithRocksDb(const std::string& path, uint64_t seed, const Family& records) {
  const Drawn drawn = DrawOptions(seed);
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), rocksdb::Options(drawn.db, drawn.family));
  rocksdb::Status s = writer.Open(path);
  for (const auto& [key, value] : records) {
    if (s.ok()) s = writer.Put(key, value);
  }
  if (s.ok()) s = writer.Finish();
  return s.ok() ? "" : s.ToString();
}

std::string IngestWithRocksDb(const std::string& path, const std::string& table) {
  Drawn drawn;
  drawn.db.create_if_missing = true;
  drawn.family.merge_operator = StringAppend();
  Opened opened;
  if (std::string why = Open(path, drawn, /*read_only=*/false, &opened); !why.empty()) return why;
  const auto s = opened.db->IngestExternalFile(opened.handles[0], {table}, {});
  return s.ok() ? "" : s.ToString();
}

std::string CheckpointWithRocksDb(const std::string& path, const std::string& copy) {
  Drawn drawn;
  drawn.family.merge_operator = StringAppend();
  Opened opened;
  if (std::string why = Open(path, drawn, /*read_only=*/false, &opened); !why.empty()) return why;
  if (auto s = opened.db->Put({}, "in-the-log", "yes"); !s.ok()) return s.ToString();
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status s = rocksdb::Checkpoint::Create(opened.db.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (s.ok()) s = checkpoint->CreateCheckpoint(copy);
  return s.ok() ? "" : s.ToString();
}

int RunTool(const std::string& command, std::string* output) {
  output->clear();
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1;
  std::array<char, 4096> buffer;
  for (size_t size; (size = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output->append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace varve::interop
