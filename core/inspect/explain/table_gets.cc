// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/table_gets.h"

#include <array>
#include <random>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/memory_fs.h"
#include "core/table/read/batch_search.h"
#include "core/table/write/table_builder.h"

namespace varve {
namespace {

constexpr size_t kValueBytes = 20;

std::string KeyOf(uint64_t integer) {
  std::string key(sizeof(integer), '\0');
  for (size_t i = key.size(); i-- > 0; integer >>= 8) key[i] = static_cast<char>(integer);
  return key;
}

Status WriteTable(FileSystem& fs, const std::string& path, const TableOptions& options,
                  std::span<const uint64_t> integers) {
  ASSIGN_OR_RETURN(const auto file, fs.Create(path, /*direct=*/false));
  TableOrigin origin;
  origin.base_context_checksum = 1;
  TableBuilder builder(options, *BytewiseComparator(), std::move(origin), file.get());
  for (const uint64_t integer : integers) {
    const std::string key = KeyOf(integer);
    RETURN_IF_ERROR(builder.Add({key, 1, ValueType::kValue}, std::string(kValueBytes, key.back())));
  }
  RETURN_IF_ERROR(builder.Finish());
  return file->Close();
}

}  // namespace

Result<std::unique_ptr<TableGets>> TableGets::Make(const Shape& shape, size_t targets,
                                                   uint64_t seed) {
  CHECK(shape.tables > 0 && shape.records > 0 && shape.step > 0);
  std::unique_ptr<TableGets> gets(new TableGets());
  RETURN_IF_ERROR(gets->Fill(shape, targets, seed));
  return gets;
}

Status TableGets::Fill(const Shape& shape, size_t targets, uint64_t seed) {
  fs_ = NewMemoryFileSystem();
  TableReaderOptions reading;
  reading.comparator = BytewiseComparator();
  reading.cache = std::make_shared<ClockCache>(uint64_t{16} << 30);
  reading.grades.block_form = shape.block_form;
  std::mt19937_64 random(seed);
  std::vector<uint64_t> all;
  uint64_t integer = 0;
  for (uint64_t t = 0; t < shape.tables; ++t) {
    const size_t begin = all.size();
    for (uint64_t i = 0; i < shape.records; ++i) {
      all.push_back(integer += shape.step == 1 ? 1 : 1 + random() % (2 * shape.step - 1));
    }
    const std::string path = "/" + std::to_string(t) + ".sst";
    RETURN_IF_ERROR(WriteTable(*fs_, path, shape.table, std::span(all).subspan(begin)));
    ASSIGN_OR_RETURN(auto file, fs_->OpenForRead(path, /*direct=*/false));
    ASSIGN_OR_RETURN(auto table, TableReader::Open(std::move(file), reading));
    tables_.push_back(std::move(table));
  }
  constexpr int kUsesThatMakeHeads = 3;
  for (int use = 0; use < kUsesThatMakeHeads; ++use) {
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string key = KeyOf(all[i]);
      Lookup lookup(key, kMaxSequence);
      tables_[i / shape.records]->Get({}, &lookup);
      if (lookup.state == Lookup::State::kFound) continue;
      return Status::Corruption("a key that was written is not found");
    }
  }
  for (size_t i = 0; i < targets; ++i) {
    const size_t drawn = random() % all.size();
    targets_.push_back({tables_[drawn / shape.records].get(), KeyOf(all[drawn])});
  }
  return Status::Ok();
}

uint64_t TableGets::Get(size_t target) const {
  DCHECK_OP(target, <, targets_.size());
  const Target& wanted = targets_[target];
  Lookup lookup(wanted.key, kMaxSequence);
  wanted.table->Get({}, &lookup);
  return lookup.value.view().size();
}

uint64_t TableGets::GetMany(size_t first, size_t count) const {
  DCHECK_OP(first + count, <=, targets_.size());
  CHECK_OP(count, <=, kBatchWindow);
  std::array<Lookup, kBatchWindow> lookups;
  std::array<TableProbe, kBatchWindow> probes;
  for (size_t i = 0; i < count; ++i) {
    const Target& wanted = targets_[first + i];
    lookups[i] = Lookup(wanted.key, kMaxSequence);
    probes[i] = {.lookup = &lookups[i], .table = wanted.table};
  }
  AskFilters(std::span(probes).first(count));
  SearchTables({}, MultiGetIo::kGlobal, std::span(probes).first(count));
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; ++i) bytes += lookups[i].value.view().size();
  return bytes;
}

}  // namespace varve
