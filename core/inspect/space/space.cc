// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/space.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/key_range.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/inspect/space/leveled_merge.h"
#include "core/inspect/space/space_meter.h"
#include "core/inspect/wal/log_entries.h"

namespace varve {
namespace {

constexpr uint64_t kIndexCacheBytes = 8 << 20;
constexpr size_t kAnchorsPerTableMax = 64;
constexpr uint64_t kEntriesPerLook = 1024;  // Between calls of the progress function.

uint64_t NextSample(uint64_t* state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

// The figures of one slice that an estimate is based on.
struct Observation {
  double total = 0, live = 0, shadowed = 0, tombstones = 0, keys = 0, skipped = 0;
};

// sum(part) / sum(whole) over slices drawn without replacement from `there`, with its confidence
// interval: the ratio estimator and its linearised variance.
SpaceInterval Ratio(const std::vector<Observation>& seen, uint64_t there,
                    double Observation::* part, double Observation::* whole, double scale) {
  CHECK_OP(seen.size(), <=, there);
  double sum_part = 0, sum_whole = 0;
  for (const Observation& slice : seen) {
    sum_part += slice.*part;
    sum_whole += slice.*whole;
  }
  SpaceInterval interval;
  if (sum_whole == 0) return interval;
  const auto n = static_cast<double>(seen.size());
  const double ratio = sum_part / sum_whole, mean = sum_whole / n;
  double squares = 0;
  for (const Observation& slice : seen) {
    const double residual = slice.*part - ratio * slice.*whole;
    squares += residual * residual;
  }
  const double rest = 1 - n / static_cast<double>(there);
  const double deviation =
      n < 2 ? 1 : std::sqrt(std::max(0.0, rest) * squares / (n - 1) / n) / mean;
  // Student's factor for few slices, approximately.
  const double factor = 1.96 + 2.4 / std::max(1.0, n - 1);
  interval.estimate = ratio * scale;
  interval.low = std::max(0.0, ratio - factor * deviation) * scale;
  interval.high = (ratio + factor * deviation) * scale;
  return interval;
}

// One family: merges its tables and logs, completely or in slices.
class FamilySpace {
 public:
  FamilySpace(const FamilyState& state, LoggedFamily logged, const SpaceOptions& options,
              SpaceFamily* out)
      : state_(state),
        logged_(std::move(logged)),
        version_(*state.version),
        options_(options),
        range_(options.from, options.to),
        out_(*out),
        meter_(options, out) {}

  Status Run() {
    out_.id = state_.id;
    out_.name = state_.name;
    for (const BlobFileMetadata& blob : version_.blob_files()) {
      out_.blob_bytes += blob.bytes;
      out_.blob_garbage_bytes += blob.garbage_bytes;
    }
    if (state_.comparator == nullptr) {
      out_.not_supported =
          "comparator " + EscapeForDisplay(state_.comparator_name) + " is unknown here";
      return Status::Ok();
    }
    if (options_.prefix) {
      Result<KeyRange> range = KeyRange::OfPrefix(*state_.comparator, *options_.prefix);
      if (!range.ok()) {
        out_.not_supported = range.status().message();
        return Status::Ok();
      }
      range_ = *std::move(range);
    }
    for (const LogEntry& entry : logged_.entries) {
      out_.raw_bytes += entry.key.size() + kPackedSize + entry.value.size();
    }
    if (!logged_.entries.empty() || !logged_.deletions.empty()) Level(kWalLevel);
    RETURN_IF_ERROR(CollectAnchors());
    LeveledMerge merge(*state_.comparator, version_, std::move(logged_.entries), logged_.deletions);
    RETURN_IF_ERROR(merge.Open());
    if (options_.estimate) {
      RETURN_IF_ERROR(Sample(merge));
    } else {
      RETURN_IF_ERROR(Walk(merge, range_.lower(), std::nullopt));
      RETURN_IF_ERROR(AddRangeDeletions(logged_.deletions));
    }
    meter_.Finish();
    for (const auto& [level, entry] : levels_) out_.levels.push_back(entry);
    return Status::Ok();
  }

 private:
  SpaceLevel& Level(int level) {
    SpaceLevel& entry = levels_[level];
    entry.level = level;
    return entry;
  }
  bool Before(std::string_view a, std::string_view b) const {
    return state_.comparator->Compare(a, b) < 0;
  }
  VirtualOrder order() const { return VirtualOrder{state_.comparator}; }
  bool InRange(std::string_view key) const {
    return !range_.IsBefore(order(), key) && !range_.IsBehind(order(), key);
  }

  // Keys that split the tables into parts of about the same size, from their indexes.
  Status CollectAnchors() {
    for (int level = 0; level < version_.num_levels(); ++level) {
      for (const FilePtr& file : version_.files(level)) {
        SpaceLevel& entry = Level(level);
        ++entry.files;
        entry.file_bytes += file->size();
        ASSIGN_OR_RETURN(const auto table, version_.Open(*file));
        out_.raw_bytes += table->properties().raw_key_size + table->properties().raw_value_size;
        for (std::string& key : table->SampleUserKeys(kAnchorsPerTableMax)) {
          if (InRange(key)) anchors_.push_back(std::move(key));
        }
      }
    }
    std::sort(anchors_.begin(), anchors_.end(),
              [&](const std::string& a, const std::string& b) { return Before(a, b); });
    anchors_.erase(std::unique(anchors_.begin(), anchors_.end()), anchors_.end());
    return Status::Ok();
  }

  // About `count` of the anchors, evenly spread.
  std::vector<std::string> Cuts(size_t count) const {
    CHECK_OP(count, >, 0);
    std::vector<std::string> cuts;
    const size_t step = std::max<size_t>(1, anchors_.size() / count);
    for (size_t i = step; i < anchors_.size(); i += step) cuts.push_back(anchors_[i]);
    return cuts;
  }

  // What of the range is within [from, to).
  Status Walk(LeveledMerge& merge, const std::optional<std::string>& from,
              const std::optional<std::string>& to) {
    const std::vector<std::string> cuts =
        options_.estimate ? std::vector<std::string>() : Cuts(kSpaceSlices);
    size_t next_cut = 0;
    if (!options_.estimate) out_.slices.push_back({from.value_or(""), {}});
    for (merge.Seek(from); merge.Valid(); merge.Next()) {
      const InternalKey& key = merge.key();
      if (range_.IsBefore(order(), key.user_key)) continue;  // The versions of an open bound.
      if (range_.IsBehind(order(), key.user_key)) break;
      if (to && !Before(key.user_key, *to)) break;
      while (next_cut < cuts.size() && !Before(key.user_key, cuts[next_cut])) {
        out_.slices.push_back({cuts[next_cut++], {}});
      }
      const uint64_t bytes = key.user_key.size() + kPackedSize + merge.value().size();
      SpaceTotals& level = Level(merge.level()).totals;
      switch (meter_.Add(key, merge.value(), merge.covered())) {
        case SpaceKind::kLive:
          level.live.Add(bytes);
          break;
        case SpaceKind::kShadowed:
          level.shadowed.Add(bytes);
          break;
        case SpaceKind::kTombstone:
          level.tombstones.Add(bytes);
          break;
      }
      if (options_.progress != nullptr && out_.total.entries() % kEntriesPerLook == 0 &&
          !options_.progress({out_.total.bytes(), out_.raw_bytes})) {
        return Status::IoError("cancelled");
      }
    }
    return merge.status();
  }

  Status AddRangeDeletions(const std::vector<RangeTombstone>& logged) {
    const auto add = [&](const RangeTombstone& deletion, int level) {
      if (range_.IsBehind(order(), deletion.begin)) return;
      if (range_.lower() && !Before(*range_.lower(), deletion.end)) return;
      meter_.AddRangeDeletion(deletion.begin, deletion.end, &Level(level).totals);
    };
    for (const RangeTombstone& deletion : logged) add(deletion, kWalLevel);
    for (int level = 0; level < version_.num_levels(); ++level) {
      for (const FilePtr& file : version_.files(level)) {
        ASSIGN_OR_RETURN(const auto table, version_.Open(*file));
        for (const RangeTombstone& deletion : table->RawTombstones()) add(deletion, level);
      }
    }
    return Status::Ok();
  }

  Status Sample(LeveledMerge& merge) {
    const std::vector<std::string> cuts = Cuts(std::max<uint64_t>(8 * options_.samples, 64));
    const uint64_t there = cuts.size() + 1;
    std::vector<uint64_t> drawn(there);
    for (uint64_t i = 0; i < there; ++i) drawn[i] = i;
    uint64_t random = options_.seed;
    const uint64_t count = std::min<uint64_t>(options_.samples, there);
    for (uint64_t i = 0; i < count; ++i)
      std::swap(drawn[i], drawn[i + NextSample(&random) % (there - i)]);
    drawn.resize(count);
    std::sort(drawn.begin(), drawn.end());
    std::vector<Observation> seen;
    for (const uint64_t slice : drawn) {
      const SpaceFamily before = Totals();
      const auto from = slice == 0 ? range_.lower() : std::optional(cuts[slice - 1]);
      const auto to = slice == cuts.size() ? std::nullopt : std::optional(cuts[slice]);
      RETURN_IF_ERROR(Walk(merge, from, to));
      meter_.Finish();
      seen.push_back(Since(before));
    }
    out_.slices_looked_at = count;
    out_.slices_there = there;
    const auto raw = static_cast<double>(out_.raw_bytes);
    out_.live_bytes = Ratio(seen, there, &Observation::live, &Observation::total, raw);
    out_.shadowed_bytes = Ratio(seen, there, &Observation::shadowed, &Observation::total, raw);
    out_.tombstone_bytes = Ratio(seen, there, &Observation::tombstones, &Observation::total, raw);
    out_.skipped_per_key = Ratio(seen, there, &Observation::skipped, &Observation::keys, 1);
    return Status::Ok();
  }

  SpaceFamily Totals() const {
    SpaceFamily totals;
    totals.total = out_.total;
    totals.keys = out_.keys;
    totals.skipped = out_.skipped;
    return totals;
  }
  Observation Since(const SpaceFamily& before) const {
    const auto difference = [](uint64_t after, uint64_t earlier) {
      CHECK_OP(after, >=, earlier);
      return static_cast<double>(after - earlier);
    };
    return {.total = difference(out_.total.bytes(), before.total.bytes()),
            .live = difference(out_.total.live.bytes, before.total.live.bytes),
            .shadowed = difference(out_.total.shadowed.bytes, before.total.shadowed.bytes),
            .tombstones = difference(out_.total.tombstones.bytes, before.total.tombstones.bytes),
            .keys = difference(out_.keys, before.keys),
            .skipped = difference(out_.skipped, before.skipped)};
  }

  const FamilyState& state_;
  LoggedFamily logged_;  // The merge takes its entries.
  const Version& version_;
  const SpaceOptions& options_;
  KeyRange range_;  // In the order of the family.
  SpaceFamily& out_;
  SpaceMeter meter_;
  std::map<int, SpaceLevel> levels_;
  std::vector<std::string> anchors_;
};

// Sums up files by kind, and lists obsolete ones.
Status ReportFiles(FileSystem& fs, const std::string& path, const RecoveredManifest& manifest,
                   SpaceReport* report) {
  std::set<FileNumber> live;
  for (const FamilyState& family : manifest.state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) live.insert(file->number());
    }
    for (const BlobFileMetadata& blob : family.version->blob_files()) live.insert(blob.number);
  }
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(path));
  for (const DirectoryEntry& entry : entries) {
    const auto name = ParseFileName(entry.name);
    if (!name || entry.is_directory) continue;
    bool orphan = false;
    uint64_t* kind = &report->other_bytes;
    switch (name->kind) {
      case FileKind::kTable:
      case FileKind::kTableLdb:
      case FileKind::kBlob:
        kind = name->kind == FileKind::kBlob ? &report->blob_bytes : &report->table_bytes;
        orphan = !live.contains(name->number);
        break;
      case FileKind::kWal:
        kind = &report->wal_bytes;
        orphan = name->number < manifest.state.MinLogToReplay();
        break;
      case FileKind::kManifest:
        kind = &report->manifest_bytes;
        orphan = name->number < manifest.number;
        break;
      case FileKind::kTemporary:
        orphan = true;
        break;
      default:
        break;
    }
    if (orphan) {
      report->orphans.push_back({entry.name, entry.size});
      report->orphan_bytes += entry.size;
    } else {
      *kind += entry.size;
    }
  }
  std::sort(report->orphans.begin(), report->orphans.end(),
            [](const SpaceFile& a, const SpaceFile& b) { return a.name < b.name; });
  return Status::Ok();
}

}  // namespace

