// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_rescue.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/repair/empty_family.h"
#include "core/repair/table_copy.h"
#include "core/repair/table_description.h"
#include "core/version/table_place.h"

namespace varve {
namespace {

using Fate = RepairTable::Fate;

// Discards what a dry run salvages.
class NoSink : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin&) override { return Status::Ok(); }
  Status Add(const InternalKey&, std::string_view) override { return Status::Ok(); }
  Status AddRangeDeletion(std::string_view, std::string_view, Sequence) override {
    return Status::Ok();
  }
};

// If new ids are exhausted: one without a family, since there are fewer tables than ids.
ColumnFamilyId FreeFamilyId(const DatabaseState& state) {
  if (const auto next = state.NextFamilyId()) return *next;
  ColumnFamilyId id = 1;
  while (state.families.Find(id) != nullptr) ++id;
  return id;
}

// The family named in the properties; added to `state` if it is unknown.
ColumnFamilyId FamilyOf(const TableReader& reader, DatabaseState* state) {
  const TableProperties& p = reader.properties();
  const std::string name = p.family_name.empty() ? "default" : p.family_name;
  if (const FamilyState* known = state->families.Find(std::string_view(name))) return known->id;
  const auto stored = static_cast<ColumnFamilyId>(p.family_id);
  const bool free = p.family_id < (uint64_t{1} << 31) && state->families.Find(stored) == nullptr &&
                    stored != kDefaultColumnFamilyId;
  const ColumnFamilyId id = free ? stored : FreeFamilyId(*state);
  state->counters.max_family = std::max(state->counters.max_family, id);
  return state->families.Add(EmptyFamily(id, name, *reader.comparator())).id;
}

// The plausible part of what the MANIFEST says about a table.
TableContext ContextOf(const ManifestRemains& manifest, const LiveTable& live) {
  const FileDescription& description = live.file->description;
  const FamilyState* family = manifest.state.families.Find(live.family);
  TableContext context{.comparator = family == nullptr ? nullptr : family->comparator};
  const Sequence last = manifest.state.counters.last_sequence;
  if (manifest.whole) context.last_sequence = last;
  if (description.largest_sequence <= last) {  // Not so in a damaged MANIFEST.
    context.smallest_sequence = description.smallest_sequence;
    context.largest_sequence = description.largest_sequence;
  }
  return context;
}

Result<SalvageReport> Salvage(const RepairJob& job, const std::string& name, const std::string& to,
                              const SalvageOptions& options) {
  if (job.dry_run) {
    NoSink none;
    return SalvageTable(job.fs(), job.In(name), options, &none);
  }
  TableCopy copy(job.env, to);
  ASSIGN_OR_RETURN(SalvageReport bill, SalvageTable(job.fs(), job.In(name), options, &copy));
  if (!copy.empty()) RETURN_IF_ERROR(copy.Finish());
  return bill;
}

// Collects the results table by table.
class Rescue {
 public:
  Rescue(const RepairJob& job, const ManifestRemains& manifest, const BlobReader& blobs)
      : job_(job), manifest_(manifest), blobs_(blobs) {
    out_.state = manifest.state;
  }

  Status NoteMissing(FileNumber number, const LiveTable& live) {
    const std::string name = TableFileName(number);
    const Status missing = MissingTable(job_.source, live.file->description);
    if (missing.code() == Code::kNotSupported) return missing;
    if (!manifest_.whole && manifest_.tables_follow) {
      AddRow(name, live.family, Fate::kObsolete,
             "is missing: a later compaction may have replaced it");
    } else {
      AddRow(name, live.family, Fate::kLost, "is missing");
    }
    return Status::Ok();
  }

  Status Take(FileNumber number, const std::string& name) {
    if (manifest_.IsObsolete(number)) {
      AddRow(name, kDefaultColumnFamilyId, Fate::kObsolete, "the MANIFEST does not need it");
      return Status::Ok();
    }
    ASSIGN_OR_RETURN(Found found, Look(number, name));
    if (found.bill && found.bill->entries + found.bill->range_deletions == 0) {
      RepairTable& row = AddRow(name, kDefaultColumnFamilyId, Fate::kLost, std::move(found.why));
      row.bill = std::move(found.bill);
      return Status::Ok();
    }
    Keep(number, name, std::move(found));
    return Status::Ok();
  }

  RescuedTables Finish() && { return std::move(out_); }

