// SPDX-License-Identifier: Apache-2.0
#include "core/repair/database_repair.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/options/options_file.h"
#include "core/fs/durable.h"
#include "core/iterator/merging_iterator.h"
#include "core/repair/flushed_logs.h"
#include "core/repair/placement.h"
#include "core/repair/table_copy.h"
#include "core/repair/table_description.h"
#include "core/repair/table_survey.h"
#include "core/version/blob_reader.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_reader.h"
#include "core/version/manifest_writer.h"
#include "core/version/version_builder.h"

namespace varve {
namespace {

constexpr int kLevels = 7;  // Where OPTIONS does not say it.
constexpr uint64_t kCopyChunk = 1 << 20;

// What a dry run salvages into.
class NoSink : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin&) override { return Status::Ok(); }
  Status Add(const InternalKey&, std::string_view) override { return Status::Ok(); }
  Status AddRangeDeletion(std::string_view, std::string_view, Sequence) override {
    return Status::Ok();
  }
};

// As far as the table's bounds let it count, beyond which RocksDB leaves it in the table as it was.
// An order in which no key is just behind the largest one leaves its end as it is.
RangeTombstone WithinBounds(const Comparator& order, const FileMetadata& table,
                            RangeTombstone deletion) {
  if (order.Compare(deletion.begin, table.smallest.user_key) < 0) {
    deletion.begin = table.smallest.user_key;
  }
  if (order.Compare(table.largest.user_key, deletion.end) >= 0) return deletion;
  if (table.ends_before_largest()) {
    deletion.end = table.largest.user_key;
  } else if (order.kind() == Comparator::Kind::kBytewise) {
    deletion.end = table.largest.user_key;
    deletion.end.push_back('\0');
  }
  return deletion;
}

// A table that the new database may have.
struct Candidate {
  FileNumber number = 0;
  ColumnFamilyId family = kDefaultColumnFamilyId;
  size_t report = 0;  // Its row in RepairReport::tables.
  std::string path;   // Of the sound table: the old one, or what was salvaged.
  TableSurvey survey;
  std::optional<int> level = {};  // As a whole MANIFEST says.
};

class Repair {
 public:
  Repair(const Environment& env, const std::string& source, const std::string& destination,
         const RepairOptions& options, RepairReport* report)
      : env_(env),
        fs_(*env.file_system),
        source_(source),
        destination_(destination),
        options_(options),
        report_(*report),
        blobs_(fs_, source) {}

  Status Run() {
    ASSIGN_OR_RETURN(entries_, fs_.List(source_));
    RETURN_IF_ERROR(CheckSource());
    RETURN_IF_ERROR(PrepareDestination());
    ReadOptionsFile();
    RETURN_IF_ERROR(ReadWhatIsLeftOfTheManifest());
    RETURN_IF_ERROR(SurveyTables());
    RETURN_IF_ERROR(PlaceFamilies());
    RETURN_IF_ERROR(CopyTheRest());
    for (const FamilyState& family : state_.families.all()) {
      report_.families.push_back(family.name);
    }
    report_.last_sequence = state_.counters.last_sequence;
    return options_.dry_run ? Status::Ok() : WriteManifest();
  }

 private:
  struct Place {
    ColumnFamilyId family = 0;
    int level = 0;
    FilePtr file;
  };

  std::string In(const std::string& name) const { return JoinPath(source_, name); }
  std::string Out(const std::string& name) const { return JoinPath(destination_, name); }

