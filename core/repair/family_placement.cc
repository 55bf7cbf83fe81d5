// SPDX-License-Identifier: Apache-2.0
#include "core/repair/family_placement.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/repair/empty_family.h"
#include "core/repair/family_blobs.h"
#include "core/repair/placement.h"
#include "core/repair/source_copy.h"
#include "core/repair/table_merge.h"
#include "core/version/version_builder.h"

namespace varve {
namespace {

// A family and its tables.
struct RescuedFamily {
  const FamilyState& family;
  int levels = 0;
  std::vector<const RescuedTable*> tables = {};
};

RescuedFamily TablesOf(const FamilyState& family, const SourceFiles& files, bool keep_levels,
                       const RescuedTables& rescued) {
  const int levels = keep_levels ? std::max(kUsualLevels, family.version->num_levels())
                                 : files.LevelsOf(family.name);
  RescuedFamily mine{.family = family, .levels = levels};
  for (const RescuedTable& table : rescued.tables) {
    if (table.family == family.id) mine.tables.push_back(&table);
  }
  return mine;
}

Result<std::shared_ptr<const Version>> VersionOf(const RescuedFamily& mine, const BlobReader& blobs,
                                                 Sequence last_sequence, VersionEdit edit) {
  std::map<FileNumber, BlobReader::Summary> wanted;
  for (const RescuedTable* table : mine.tables) {
    for (const auto& [number, used] : table->survey.blob_files) {
      wanted[number].blobs += used.blobs;
      wanted[number].bytes += used.bytes;
    }
  }
  RETURN_IF_ERROR(AddBlobs(blobs, mine.family.version->blob_files(), wanted, &edit));
  VersionBuilder builder(mine.family.comparator, nullptr, mine.levels);
  RETURN_IF_ERROR(builder.Apply(edit));
  return builder.Build(nullptr, last_sequence);
}

// Copies a table, unless it was salvaged into the destination.
Status Bring(const RepairJob& job, const RescuedTable& table) {
  const std::string name = TableFileName(table.number);
  return table.path == job.Out(name) ? Status::Ok() : CopyFromSource(job, name);
}

void NoteMerge(const RescuedTable& table, int level, const std::string& name,
               std::vector<RepairTable>* rows) {
  CHECK_OP(table.row, <, rows->size());
  RepairTable& row = (*rows)[table.row];
  if (row.fate == RepairTable::Fate::kKept) row.fate = RepairTable::Fate::kMerged;
  row.level = level;
  row.why += (row.why.empty() ? "" : "; ") +
             std::string("its versions interleave with those of others: merged into ") + name;
}

// Nullopt if nothing is left of the tables, or in a dry run.
Result<std::optional<FileDescription>> Merge(const RepairJob& job, const Comparator& order,
                                             const std::vector<const RescuedTable*>& group,
                                             FileNumber number) {
  if (job.dry_run) return std::optional<FileDescription>();
  CHECK(!group.empty());
  std::vector<const TableSurvey*> surveys;
  for (const RescuedTable* table : group) surveys.push_back(&table->survey);
  ASSIGN_OR_RETURN(std::optional<FileDescription> merged,
                   MergeTables(job.env, job.Out(TableFileName(number)), order, surveys));
  for (const RescuedTable* table : group) {
    if (table->path == job.Out(TableFileName(table->number))) {
      RemoveObsoleteFile(job.fs(), table->path);
    }
  }
  if (merged) merged->number = number;
  return merged;
}

VersionEdit OnOldLevels(const RescuedFamily& mine) {
  VersionEdit edit;
  for (const RescuedTable* table : mine.tables) {
    CHECK(table->level.has_value());
    edit.new_files.push_back({*table->level, table->survey.description});
  }
  return edit;
}

Result<VersionEdit> OnNewLevels(const RepairJob& job, const RescuedFamily& mine,
                                std::vector<RepairTable>* rows, FileNumber* next_number) {
  CHECK(mine.family.comparator != nullptr);
  const Comparator& order = *mine.family.comparator;
  std::vector<FileDescription> descriptions;
  for (const RescuedTable* table : mine.tables) {
    descriptions.push_back(table->survey.description);
  }
  const Placement placement = PlaceTables(order, descriptions, mine.levels);
  CHECK_OP(placement.levels.size(), ==, mine.tables.size());
  VersionEdit edit;
  for (size_t i = 0; i < mine.tables.size(); ++i) {
    if (placement.levels[i] < 0) continue;
    CHECK_OP(placement.levels[i], <, mine.levels);
    CHECK_OP(mine.tables[i]->row, <, rows->size());
    (*rows)[mine.tables[i]->row].level = placement.levels[i];
    edit.new_files.push_back({placement.levels[i], descriptions[i]});
    RETURN_IF_ERROR(Bring(job, *mine.tables[i]));
  }
  const int last_level = mine.levels - 1;
  for (const std::vector<size_t>& members : placement.merges) {
    const FileNumber number = (*next_number)++;
    std::vector<const RescuedTable*> group;
    for (const size_t i : members) {
      CHECK_OP(i, <, mine.tables.size());
      CHECK(placement.levels[i] < 0, "a family is placed once");
      group.push_back(mine.tables[i]);
      NoteMerge(*mine.tables[i], last_level, TableFileName(number), rows);
    }
    ASSIGN_OR_RETURN(std::optional<FileDescription> merged, Merge(job, order, group, number));
    if (merged) edit.new_files.push_back({last_level, *std::move(merged)});
  }
  return edit;
}

// Keeps the levels of the MANIFEST. Null, with a note, if the tables are inconsistent there.
Result<std::shared_ptr<const Version>> PlaceAsBefore(const RepairJob& job,
                                                     const RescuedFamily& mine,
                                                     const BlobReader& blobs, Sequence last,
                                                     std::string* note) {
  auto version = VersionOf(mine, blobs, last, OnOldLevels(mine));
  if (version.status().code() == Code::kIoError) return version.status();
  if (!version.ok()) {
    *note += "; the tables of " + mine.family.name + " are placed anew, for as it has them " +
             std::string(version.status().message());
    return std::shared_ptr<const Version>();
  }
  for (const RescuedTable* table : mine.tables) RETURN_IF_ERROR(Bring(job, *table));
  return version;
}

Status CheckOrder(const FamilyState& family) {
  if (family.comparator != nullptr) return Status::Ok();
  return UnknownOrder("column family " + EscapeForDisplay(family.name), family.comparator_name);
}

std::vector<std::string> BlobsOf(const ColumnFamilies& families) {
  std::vector<std::string> names;
  for (const FamilyState& family : families.all()) {
    for (const BlobFileMetadata& blob : family.version->blob_files()) {
      names.push_back(BlobFileName(blob.number));
    }
  }
  return names;
}

}  // namespace

Result<PlacedFamilies> PlaceFamilies(const RepairJob& job, const SourceFiles& files,
                                     bool keep_levels, const BlobReader& blobs,
                                     RescuedTables* rescued) {
  PlacedFamilies placed;
  placed.state = rescued->state;
  placed.next_number = files.next_number;
  Sequence& last = placed.state.counters.last_sequence;
  for (const RescuedTable& table : rescued->tables) {
    last = std::max(last, table.survey.description.largest_sequence);
  }
  for (const FamilyState& family : rescued->state.families.all()) {
    RETURN_IF_ERROR(CheckOrder(family));
    const RescuedFamily mine = TablesOf(family, files, keep_levels, *rescued);
    std::shared_ptr<const Version> version;
    if (keep_levels) {
      ASSIGN_OR_RETURN(version, PlaceAsBefore(job, mine, blobs, last, &placed.note));
    }
    if (version == nullptr) {
      ASSIGN_OR_RETURN(VersionEdit edit,
                       OnNewLevels(job, mine, &rescued->rows, &placed.next_number));
      ASSIGN_OR_RETURN(version, VersionOf(mine, blobs, last, std::move(edit)));
    }
    FamilyState* const placed_family = placed.state.families.Find(family.id);
    CHECK(placed_family != nullptr && version != nullptr);
    placed_family->version = std::move(version);
  }
  placed.blobs = BlobsOf(placed.state.families);
  return placed;
}

}  // namespace varve
