// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/lsm_report.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/options/option_limits.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/inspect/options/options_report.h"
#include "core/table/read/table_reader.h"
#include "core/version/invariants.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_reader.h"
#include "core/version/table_place.h"
#include "core/version/table_weight.h"
#include "varve/comparator.h"

namespace varve {
namespace {

// With a concurrent writer that deletes files, the MANIFEST is read again up to this often.
constexpr int kTriesMax = 20;

// The directory's files by number.
struct Directory {
  std::unordered_map<FileNumber, std::string> tables, blobs;
  std::unordered_map<FileNumber, uint64_t> wals;
};

Directory SortOut(const std::vector<DirectoryEntry>& entries) {
  Directory directory;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name) continue;
    if (name->kind == FileKind::kTable || name->kind == FileKind::kTableLdb) {
      directory.tables[name->number] = entry.name;
    } else if (entry.is_directory) {
      continue;
    } else if (name->kind == FileKind::kBlob) {
      directory.blobs[name->number] = entry.name;
    } else if (name->kind == FileKind::kWal) {
      directory.wals[name->number] = entry.size;
    }
  }
  return directory;
}

// The MANIFEST replayed up to one of its edits.
struct Replayed {
  DatabaseState state;
  uint64_t edits = 0;  // Of the whole MANIFEST.
  uint64_t edit = 0;   // The edit after which the state is shown.
  uint64_t bytes = 0;
  FileNumber next_file_number = 0;  // From the MANIFEST.
  // Damage after the requested edit, which does not prevent the report.
  std::string damage_behind;
  bool leveldb = false;  // Judged by the whole MANIFEST.
  std::unordered_map<FileNumber, uint64_t> added_by;
};

Options ReplayOptions() {
  Options options;
  options.family.num_levels = kNumLevelsMax;  // Trimmed to those that there are, afterwards.
  return options;
}

Result<Replayed> Replay(FileSystem& fs, const ManifestPlace& place,
                        const std::optional<uint64_t>& wanted) {
  ASSIGN_OR_RETURN(const auto scanner, ManifestScanner::Open(fs, place.path));
  ManifestReplay replay(ReplayOptions());
  ManifestOriginTest origin;
  Replayed out;
  while (true) {
    Result<std::optional<ManifestRecord>> record = scanner->Next();
    if (!record.ok()) {
      if (!wanted || out.edits < *wanted) return record.status();
      out.damage_behind = std::string(record.status().message());
      break;
    }
    if (!*record) break;
    out.edits++;
    origin.Take((*record)->edit);
    if (wanted && out.edits > *wanted) continue;
    const ManifestRecord& edit = **record;
    RETURN_IF_ERROR(replay.Apply(edit.edit).At(FileOffset(place.path, edit.offset)));
    for (const auto& added : edit.edit.new_files) out.added_by[added.file.number] = out.edits;
  }
  if (wanted && *wanted > out.edits) {
    return Status::InvalidArgument(place.path + " has " + std::to_string(out.edits) +
                                   " edits, so no edit " + std::to_string(*wanted));
  }
  out.edit = wanted.value_or(out.edits);
  out.bytes = scanner->file_size();
  const auto finish = [&]() -> Status {
    const bool newest = out.edit == out.edits && out.damage_behind.empty();
    if (newest) RETURN_IF_ERROR(replay.CheckComplete());
    ASSIGN_OR_RETURN(out.state, replay.State(/*tables=*/nullptr));
    out.next_file_number = out.state.counters.next_file_number;
    RaiseNextFileNumber(&out.state, place.number);
    return newest ? CheckState(out.state) : Status::Ok();
  };
  RETURN_IF_ERROR(finish().At(place.path));
  out.leveldb = IsLevelDb(fs, place.directory, origin.origin());
  return out;
}

// Finds the files of a sorted level that overlap a range, with two searches.
class LevelSpans {
 public:
  LevelSpans(const Comparator& order, const std::vector<FilePtr>& files)
      : order_(order), files_(files), bytes_before_(files.size() + 1, 0) {
    for (size_t i = 0; i < files.size(); i++) {
      bytes_before_[i + 1] = bytes_before_[i] + files[i]->size();
    }
  }

  // A run of the files, as indexes: [first, second).
  using Span = std::pair<size_t, size_t>;

