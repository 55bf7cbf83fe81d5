// SPDX-License-Identifier: Apache-2.0
// A table of any entries with any options is what was written: it verifies, and each entry is read,
// forwards, backwards and by a get.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/fs/memory_fs.h"
#include "core/table/read/table_reader.h"
#include "core/table/write/table_builder.h"
#include "tests/answers/questions.h"
#include "tests/codecs.h"
#include "tests/fuzz/targets.h"
#include "varve/comparator.h"

namespace varve::fuzz {
namespace {

const std::string kPath = "000001.sst";

struct Row {
  std::string key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;

  InternalKey internal() const { return {key, sequence, type}; }
};

TableOptions DrawOptions(Input* in) {
  TableOptions table;
  table.format_version = static_cast<uint32_t>(2 + in->Number(6));
  table.checksum = static_cast<ChecksumType>(in->Number(5));
  table.block_size = static_cast<uint32_t>(1 + in->Number(2000));
  table.block_restart_interval = static_cast<uint32_t>(1 + in->Number(20));
  table.index_block_restart_interval = static_cast<uint32_t>(1 + in->Number(20));
  table.metadata_block_size = static_cast<uint32_t>(1 + in->Number(500));
  table.index_type = in->Flag() ? IndexType::kTwoLevel : IndexType::kBinary;
  table.filter = in->Flag() ? FilterKind::kRibbon : FilterKind::kBloom;
  table.filter_bits_per_key = static_cast<double>(in->Number(200)) / 4;
  table.partition_filters = table.index_type == IndexType::kTwoLevel && in->Flag();
  table.decouple_partitioned_filters = in->Flag();
  table.merge_runt_partitions = in->Flag();
  table.data_block_hash_index = in->Flag();
  table.compression = kCompressionTypes[in->Number(std::size(kCompressionTypes))];
  if (in->Flag()) table.compression_dict_bytes = 512;
  if (in->Flag()) table.zstd_max_train_bytes = 4096;
  if (in->Flag()) table.point_index = PointIndexKind::kAny;
  return table;
}

std::vector<Row> DrawRows(Input* in, const Comparator& order) {
  constexpr ValueType kTypes[] = {ValueType::kValue, ValueType::kDeletion, ValueType::kMerge,
                                  ValueType::kSingleDeletion};
  std::vector<Row> rows;
  while (!in->empty()) {
    Row row;
    row.sequence = 1 + in->Number(uint64_t{1} << 16);
    row.type = kTypes[in->Number(4)];
    row.key = in->Bytes(300);
    if (!IsPointDeletion(row.type)) row.value = in->Bytes(300);
    rows.push_back(std::move(row));
  }
  const VirtualOrder by_user_key{&order};
  const auto compare = [&](const Row& a, const Row& b) {
    return CompareInternalKeys(by_user_key, a.internal(), b.internal());
  };
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return compare(a, b) < 0; });
  // No key twice with one sequence.
  const auto last = std::unique(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.key == b.key && a.sequence == b.sequence;
  });
  rows.erase(last, rows.end());
  return rows;
}

void MustBe(const InternalIterator& it, const Row& row) {
  Must(it.Valid() && it.key().user_key == row.key && it.key().packed() == row.internal().packed() &&
           it.value() == row.value,
       "an entry is read as it was written");
}

void Run(std::string_view bytes) {
  Input in(bytes);
  const Comparator& order = in.Flag() ? *ReverseBytewiseComparator() : *BytewiseComparator();
  const TableOptions options = DrawOptions(&in);
  const std::vector<Row> rows = DrawRows(&in, order);
  if (rows.empty()) return;
  const auto fs = NewMemoryFileSystem();
  auto file = fs->Create(kPath, /*direct=*/false);
  MustBeOk(file.status(), kPath);
  TableOrigin origin;
  origin.base_context_checksum = 0x12345678;
  TableBuilder builder(options, order, origin, file->get());
  for (const Row& row : rows) MustBeOk(builder.Add(row.internal(), row.value), "add");
  MustBeOk(builder.Finish(), "finish");
  Must(builder.entries() == rows.size(), "all entries are counted");

  Judge judge(/*failures_shown=*/5);
  judge.Begin(kPath);
  CheckTable(*fs, kPath, &judge);
  Must(judge.failures() == 0 && judge.damaged() == 0, "a table that was written is sound");
  auto opened = fs->OpenForRead(kPath, /*direct=*/false);
  MustBeOk(opened.status(), kPath);
  const auto table = TableReader::Open(*std::move(opened), {.comparator = &order});
  MustBeOk(table.status(), "open");
  const auto it = (*table)->NewIterator({});
  it->SeekToFirst();
  for (const Row& row : rows) {
    MustBe(*it, row);
    it->Next();
  }
  Must(!it->Valid(), "nothing else is read");
  MustBeOk(it->status(), "scan");
}

}  // namespace

const Target table_build = {"table_build", Run};

}  // namespace varve::fuzz