Result<SpaceReport> ReportSpace(FileSystem& fs, const std::string& path,
                                const SpaceOptions& options) {
  const auto tables = std::make_unique<TableCache>(
      fs, path, std::make_shared<ClockCache>(kIndexCacheBytes), /*max_open_files=*/256, false);
  ASSIGN_OR_RETURN(const DatabaseFiles files, ReadAndHoldFiles(fs, path, tables.get()));
  RETURN_IF_ERROR(files.CheckTables());
  const RecoveredManifest& manifest = files.manifest;
  SpaceReport report;
  report.exact = !options.estimate;
  RETURN_IF_ERROR(ReportFiles(fs, path, manifest, &report));
  const ColumnFamilies& families = manifest.state.families;
  std::optional<ColumnFamilyId> only;
  if (options.family) {
    const FamilyState* const family = families.Find(*options.family);
    if (family == nullptr) {
      return Status::InvalidArgument(path + ": there is no column family '" + *options.family +
                                     "'");
    }
    only = family->id;
  }
  ASSIGN_OR_RETURN(auto logged, ReadLogsByFamily(files.wals, families, only));
  for (const FamilyState& family : families.all()) {
    if (only && family.id != *only) continue;
    SpaceFamily& out = report.families.emplace_back();
    RETURN_IF_ERROR(FamilySpace(family, std::move(logged[family.id]), options, &out).Run());
  }
  return report;
}

}  // namespace varve