  Span Meeting(const FileMetadata& file) const {
    const auto first = std::partition_point(files_.begin(), files_.end(), [&](const FilePtr& f) {
      return order_.Compare(f->largest.user_key, file.smallest.user_key) < 0;
    });
    const auto last = std::partition_point(first, files_.end(), [&](const FilePtr& f) {
      return order_.Compare(f->smallest.user_key, file.largest.user_key) <= 0;
    });
    return {first - files_.begin(), last - files_.begin()};
  }
  OverlapReport Report(int level, const Span& span) const {
    const auto [from, to] = span;
    return {level, to - from, bytes_before_[to] - bytes_before_[from]};
  }
  // Each file once, though several spans have it.
  OverlapReport ReportOfAll(int level, std::vector<Span> spans) const {
    std::sort(spans.begin(), spans.end());
    OverlapReport all{.level = level};
    size_t counted = 0;  // Files before it.
    for (const auto& [from, to] : spans) {
      const size_t begin = std::max(from, counted);
      if (begin >= to) continue;
      all.files += to - begin;
      all.bytes += bytes_before_[to] - bytes_before_[begin];
      counted = to;
    }
    return all;
  }

 private:
  const Comparator& order_;
  const std::vector<FilePtr>& files_;
  std::vector<uint64_t> bytes_before_;
};

// The level that compactions of `level` write to; nullopt for the last one.
std::optional<int> NextLevel(const FamilyReport& family, int level) {
  const bool leveled = family.compaction_style == "level";
  const int next = level == 0 && leveled ? std::max(family.base_level, 1) : level + 1;
  if (next >= static_cast<int>(family.levels.size())) return std::nullopt;
  return next;
}

void AddOverlaps(const Version& version, FamilyReport* family) {
  for (LevelReport& level : family->levels) {
    const std::optional<int> next = NextLevel(*family, level.level);
    if (!next) continue;
    const LevelSpans spans(version.comparator(), version.files(*next));
    const std::vector<FilePtr>& files = version.files(level.level);
    CHECK_OP(files.size(), ==, level.files.size());
    std::vector<LevelSpans::Span> met;
    for (size_t i = 0; i < files.size(); i++) {
      met.push_back(spans.Meeting(*files[i]));
      level.files[i].overlap = spans.Report(*next, met.back());
    }
    if (!files.empty()) level.overlap = spans.ReportOfAll(*next, std::move(met));
  }
}

class Reporter {
 public:
  Reporter(FileSystem& fs, const ManifestPlace& place, const Replayed& replayed,
           const LsmQuery& query)
      : fs_(fs), place_(place), replayed_(replayed), query_(query) {}

