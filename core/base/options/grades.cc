// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/grades.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/options/option_value.h"
#include "core/base/try.h"

namespace varve {

static std::span<const EnumName<BlockForm>> NamesOf(BlockForm) {
  static constexpr EnumName<BlockForm> kNames[] = {{"disk", "disk", BlockForm::kDisk},
                                                   {"lookup", "lookup", BlockForm::kLookup}};
  return kNames;
}

static std::span<const EnumName<FileSearch>> NamesOf(FileSearch) {
  static constexpr EnumName<FileSearch> kNames[] = {
      {"comparator", "comparator", FileSearch::kComparator},
      {"prefix", "prefix", FileSearch::kPrefix},
      {"heads", "heads", FileSearch::kHeads}};
  return kNames;
}

static std::span<const EnumName<MemtableBatchLookup>> NamesOf(MemtableBatchLookup) {
  static constexpr EnumName<MemtableBatchLookup> kNames[] = {
      {"off", "off", MemtableBatchLookup::kOff},
      {"finger", "finger", MemtableBatchLookup::kFinger},
      {"interleaved", "interleaved", MemtableBatchLookup::kInterleaved}};
  return kNames;
}

static std::span<const EnumName<MemtableRep>> NamesOf(MemtableRep) {
  static constexpr EnumName<MemtableRep> kNames[] = {
      {"skip_list", "skip_list", MemtableRep::kSkipList},
      {"btree", "btree", MemtableRep::kBtree},
      {"btree_hash", "btree_hash", MemtableRep::kBtreeHash}};
  return kNames;
}

static std::span<const EnumName<MultiGetIo>> NamesOf(MultiGetIo) {
  static constexpr EnumName<MultiGetIo> kNames[] = {{"per_file", "per_file", MultiGetIo::kPerFile},
                                                    {"global", "global", MultiGetIo::kGlobal}};
  return kNames;
}

static std::span<const EnumName<MultiGetMode>> NamesOf(MultiGetMode) {
  static constexpr EnumName<MultiGetMode> kNames[] = {
      {"per_key", "per_key", MultiGetMode::kPerKey},
      {"grouped", "grouped", MultiGetMode::kGrouped},
      {"pipeline", "pipeline", MultiGetMode::kPipeline}};
  return kNames;
}

static std::span<const EnumName<PartitionSearch>> NamesOf(PartitionSearch) {
  static constexpr EnumName<PartitionSearch> kNames[] = {
      {"iterate", "iterate", PartitionSearch::kIterate},
      {"decoded", "decoded", PartitionSearch::kDecoded}};
  return kNames;
}

namespace {

template <auto kMember>
GradeRow Row(std::string_view name, std::string_view help) {
  using Grade = std::remove_cvref_t<decltype(std::declval<Grades&>().*kMember)>;
  static const std::string& range = *std::make_unique<std::string>(EnumRange<Grade>()).release();
  return {name, range, help,
          [](Grades* grades, std::string_view value) -> Status {
            ASSIGN_OR_RETURN(grades->*kMember, ParseEnum<Grade>(value));
            return Status::Ok();
          },
          [](const Grades& grades) { return FormatEnum(grades.*kMember); }};
}

}  // namespace

std::span<const GradeRow> GradeTable() {
  static const GradeRow table[] = {
      Row<&Grades::memtable_rep>("memtable_rep", "The ordered index of a memtable."),
      Row<&Grades::memtable_batch_lookup>("memtable_batch_lookup",
                                          "How a batch of keys is looked up in a memtable."),
      Row<&Grades::file_search>("file_search", "How the file of a level is found."),
      Row<&Grades::multiget>("multiget", "How a batch of keys is read."),
      Row<&Grades::multiget_io>("multiget_io", "Which reads of a batch are submitted together."),
      Row<&Grades::block_form>("block_form", "The form of cached data blocks."),
      Row<&Grades::partition_search>("partition_search",
                                     "How the partition of an index or filter is found.")};
  return table;
}

const GradeRow* FindGrade(std::string_view name) {
  const std::span<const GradeRow> table = GradeTable();
  const auto found = std::ranges::find(table, name, &GradeRow::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace varve