 private:
  // The result of reading a table.
  struct Found {
    std::string path;
    std::optional<TableSurvey> survey = {};  // Not set for a damaged table in a dry run.
    std::optional<SalvageReport> bill = {};  // Of a damaged table; `why` is the damage.
    std::string why = {};
  };

  const LiveTable* Live(FileNumber number) const {
    const auto live = manifest_.live.find(number);
    return live == manifest_.live.end() ? nullptr : &live->second;
  }

  RepairTable& AddRow(const std::string& name, ColumnFamilyId family, Fate fate, std::string why) {
    const FamilyState* state = out_.state.families.Find(family);
    return out_.rows.emplace_back(RepairTable{.name = name,
                                              .family = state == nullptr ? "" : state->name,
                                              .fate = fate,
                                              .why = std::move(why)});
  }

  Result<Found> Look(FileNumber number, const std::string& name) const {
    const LiveTable* const live = Live(number);
    TableContext context = live == nullptr ? TableContext() : ContextOf(manifest_, *live);
    Found found{.path = job_.In(name)};
    Result<TableSurvey> survey = SurveyTable(job_.fs(), found.path, context, blobs_);
    if (survey.status().code() == Code::kNotSupported && context.comparator == nullptr &&
        job_.comparator != nullptr) {  // It may be the table's.
      context.comparator = job_.comparator;
      Result<TableSurvey> again = SurveyTable(job_.fs(), found.path, context, blobs_);
      if (again.ok()) survey = std::move(again);
    }
    if (survey.status().code() == Code::kNotSupported) return survey.status();
    if (survey.ok()) {
      found.survey = *std::move(survey);
      return found;
    }
    found.why = std::string(survey.status().message());
    const std::string copy = job_.Out(TableFileName(number));
    ASSIGN_OR_RETURN(found.bill, Salvage(job_, name, copy, {.blobs = &blobs_, .context = context}));
    if (job_.dry_run || found.bill->entries + found.bill->range_deletions == 0) return found;
    found.path = copy;
    ASSIGN_OR_RETURN(found.survey,
                     SurveyTable(job_.fs(), copy, {.comparator = context.comparator}, blobs_));
    return found;
  }

  void Keep(FileNumber number, const std::string& name, Found found) {
    const LiveTable* const live = Live(number);
    RescuedTable table{.number = number, .path = std::move(found.path), .survey = {}};
    if (live != nullptr) {
      table.family = live->family;
    } else if (found.survey) {
      table.family = FamilyOf(*found.survey->reader, &out_.state);
    }
    CHECK(live != nullptr || !manifest_.whole,
          "with a whole MANIFEST, only live tables are rescued");
    CHECK(found.survey.has_value() || found.bill.has_value());
    if (manifest_.whole) table.level = live->level;
    table.row = out_.rows.size();
    RepairTable& row = AddRow(name, table.family, found.bill ? Fate::kSalvaged : Fate::kKept,
                              std::move(found.why));
    row.bill = std::move(found.bill);
    row.entries =
        found.survey ? found.survey->entries : row.bill->entries + row.bill->range_deletions;
    row.level = table.level.value_or(kUsualLevels - 1);
    out_.entries += row.entries;
    if (!found.survey) return;  // Not placed.
    CHECK(found.survey->reader != nullptr);
    table.survey = *std::move(found.survey);
    table.survey.description.number = number;
    if (live != nullptr) {
      table.survey.description =
          DescribeAsFound(live->file->description, table.survey, row.bill.has_value(), &row.why);
    }
    out_.tables.push_back(std::move(table));
  }

  const RepairJob& job_;
  const ManifestRemains& manifest_;
  const BlobReader& blobs_;
  RescuedTables out_;
};

}  // namespace

Result<RescuedTables> RescueTables(const RepairJob& job, const SourceFiles& files,
                                   const ManifestRemains& manifest, const BlobReader& blobs,
                                   const VerifyProgressFn& progress) {
  Rescue rescue(job, manifest, blobs);
  for (const auto& [number, live] : manifest.live) {
    if (!files.tables.contains(number)) RETURN_IF_ERROR(rescue.NoteMissing(number, live));
  }
  uint64_t done = 0;
  for (const auto& [number, name] : files.tables) {
    RETURN_IF_ERROR(rescue.Take(number, name));
    const Result<uint64_t> size = job.fs().FileSize(job.In(name));
    done += size.ok() ? *size : 0;
    if (progress != nullptr && !progress({done, 0})) {
      return Status::IoError("cancelled");
    }
  }
  return std::move(rescue).Finish();
}

}  // namespace varve