  Result<LsmReport> Run() {
    // A MANIFEST outside its database has no directory to compare with.
    report_.directory_known = fs_.Exists(JoinPath(place_.directory, kCurrentFileName));
    Result<StoredOptions> options = StoredOptions();
    if (report_.directory_known) {
      ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs_.List(place_.directory));
      directory_ = SortOut(entries);
      tables_.emplace(fs_, place_.directory, entries);
      unclaimed_ = directory_;
      options = ReadStoredOptions(fs_, place_.directory);
    }
    if (options.ok()) {
      options_ = *std::move(options);
    } else {
      report_.warnings.push_back("scores are of default options: " +
                                 std::string(options.status().message()));
    }
    newest_.emplace(options_.contents);
    FillHeader();
    for (const FamilyState& family : replayed_.state.families.all()) AddFamily(family);
    RETURN_IF_ERROR(failure_);
    if (report_.directory_known) FillDirectory();
    return std::move(report_);
  }
  // Whether a table was in the directory but could not be found when opened.
  bool found_missing() const { return found_missing_; }

 private:
  void FillHeader() {
    const DatabaseCounters& counters = replayed_.state.counters;
    report_.path = place_.directory;
    report_.manifest = place_.number != 0 ? ManifestFileName(place_.number)
                                          : place_.path.substr(place_.path.rfind('/') + 1);
    report_.edit = replayed_.edit;
    report_.manifest_edits = replayed_.edits;
    report_.manifest_bytes = replayed_.bytes;
    report_.damaged_behind = !replayed_.damage_behind.empty();
    if (report_.damaged_behind) report_.warnings.push_back(replayed_.damage_behind);
    report_.last_sequence = counters.last_sequence;
    report_.next_file_number = replayed_.next_file_number;
    report_.db_id = counters.db_id;
    report_.options_file = options_.file;
    report_.leveldb = replayed_.leveldb ||
                      std::any_of(directory_.tables.begin(), directory_.tables.end(),
                                  [](const auto& table) { return table.second.ends_with(".ldb"); });
    if (!report_.db_id.empty()) return;
    const auto identity =
        ReadFileToString(fs_, JoinPath(place_.directory, kIdentityFileName), kIdentityFileSizeMax);
    if (identity.ok()) report_.db_id = *identity;
    while (report_.db_id.ends_with('\n')) report_.db_id.pop_back();
  }

  // From the newest OPTIONS file or, for a family that was dropped since, from an older one.
  // LevelDB has none. Nullopt: nothing says with which options the family is used.
  std::optional<CompactionSettings> SettingsOf(const std::string& family) {
    if (report_.leveldb && options_.file.empty()) return LevelDbCompactionSettings();
    if (options_.file.empty()) return std::nullopt;
    const OptionsSection* section = newest_->Of(family).family;
    if (section != nullptr) return CompactionSettingsOf(section);
    if (!older_settings_) ReadOlderSettings();
    const auto older = older_settings_->find(family);
    if (older == older_settings_->end()) return std::nullopt;
    return older->second;
  }
  void ReadOlderSettings() {
    older_settings_.emplace();
    VisitStoredOptions(fs_, place_.directory, [&](const OptionsFile& file) {
      for (const OptionsSection& section : file.sections) {
        if (section.kind != kFamilySection) continue;
        const auto [it, is_new] = older_settings_->try_emplace(section.family);
        if (is_new) it->second = CompactionSettingsOf(&section);
      }
    });
  }

  // Removes reported files from `unclaimed_`: the rest are orphans.
  void AddFamily(const FamilyState& state) {
    const Version& version = *state.version;
    const std::optional<CompactionSettings> known = SettingsOf(state.name);
    const CompactionSettings settings = known.value_or(CompactionSettingsOf(nullptr));
    FamilyReport& family = report_.families.emplace_back();
    family.id = state.id;
    family.name = state.name;
    family.comparator = state.comparator_name;
    family.comparator_known = state.comparator != nullptr;
    family.log_number = state.log_number;
    family.options_known = known.has_value();
    family.compaction_style = CompactionStyleName(settings.style);
    family.dynamic_level_bytes = settings.dynamic_level_bytes;
    family.level0_trigger = settings.level0_trigger;
    int levels = settings.num_levels;
    for (int level = 0; level < version.num_levels(); level++) {
      if (!version.files(level).empty()) levels = std::max(levels, level + 1);
    }
    for (int level = 0; level < std::min(levels, version.num_levels()); level++) {
      LevelReport& out = family.levels.emplace_back();
      out.level = level;
      for (const FilePtr& file : version.files(level)) {
        out.files.push_back(AddFile(file->description, level));
        out.bytes += file->size();
      }
      family.files += out.files.size();
      family.bytes += out.bytes;
    }
    for (const BlobFileMetadata& blob : version.blob_files()) {
      if (report_.directory_known && !directory_.blobs.contains(blob.number)) {
        report_.missing.push_back(BlobFileName(blob.number));
      }
      unclaimed_.blobs.erase(blob.number);
      ++family.blob_files;
    }
    AddScores(settings, &family);
    if (family.comparator_known) AddOverlaps(version, &family);
  }

  FileReport AddFile(const FileDescription& description, int level) {
    FileReport file = ReportDescription(description, level);
    if (const auto by = replayed_.added_by.find(file.number); by != replayed_.added_by.end()) {
      file.added_by = by->second;
    }
    if (!report_.directory_known) return file;
    CHECK(tables_.has_value());
    unclaimed_.tables.erase(file.number);
    TablePlace place = tables_->Of(description);
    const bool absent = place.kind == TablePlace::Kind::kAbsent;
    if (absent && file.path_id != 0) return file;  // Its directory is not known.
    file.present = !absent;
    if (file.present) {
      file.name = std::move(place.name);
    } else {
      report_.missing.push_back(file.name);
    }
    if (place.kind == TablePlace::Kind::kOtherSize) {
      report_.wrong_size.push_back(file.name + ": " + std::to_string(place.size) + " bytes" +
                                   ", not " + std::to_string(description.size));
    }
    // No damage, but a failure of the report, as it is of a read.
    const bool unreadable = place.kind == TablePlace::Kind::kUnreadable;
    if (unreadable && failure_.ok() && report_.is_newest()) failure_ = std::move(place.status);
    if (query_.open_tables && file.present) AddContents(&file);
    return file;
  }

  void AddContents(FileReport* file) {
    const Status read = [&]() -> Status {
      ASSIGN_OR_RETURN(auto table, fs_.OpenForRead(JoinPath(place_.directory, file->name),
                                                   /*direct=*/false));
      ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(table), {}));
      const TableProperties& p = reader->properties();
      if (p.raw.empty()) return Status::Ok();  // LevelDB's tables have none: not 0, but unknown.
      file->contents = TableContents{.entries = p.entries,
                                     .deletions = p.deletions,
                                     .range_deletions = p.range_deletions,
                                     .merges = p.merge_operands,
                                     .raw_key_bytes = p.raw_key_size,
                                     .raw_value_bytes = p.raw_value_size,
                                     .oldest_key_time = p.oldest_key_time};
      return Status::Ok();
    }();
    found_missing_ |= read.code() == Code::kNotFound;
    if (!read.ok()) report_.warnings.push_back(std::string(read.message()));
  }

  // Deletions count only if every table has been opened; otherwise levels could not be compared.
  void AddScores(const CompactionSettings& settings, FamilyReport* family) {
    const auto counts_of = [](const TableContents& contents) -> TableCounts {
      return {contents.entries, contents.deletions, contents.raw_key_bytes,
              contents.raw_value_bytes};
    };
    TableTotals totals;
    family->compensated = query_.open_tables;
    for (const LevelReport& level : family->levels) {
      for (const FileReport& file : level.files) {
        family->compensated &= file.contents.has_value();
        if (file.contents) totals.Add(file.size, counts_of(*file.contents));
      }
    }
    const uint64_t average = AverageValueBytes(totals);
    std::vector<LevelLoad> loads;
    for (const LevelReport& level : family->levels) {
      LevelLoad& load = loads.emplace_back(LevelLoad{level.files.size(), level.bytes, 0});
      for (const FileReport& file : level.files) {
        load.compensated_bytes +=
            family->compensated ? CompensatedBytes(file.size, counts_of(*file.contents), average)
                                : file.size;
      }
    }
    const LevelScores scores = ScoreLevels(settings, loads);
    CHECK_OP(scores.scores.size(), ==, family->levels.size());
    family->base_level = scores.base_level;
    for (size_t i = 0; i < family->levels.size(); i++) {
      family->levels[i].score = scores.scores[i];
      family->levels[i].target_bytes = scores.target_bytes[i];
    }
  }

  void FillDirectory() {
    const uint64_t first_live = replayed_.state.MinLogToReplay();
    for (const auto& [number, size] : directory_.wals) {
      report_.wals.push_back({number, size, number >= first_live});
    }
    std::sort(report_.wals.begin(), report_.wals.end(),
              [](const WalFileReport& a, const WalFileReport& b) { return a.number < b.number; });
    if (!report_.is_newest()) {
      report_.missing.clear();
      report_.wrong_size.clear();
      return;
    }
    for (const auto& [number, name] : unclaimed_.tables) report_.orphans.push_back(name);
    for (const auto& [number, name] : unclaimed_.blobs) report_.orphans.push_back(name);
    std::sort(report_.orphans.begin(), report_.orphans.end());
  }

  FileSystem& fs_;
  const ManifestPlace& place_;
  const Replayed& replayed_;
  const LsmQuery& query_;
  Directory directory_, unclaimed_;
  std::optional<TablePlaces> tables_;  // Of the directory, if it is known.
  StoredOptions options_;
  std::optional<FamilySections> newest_;  // Of options_.
  // For all OPTIONS files, the newest that has each family; computed on demand.
  std::optional<std::unordered_map<std::string, CompactionSettings>> older_settings_;
  bool found_missing_ = false;  // Set when a table was opened.
  Status failure_;              // Of a table that is not a file.
  LsmReport report_;
};