  Status CheckSource() {
    FileNumber largest = 1;
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      if (!name || entry.is_directory) continue;
      if (name->kind == FileKind::kTableLdb) {
        return Status::NotSupported(In(entry.name) +
                                    ": a LevelDB table; LevelDB's own RepairDB is for those");
      }
      if (name->kind == FileKind::kInfoLog) continue;
      if (name->number > kFileNumberMax) {
        return Status::Corruption(In(entry.name) + ": no file number may be beyond " +
                                  std::to_string(kFileNumberMax) + "; give it another name");
      }
      largest = std::max(largest, name->number);
    }
    next_number_ = largest + 1;
    return HoldsLevelDb(fs_, source_) ? RefuseToWriteLevelDb(source_) : Status::Ok();
  }

  Status PrepareDestination() {
    if (options_.dry_run) return Status::Ok();
    const auto there = fs_.List(destination_);
    if (there.ok() && !there->empty()) {
      return Status::Busy(destination_ + " is not empty");
    }
    if (!there.ok() && fs_.Exists(destination_)) return Status::Busy(destination_ + " exists");
    RETURN_IF_ERROR(fs_.CreateDirectory(destination_));
    return SyncNameOfDirectory(fs_, destination_, /*was_there=*/there.ok());
  }

  // A broken one would only stand in the way of RocksDB's tools: it is left behind.
  void ReadOptionsFile() {
    std::optional<FileNumber> newest;
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kOptions) {
        newest = std::max(newest.value_or(0), name->number);
      }
    }
    if (!newest) return;
    const auto text = ReadFileToString(fs_, In(OptionsFileName(*newest)), kOptionsFileSizeMax);
    if (!text.ok()) return;
    const auto parsed = ParseOptionsFile(*text);
    if (!parsed.ok()) return;
    options_file_ = OptionsFileName(*newest);
    ApplyOptionsFile(*parsed, &stored_options_);  // Unknown ones do not matter here.
  }

  // RocksDB refuses a database with more levels than its OPTIONS say.
  int LevelsOf(const FamilyState& family) const {
    if (report_.manifest_whole) return std::max(kLevels, family.version->num_levels());
    const auto found = stored_options_.families.find(family.name);
    return found == stored_options_.families.end() ? kLevels
                                                   : std::max(2, found->second.num_levels);
  }

  // ---- the MANIFEST

  // Not ok: it cannot be read, which says nothing about what it holds.
  Status ReadWhatIsLeftOfTheManifest() {
    auto whole = ReadManifest(fs_, source_, Options(), nullptr);
    if (whole.status().code() == Code::kIoError) {
      return Status::IoError(std::string(whole.status().message()) +
                             "; move it out of the directory to repair without it");
    }
    if (whole.ok()) {
      report_.manifest =
          ManifestFileName(whole->number) + ": " + std::to_string(whole->edits) + " edits";
      if (!IsStale(whole->state)) {
        report_.manifest_whole = true;
        state_ = std::move(whole->state);
        NoteLive();
        return Status::Ok();
      }
      report_.manifest += ", but there are tables that are newer than it: its end is lost";
    } else {
      report_.manifest = std::string(whole.status().message());
    }
    const std::optional<FileNumber> newest = NewestManifest();
    if (newest) ReadPrefix(*newest);
    if (state_.families.size() == 0) {
      AddFamily(kDefaultColumnFamilyId, "default", BytewiseComparator());
    }
    return Status::Ok();
  }

  // A MANIFEST that was cut between two records looks whole, but knows nothing of what followed:
  // the numbers of later tables tell. (A job that a crash cut off leaves such tables, too; then
  // they hold what others hold, and do no harm.)
  bool IsStale(const DatabaseState& state) {
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      tables_follow_ |=
          name && name->kind == FileKind::kTable && name->number >= state.counters.next_file_number;
    }
    return tables_follow_;
  }

  std::optional<FileNumber> NewestManifest() const {
    const auto current = ReadCurrent(fs_, source_);
    if (current.ok()) return *current;
    std::optional<FileNumber> newest;
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kManifest) {
        newest = std::max(newest.value_or(0), name->number);
      }
    }
    return newest;
  }

  // The edits in front of the damage: they say which tables were deleted, and name families.
  void ReadPrefix(FileNumber number) {
    const std::string name = ManifestFileName(number);
    auto scanner = ManifestScanner::Open(fs_, In(name));
    if (!scanner.ok()) return;
    ManifestReplay replay{Options()};
    uint64_t edits = 0;
    std::set<FileNumber> deleted;
    for (;;) {
      const auto record = (*scanner)->Next();
      if (!record.ok() || !*record || !replay.Apply((*record)->edit).ok()) break;
      ++edits;
      for (const auto& file : (*record)->edit.deleted_files) deleted.insert(file.number);
      for (const auto& file : (*record)->edit.new_files) deleted.erase(file.file.number);
    }
    auto state = replay.State(nullptr);
    if (!state.ok() || edits == 0) return;
    report_.manifest += "; " + std::to_string(edits) + " edits of " + name + " could be read";
    state_ = *std::move(state);
    obsolete_ = std::move(deleted);
    IsStale(state_);
    NoteLive();
  }

  void NoteLive() {
    for (const FamilyState& family : state_.families.all()) {
      for (int level = 0; level < family.version->num_levels(); ++level) {
        for (const FilePtr& file : family.version->files(level)) {
          live_[file->number()] = {family.id, level, file};
        }
      }
    }
  }

  FamilyState& AddFamily(ColumnFamilyId id, const std::string& name, const Comparator* order) {
    FamilyState family;
    family.id = id;
    family.name = name;
    family.comparator = order;
    family.comparator_name = std::string(order->name());
    family.version =
        std::make_shared<const Version>(*order, nullptr, std::vector<std::vector<FilePtr>>(kLevels),
                                        std::vector<BlobFileMetadata>());
    return state_.families.Add(std::move(family));
  }

  // ---- the tables

  Status SurveyTables() {
    std::map<FileNumber, std::string> there;
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kTable) there[name->number] = entry.name;
    }
    for (const auto& [number, place] : live_) {
      if (there.contains(number)) continue;
      if (place.file->description.path_id != 0) {
        return Status::NotSupported(TableFileName(number) +
                                    ": lies in another of several db_paths");
      }
      const bool replaced = !report_.manifest_whole && tables_follow_;
      AddRow(TableFileName(number), place.family,
             replaced ? RepairTable::Fate::kObsolete : RepairTable::Fate::kLost,
             replaced ? "is missing: a later compaction may have replaced it" : "is missing");
    }
    uint64_t done = 0;
    for (const auto& [number, name] : there) {
      const bool obsolete =
          report_.manifest_whole ? !live_.contains(number) : obsolete_.contains(number);
      if (obsolete) {
        AddRow(name, kDefaultColumnFamilyId, RepairTable::Fate::kObsolete,
               "the MANIFEST does not need it");
      } else {
        RETURN_IF_ERROR(SurveyOne(number, name));
      }
      done += fs_.FileSize(In(name)).ok() ? *fs_.FileSize(In(name)) : 0;
      if (options_.progress != nullptr && !options_.progress({done, 0})) {
        return Status::IoError("stopped at the caller's wish");
      }
    }
    return Status::Ok();
  }

  TableContext ContextOf(const Place& place) const {
    const FileDescription& description = place.file->description;
    const FamilyState* family = state_.families.Find(place.family);
    TableContext context{.comparator = family == nullptr ? nullptr : family->comparator};
    const Sequence last = state_.counters.last_sequence;
    if (report_.manifest_whole) context.last_sequence = last;
    if (description.largest_sequence <= last) {  // A broken MANIFEST may say anything.
      context.smallest_sequence = description.smallest_sequence;
      context.largest_sequence = description.largest_sequence;
    }
    return context;
  }

  size_t AddRow(const std::string& name, ColumnFamilyId family, RepairTable::Fate fate,
                std::string why) {
    const FamilyState* state = state_.families.Find(family);
    report_.tables.push_back({.name = name,
                              .family = state == nullptr ? "" : state->name,
                              .fate = fate,
                              .why = std::move(why)});
    return report_.tables.size() - 1;
  }

  Status SurveyOne(FileNumber number, const std::string& name) {
    const auto live = live_.find(number);
    const TableContext context = live == live_.end() ? TableContext() : ContextOf(live->second);
    Candidate candidate{.number = number, .path = In(name), .survey = {}};
    auto survey = SurveyTable(fs_, In(name), context, blobs_);
    if (survey.status().code() == Code::kNotSupported) return survey.status();
    std::optional<SalvageReport> bill;
    std::string why;
    if (!survey.ok()) {
      why = std::string(survey.status().message());
      ASSIGN_OR_RETURN(bill, Salvage(number, name, context));
      if (bill->entries + bill->range_deletions == 0) {
        const auto row = AddRow(name, kDefaultColumnFamilyId, RepairTable::Fate::kLost, why);
        report_.tables[row].bill = std::move(bill);
        return Status::Ok();
      }
      candidate.path = options_.dry_run ? In(name) : Out(name);
      if (!options_.dry_run) {
        survey = SurveyTable(fs_, candidate.path, {.comparator = context.comparator}, blobs_);
        if (!survey.ok()) return survey.status();
      }
    }
    const uint64_t entries = survey.ok() ? survey->entries : bill->entries + bill->range_deletions;
    if (live != live_.end()) {
      candidate.family = live->second.family;
    } else if (survey.ok()) {
      candidate.family = FamilyOf(*survey->reader);
    }
    if (report_.manifest_whole) candidate.level = live->second.level;
    candidate.report = AddRow(name, candidate.family,
                              bill ? RepairTable::Fate::kSalvaged : RepairTable::Fate::kKept, why);
    RepairTable& row = report_.tables[candidate.report];
    row.bill = std::move(bill);
    row.entries = entries;
    row.level = candidate.level.value_or(kLevels - 1);
    report_.entries += entries;
    if (!survey.ok()) return Status::Ok();  // A dry run of a damaged one: it is not placed.
    candidate.survey = *std::move(survey);
    candidate.survey.description.number = number;
    if (live != live_.end()) {
      candidate.survey.description = DescribeAsFound(
          live->second.file->description, candidate.survey, row.bill.has_value(), &row.why);
    }
    candidates_.push_back(std::move(candidate));
    return Status::Ok();
  }

  Result<SalvageReport> Salvage(FileNumber number, const std::string& name,
                                const TableContext& context) {
    const SalvageOptions options{.blobs = &blobs_, .context = context};
    if (options_.dry_run) {
      NoSink none;
      return SalvageTable(fs_, In(name), options, &none);
    }
    TableCopy copy(env_, Out(TableFileName(number)));
    ASSIGN_OR_RETURN(SalvageReport bill, SalvageTable(fs_, In(name), options, &copy));
    if (!copy.empty()) RETURN_IF_ERROR(copy.Finish());
    return bill;
  }

  // Used up: then one that no table has, for there are fewer tables than ids.
  ColumnFamilyId FreeFamilyId() const {
    if (const auto next = state_.NextFamilyId()) return *next;
    ColumnFamilyId id = 1;
    while (state_.families.Find(id) != nullptr) ++id;
    return id;
  }

  // From the properties; a family that nobody has heard of is made.
  ColumnFamilyId FamilyOf(const TableReader& reader) {
    const TableProperties& p = reader.properties();
    const std::string name = p.family_name.empty() ? "default" : p.family_name;
    if (const FamilyState* known = state_.families.Find(std::string_view(name))) return known->id;
    const auto stored = static_cast<ColumnFamilyId>(p.family_id);
    const bool free = p.family_id < (uint64_t{1} << 31) &&
                      state_.families.Find(stored) == nullptr && stored != kDefaultColumnFamilyId;
    const ColumnFamilyId id = free ? stored : FreeFamilyId();
    state_.counters.max_family = std::max(state_.counters.max_family, id);
    return AddFamily(id, name, reader.comparator()).id;
  }

  // ---- placing them

  // A table that was ingested has its sequence in the MANIFEST alone. Ingestion took the next one
  // then, so it follows those of all tables that are older by number.
  Status AssignSequences() {
    Sequence before = 0;
    for (Candidate& candidate : candidates_) {  // Ascending by number.
      const TableProperties& p = candidate.survey.reader->properties();
      if (p.external_version.value_or(0) == 2 &&
          candidate.survey.description.largest_sequence == 0) {
        ASSIGN_OR_RETURN(
            candidate.survey,
            SurveyTable(fs_, candidate.path,
                        {.smallest_sequence = before + 1, .largest_sequence = before + 1}, blobs_));
        candidate.survey.description.number = candidate.number;
        report_.tables[candidate.report].why += "ingested: taken to have sequence " +
                                                std::to_string(before + 1) +
                                                ", after the tables that are older by number";
      }
      before = std::max(before, candidate.survey.description.largest_sequence);
    }
    return Status::Ok();
  }

  Status PlaceFamilies() {
    if (!report_.manifest_whole) RETURN_IF_ERROR(AssignSequences());
    for (const Candidate& candidate : candidates_) {
      state_.counters.last_sequence =
          std::max(state_.counters.last_sequence, candidate.survey.description.largest_sequence);
    }
    std::vector<ColumnFamilyId> families;
    for (const FamilyState& family : state_.families.all()) families.push_back(family.id);
    for (const ColumnFamilyId id : families) {
      FamilyState* family = state_.families.Find(id);
      if (family->comparator == nullptr) {
        return Status::NotSupported("column family " + EscapeForDisplay(family->name) +
                                    " is ordered by " + EscapeForDisplay(family->comparator_name) +
                                    ", which is not known here");
      }
      ASSIGN_OR_RETURN(const bool kept, KeepLevels(family));
      if (!kept) RETURN_IF_ERROR(PlaceAnew(family));
      for (const BlobFileMetadata& blob : family->version->blob_files()) {
        report_.blobs.push_back(BlobFileName(blob.number));
      }
    }
    return Status::Ok();
  }

  Result<std::shared_ptr<const Version>> VersionOf(const FamilyState& family, VersionEdit edit) {
    RETURN_IF_ERROR(AddBlobs(family, &edit));
    VersionBuilder builder(family.comparator, nullptr, LevelsOf(family));
    RETURN_IF_ERROR(builder.Apply(edit));
    return builder.Build(nullptr, state_.counters.last_sequence);
  }

  // False: there are no levels, or the tables, as they were found, cannot stand on them.
  Result<bool> KeepLevels(FamilyState* family) {
    if (!report_.manifest_whole) return false;
    VersionEdit edit;
    for (const Candidate& candidate : candidates_) {
      if (candidate.family != family->id) continue;
      edit.new_files.push_back({*candidate.level, candidate.survey.description});
    }
    auto version = VersionOf(*family, std::move(edit));
    if (version.status().code() == Code::kIoError) return version.status();
    if (!version.ok()) {
      report_.manifest += "; the tables of " + family->name +
                          " are placed anew, for as it has them " +
                          std::string(version.status().message());
      return false;
    }
    family->version = *std::move(version);
    for (const Candidate& candidate : candidates_) {
      if (candidate.family == family->id) RETURN_IF_ERROR(Bring(candidate));
    }
    return true;
  }

  Status PlaceAnew(FamilyState* family) {
    const Comparator& order = *family->comparator;
    const int levels = LevelsOf(*family);
    VersionEdit edit;
    std::vector<const Candidate*> mine;
    std::vector<FileDescription> tables;
    for (const Candidate& candidate : candidates_) {
      if (candidate.family != family->id) continue;
      mine.push_back(&candidate);
      tables.push_back(candidate.survey.description);
    }
    const Placement placement = PlaceTables(order, tables, levels);
    for (size_t i = 0; i < mine.size(); ++i) {
      if (placement.levels[i] < 0) continue;
      report_.tables[mine[i]->report].level = placement.levels[i];
      edit.new_files.push_back({placement.levels[i], tables[i]});
      RETURN_IF_ERROR(Bring(*mine[i]));
    }
    for (const std::vector<size_t>& group : placement.merges) {
      std::vector<const Candidate*> members;
      for (const size_t i : group) members.push_back(mine[i]);
      RETURN_IF_ERROR(Merge(order, levels - 1, members, &edit));
    }
    ASSIGN_OR_RETURN(family->version, VersionOf(*family, std::move(edit)));
    return Status::Ok();
  }

  // All versions of all keys, each once, in one table of the last level.
  Status Merge(const Comparator& order, int level, const std::vector<const Candidate*>& group,
               VersionEdit* edit) {
    const FileNumber number = next_number_++;
    const std::string name = TableFileName(number);
    for (const Candidate* member : group) {
      RepairTable& row = report_.tables[member->report];
      if (row.fate == RepairTable::Fate::kKept) row.fate = RepairTable::Fate::kMerged;
      row.level = level;
      row.why += (row.why.empty() ? "" : "; ") +
                 std::string(
                     "its versions interleave with those of "
                     "others: merged into ") +
                 name;
    }
    if (options_.dry_run) return Status::Ok();
    TableCopy copy(env_, Out(name));
    const TableReader& first = *group.front()->survey.reader;
    RETURN_IF_ERROR(copy.Begin({.comparator = &order,
                                .comparator_name = std::string(order.name()),
                                .properties = first.properties(),
                                .format_version = first.format_version(),
                                .checksum = first.checksum_type()}));
    std::vector<std::unique_ptr<InternalIterator>> children;
    std::set<std::tuple<std::string, std::string, Sequence>> deletions;
    uint64_t blobs = 0;
    for (const Candidate* member : group) {
      children.push_back(member->survey.reader->NewIterator({.fill_cache = false}));
      const FileMetadata table(member->survey.description);
      for (const RangeTombstone& whole : member->survey.reader->RawTombstones()) {
        const RangeTombstone d = WithinBounds(order, table, whole);
        if (order.Compare(d.begin, d.end) < 0) deletions.insert({d.begin, d.end, d.sequence});
      }
      const uint64_t oldest = member->survey.description.oldest_blob_file;
      if (oldest != 0) blobs = blobs == 0 ? oldest : std::min(blobs, oldest);
    }
    std::string before;
    const auto it = NewMergingIterator(order, std::move(children));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      // An input and the output of a compaction may both be there.
      const std::string encoded = EncodeInternalKey(it->key());
      if (encoded == before) continue;
      RETURN_IF_ERROR(copy.Add(it->key(), it->value()));
      before = encoded;
    }
    RETURN_IF_ERROR(it->status());
    for (const auto& [begin, end, sequence] : deletions) {
      RETURN_IF_ERROR(copy.AddRangeDeletion(begin, end, sequence));
    }
    // Bounds may leave nothing of tables that hold range deletions alone.
    if (!copy.empty()) RETURN_IF_ERROR(copy.Finish());
    for (const Candidate* member : group) {
      if (member->path == Out(TableFileName(member->number))) {
        RemoveObsoleteFile(fs_, member->path);
      }
    }
    if (copy.empty()) return Status::Ok();
    FileDescription description = copy.Description();
    description.number = number;
    description.oldest_blob_file = blobs;
    edit->new_files.push_back({level, std::move(description)});
    return Status::Ok();
  }

  // ---- copying

  Status Bring(const Candidate& candidate) {
    const std::string name = TableFileName(candidate.number);
    if (options_.dry_run || candidate.path == Out(name)) return Status::Ok();
    return Copy(name);
  }

  Status Copy(const std::string& name) {
    if (options_.dry_run) return Status::Ok();
    ASSIGN_OR_RETURN(const auto from, fs_.OpenForRead(In(name), /*direct=*/false));
    ASSIGN_OR_RETURN(const uint64_t size, from->Size());
    ASSIGN_OR_RETURN(const auto to, fs_.Create(Out(name), /*direct=*/false));
    std::string buffer(std::min(size, kCopyChunk), '\0');
    for (uint64_t at = 0; at < size; at += kCopyChunk) {
      ASSIGN_OR_RETURN(const std::string_view bytes,
                       from->Read(at, std::min(kCopyChunk, size - at), buffer.data()));
      RETURN_IF_ERROR(to->Append(bytes));
    }
    RETURN_IF_ERROR(to->Sync());
    return to->Close();
  }

  // As the MANIFEST has them, unless the file itself shows that to be wrong; else those that the
  // family's tables name and that are sound. What cannot be read is neither.
  Status AddBlobs(const FamilyState& family, VersionEdit* edit) {
    std::set<FileNumber> wanted;
    for (const Candidate& candidate : candidates_) {
      if (candidate.family != family.id) continue;
      wanted.insert(candidate.survey.blob_files.begin(), candidate.survey.blob_files.end());
    }
    for (const FileNumber number : wanted) {
      const auto summary = blobs_.Verify(number);
      if (summary.status().code() == Code::kIoError) return summary.status();
      const auto known =
          std::find_if(family.version->blob_files().begin(), family.version->blob_files().end(),
                       [&](const BlobFileMetadata& blob) { return blob.number == number; });
      const bool stored = known != family.version->blob_files().end();
      const bool fits =
          stored &&
          (!summary.ok() || (summary->blobs == known->blobs && summary->bytes == known->bytes));
      if (fits) {
        edit->blob_additions.push_back({.number = number,
                                        .blobs = known->blobs,
                                        .bytes = known->bytes,
                                        .checksum_method = known->checksum_method,
                                        .checksum_value = known->checksum_value});
        if (known->garbage_blobs > 0) {
          edit->blob_garbage.push_back({number, known->garbage_blobs, known->garbage_bytes});
        }
      } else if (summary.ok()) {
        edit->blob_additions.push_back({.number = number,
                                        .blobs = summary->blobs,
                                        .bytes = summary->bytes,
                                        .checksum_method = "",
                                        .checksum_value = ""});
      }
    }
    return Status::Ok();
  }

  Status CopyTheRest() {
    for (const std::string& name : report_.blobs) RETURN_IF_ERROR(Copy(name));
    for (const DirectoryEntry& entry : entries_) {
      const auto name = ParseFileName(entry.name);
      if (!name) continue;
      if (name->kind == FileKind::kWal &&
          (!report_.manifest_whole || name->number >= state_.MinLogToReplay())) {
        report_.logs.push_back(entry.name);
        RETURN_IF_ERROR(Copy(entry.name));
      }
    }
    std::sort(report_.logs.begin(), report_.logs.end());
    if (!options_file_.empty()) RETURN_IF_ERROR(Copy(options_file_));
    const auto identity =
        ReadFileToString(fs_, In(std::string(kIdentityFileName)), kIdentityFileSizeMax);
    if (identity.ok()) RETURN_IF_ERROR(Copy(std::string(kIdentityFileName)));
    return Status::Ok();
  }

  // ---- the logs

  void PassFlushedLogs() {
    const bool all_tables =
        std::none_of(report_.tables.begin(), report_.tables.end(), [](const RepairTable& table) {
          return table.fate == RepairTable::Fate::kLost || table.bill.has_value();
        });
    state_.counters.min_log_number_to_keep = 0;
    if (!all_tables) {  // What was lost may be in logs that were flushed.
      for (const FamilyState& family : state_.families.all()) {
        state_.families.Find(family.id)->log_number = 0;
      }
      return;
    }
    NewestSequences in_tables;
    for (const Candidate& candidate : candidates_) {
      // Ingestion takes numbers beyond those of memtables.
      if (candidate.survey.reader->properties().external_version.has_value()) continue;
      Sequence& newest = in_tables[candidate.family];
      newest = std::max(newest, candidate.survey.description.largest_sequence);
    }
    for (const auto& [id, log] : LogsBehindTables(fs_, source_, LogNumbers(), in_tables)) {
      FamilyState* const family = state_.families.Find(id);
      if (family != nullptr) family->log_number = std::max(family->log_number, log);
    }
  }

  std::vector<uint64_t> LogNumbers() const {
    std::vector<uint64_t> numbers;
    for (const std::string& name : report_.logs) numbers.push_back(ParseFileName(name)->number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  Status WriteManifest() {
    if (!report_.manifest_whole) PassFlushedLogs();
    state_.counters.prev_log_number = 0;
    const FileNumber number = next_number_++;
    state_.counters.next_file_number = std::max(state_.counters.next_file_number, next_number_);
    return ManifestWriter::Create(fs_, destination_, number, state_, {}).status();
  }

  const Environment& env_;
  FileSystem& fs_;
  const std::string& source_;
  const std::string& destination_;
  const RepairOptions& options_;
  RepairReport& report_;
  const BlobReader blobs_;
  std::vector<DirectoryEntry> entries_;
  FileNumber next_number_ = 2;
  std::string options_file_;  // The newest, if it can be read.
  Options stored_options_;
  DatabaseState state_;
  std::map<FileNumber, Place> live_;  // By the MANIFEST, as far as it could be read.
  std::set<FileNumber> obsolete_;     // Likewise.
  bool tables_follow_ = false;        // There are tables newer than it.
  std::vector<Candidate> candidates_;
};

}  // namespace

bool RepairReport::complete() const {
  return std::all_of(tables.begin(), tables.end(), [](const RepairTable& table) {
    if (table.fate == RepairTable::Fate::kLost) return false;
    return !table.bill || table.bill->complete();
  });
}

Result<RepairReport> RepairDatabase(const Environment& env, const std::string& source,
                                    const std::string& destination, const RepairOptions& options) {
  RepairReport report;
  RETURN_IF_ERROR(Repair(env, source, destination, options, &report).Run());
  return report;
}

Status ReplaceDirectory(FileSystem& fs, const std::string& repaired, const std::string& path,
                        const std::string& aside) {
  RETURN_IF_ERROR(PublishDirectory(fs, path, aside));
  return PublishDirectory(fs, repaired, path);
}

}  // namespace varve