// Whether the MANIFEST has grown beyond `bytes`, or been replaced.
bool HasChanged(FileSystem& fs, const std::string& target, const ManifestPlace& place,
                uint64_t bytes) {
  const Result<ManifestPlace> now = FindManifest(fs, target);
  if (!now.ok() || now->path != place.path) return true;
  const Result<uint64_t> size = fs.FileSize(now->path);
  return !size.ok() || *size != bytes;
}

}  // namespace

const Comparator* OrderOf(const FamilyReport& family) {
  if (!family.comparator_known) return nullptr;
  return family.comparator.empty() ? BytewiseComparator() : ComparatorByName(family.comparator);
}

const FamilyReport* LsmReport::Find(std::string_view family) const {
  for (const FamilyReport& report : families) {
    if (report.name == family) return &report;
  }
  return nullptr;
}

const FamilyReport* LsmReport::FindByNameOrId(std::string_view family) const {
  if (const FamilyReport* const named = Find(family)) return named;
  for (const FamilyReport& report : families) {
    if (std::to_string(report.id) == family) return &report;
  }
  return nullptr;
}

Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& target, const LsmQuery& query) {
  for (int tries = 1;; ++tries) {
    ASSIGN_OR_RETURN(const ManifestPlace place, FindManifest(fs, target));
    const Result<Replayed> replayed = Replay(fs, place, query.edit);
    const bool last = tries == kTriesMax;
    if (!replayed.ok()) {
      const bool gone = replayed.status().code() == Code::kNotFound;
      if (last || !gone || !HasChanged(fs, target, place, 0)) return replayed.status();
      continue;
    }
    Reporter reporter(fs, place, *replayed, query);
    Result<LsmReport> report = reporter.Run();
    // A missing file may have been deleted by a later edit.
    const bool complete = report.ok() && report->missing.empty() && !reporter.found_missing();
    if (complete || last || !HasChanged(fs, target, place, replayed->bytes)) return report;
  }
}

}  // namespace varve
