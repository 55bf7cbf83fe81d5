// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "cli/ldb/file_text.h"
#include "cli/ldb/text.h"
#include "cli/ldb/verbs.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/inspect/wal/wal_report.h"

namespace varve::cli::ldb {
namespace {

constexpr std::string_view kLine = "==============================\n";
constexpr std::string_view kThinLine = "------------------------------\n";

std::string NameOf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "000012.sst" of an extension, "MANIFEST-000005" of a prefix.
bool HasNumber(std::string_view name, std::string_view prefix, std::string_view extension) {
  if (!name.starts_with(prefix) || !name.ends_with(extension)) return false;
  if (name.size() < prefix.size() + extension.size()) return false;
  return IsDigits(name.substr(prefix.size(), name.size() - prefix.size() - extension.size()));
}

bool IsOtherDatabaseFile(std::string_view name) {
  constexpr std::string_view kNames[] = {"CURRENT", "IDENTITY", "LOCK", "LOG", "LOG.old"};
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return true;
  return HasNumber(name, "LOG.old.", "") || HasNumber(name, "OPTIONS-", "") ||
         HasNumber(name, "OPTIONS-", ".dbtmp") || HasNumber(name, "", ".dbtmp");
}

// Numbers of the blob files of a family of which something is left.
Result<std::map<std::string, std::set<FileNumber>>> LiveBlobFiles(const Call& call) {
  struct Left {
    std::string family;
    uint64_t blobs = 0;
  };
  std::map<FileNumber, Left> left;
  ASSIGN_OR_RETURN(ManifestTimeline timeline,
                   ManifestTimeline::Open(call.file_system(), call.path));
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<EditReport> report, timeline.Next());
    if (!report) break;
    for (const auto& blob : report->edit.blob_additions) {
      left[blob.number] = {report->family, blob.blobs};
    }
    for (const auto& garbage : report->edit.blob_garbage) {
      Left& of = left[garbage.number];
      of.blobs -= std::min(of.blobs, garbage.blobs);
    }
  }
  std::map<std::string, std::set<FileNumber>> live;
  for (const auto& [number, of] : left) {
    if (of.blobs > 0) live[of.family].insert(number);
  }
  return live;
}

std::string BlobName(FileNumber number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return digits + ".blob";
}

struct LiveFamily {
  std::string name;
  std::vector<std::vector<std::string>> tables;  // Paths by level.
  std::vector<std::string> blobs;                // Paths.
};

// Those of the open database.
Result<std::vector<LiveFamily>> LiveFilesOf(Call& call) {
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) return Failed("", lsm.status());
  const auto blobs = LiveBlobFiles(call);
  if (!blobs.ok()) return Failed("", blobs.status());
  std::vector<LiveFamily> families;
  for (const FamilyReport& report : lsm->families) {
    LiveFamily family{report.name, {}, {}};
    const size_t levels = call.db().Levels(report.id).size();
    for (const LevelReport& level : report.levels) {
      if (family.tables.size() >= std::max<size_t>(levels, 1) && level.files.empty()) continue;
      auto& tables = family.tables.emplace_back();
      for (const FileReport& file : level.files) {
        tables.push_back(WithSingleSlashes(call.path + "/" + file.name));
      }
    }
    if (const auto found = blobs->find(report.name); found != blobs->end()) {
      for (const FileNumber number : found->second) {
        family.blobs.push_back(WithSingleSlashes(call.path + "/" + BlobName(number)));
      }
    }
    families.push_back(std::move(family));
  }
  return families;
}

// The MANIFEST in the directory, if there is exactly one.
Result<std::string> OnlyManifest(const Call& call) {
  const auto entries = call.file_system().List(call.path);
  if (!entries.ok() && entries.status().code() != Code::kNotFound) {
    return Failed(InRocksDbWords(entries.status()) + ": Failed to list the content of " +
                  call.path);
  }
  std::string found;
  if (entries.ok()) {
    for (const DirectoryEntry& entry : *entries) {
      if (!HasNumber(entry.name, "MANIFEST-", "")) continue;
      if (!found.empty()) {
        return Failed("Multiple MANIFEST files found; use --path to select one");
      }
      found = entry.name;
    }
  }
  if (found.empty()) return Failed("No MANIFEST found in " + call.path);
  return call.path + (call.path.ends_with('/') ? "" : "/") + found;
}

// The range deletions of a table, cut at each other's ends: those of a fragment, newest first.
class Fragments {
 public:
  void Add(const StoredEntry& entry) {
    const std::string begin(entry.key), end(entry.value);
    if (!(begin < end)) return;
    cuts_.insert(begin);
    cuts_.insert(end);
    deletions_.emplace_back(begin, end, entry.sequence);
  }
  // At most *left of them.
  std::string Text(int* left) const {
    std::string text;
    for (auto cut = cuts_.begin(); cut != cuts_.end() && std::next(cut) != cuts_.end(); ++cut) {
      std::set<Sequence, std::greater<>> sequences;
      for (const auto& [begin, end, sequence] : deletions_) {
        if (begin <= *cut && *cut < end) sequences.insert(sequence);
      }
      for (const Sequence sequence : sequences) {
        if (*left <= 0) return text;
        --*left;
        text += "start: " + Hex(*cut) + " end: " + Hex(*std::next(cut)) +
                " seq: " + std::to_string(sequence) + "\n";
      }
    }
    return text;
  }

 private:
  std::set<std::string> cuts_;
  std::vector<std::tuple<std::string, std::string, Sequence>> deletions_;
};

Result<Fragments> RangeDeletionsOf(const Call& call, const std::string& path) {
  EntryRange range;
  range.range_deletions_only = true;
  auto entries = EntryStream::OpenTable(call.file_system(), path, range);
  if (!entries.ok()) return Failed("", entries.status());
  Fragments fragments;
  StoredEntry entry;
  while (entries->Next(&entry)) fragments.Add(entry);
  if (!entries->status().ok()) return Failed("", entries->status());
  return fragments;
}

}  // namespace

Status DumpFile(Call& call, const std::string& path) {
  const std::string name = NameOf(path);
  if (HasNumber(name, "", ".log")) return PrintWal(call, path, {});
  if (HasNumber(name, "", ".sst") || HasNumber(name, "", ".ldb")) {
    PrintTable(call, path, call.key_hex, /*with_range=*/true);
  } else if (HasNumber(name, "MANIFEST-", "")) {
    PrintManifest(call, path, {.hex = call.key_hex});
  } else if (HasNumber(name, "", ".blob")) {
    PrintBlobFile(call, path, call.key_hex, call.value_hex);
  } else if (IsOtherDatabaseFile(name)) {
    return Failed("File type not supported: " + path);
  } else {
    return Failed("Can't parse file type: " + path);
  }
  return Status::Ok();
}

Status DumpManifest(Call& call) {
  std::string path = call.line.Value("path").value_or("");
  if (path.empty()) {
    ASSIGN_OR_RETURN(path, OnlyManifest(call));
  }
  const bool verbose = call.line.Has("verbose");
  if (verbose) call.Print("Processing Manifest file " + path + "\n");
  PrintManifest(call, path, {.edits = verbose || call.line.Has("json"), .hex = call.key_hex});
  if (verbose) call.Print("Processing Manifest file " + path + " done\n");
  return Status::Ok();
}

Status DumpWal(Call& call) {
  const std::optional<std::string> path = call.line.Value("walfile");
  if (!path) return Failed("Argument walfile must be specified.");
  RETURN_IF_ERROR(call.line.Truth("write_committed", true).status());
  return PrintWal(call, *path,
                  {.header = call.line.Has("header"), .values = call.line.Has("print_value")});
}

Status DumpLiveFiles(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kRead));
  ASSIGN_OR_RETURN(const std::vector<LiveFamily> families, LiveFilesOf(call));
  const auto place = FindManifest(call.file_system(), call.path);
  if (!place.ok()) return Failed("", place.status());
  const std::string manifest = WithSingleSlashes(call.path + "/" + NameOf(place->path));
  call.Print("Manifest File\n" + std::string(kLine) + manifest + "\n");
  PrintManifest(call, manifest, {});
  call.Print("\n");
  for (const LiveFamily& family : families) {
    call.Print("Column family name: " + family.name + "\n" + std::string(kLine) + "\nSST Files\n" +
               std::string(kLine));
    for (size_t level = 0; level < family.tables.size(); ++level) {
      for (const std::string& path : family.tables[level]) {
        call.Print(path + " level:" + std::to_string(level) + "\n" + std::string(kThinLine));
        PrintTable(call, path, /*hex=*/false, /*with_range=*/false);
        call.Print("\n");
      }
    }
    call.Print("Blob Files\n" + std::string(kLine));
    for (const std::string& path : family.blobs) {
      call.Print(path + "\n" + std::string(kThinLine));
      PrintBlobFile(call, path, /*key_hex=*/false, /*value_hex=*/false);
      call.Print("\n");
    }
  }
  call.Print("\nWrite Ahead Log Files\n" + std::string(kLine));
  const auto wals = ReportWals(call.file_system(), call.path);
  if (!wals.ok()) return Failed("", wals.status());
  for (const WalSegment& wal : wals->segments) {
    const std::string path = call.path + "/" + wal.name;
    call.Print(path + "\n");
    RETURN_IF_ERROR(PrintWal(call, path, {}));
  }
  return Status::Ok();
}

Status ListLiveFiles(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kRead));
  ASSIGN_OR_RETURN(const std::vector<LiveFamily> families, LiveFilesOf(call));
  if (call.line.Has("sort_by_filename")) {
    std::set<std::pair<std::string, std::string>> lines;  // Of a path, what is said of it.
    for (const LiveFamily& family : families) {
      const std::string of = ", column family '" + family.name + "'\n";
      for (size_t level = 0; level < family.tables.size(); ++level) {
        for (const std::string& path : family.tables[level]) {
          lines.emplace(path, " : level " + std::to_string(level) + of);
        }
      }
      for (const std::string& path : family.blobs) lines.emplace(path, of);
    }
    call.Print("Live SST and Blob Files:\n");
    for (const auto& [path, text] : lines) call.Print(path + text);
  } else {
    for (const LiveFamily& family : families) {
      call.Print("===== Column Family: " + family.name + " =====\nLive SST Files:\n");
      for (size_t level = 0; level < family.tables.size(); ++level) {
        call.Print("---------- level " + std::to_string(level) + " ----------\n");
        for (const std::string& path : family.tables[level]) call.Print(path + "\n");
      }
      call.Print("Live Blob Files:\n");
      for (const std::string& path : family.blobs) call.Print(path + "\n");
    }
  }
  call.Print(kThinLine);
  return Status::Ok();
}

Status DumpChecksums(Call& call) {
  if (const auto path = call.line.Value("path"); path && call.path.empty()) call.path = *path;
  struct Checksum {
    std::string function, value;
  };
  std::map<FileNumber, Checksum> stored;
  // As ldb: the order of the lines is that of this table's buckets.
  std::unordered_map<FileNumber, Checksum> live;
  auto timeline = ManifestTimeline::Open(call.file_system(), call.path);
  if (!timeline.ok()) return Failed("", timeline.status());
  while (true) {
    const auto report = timeline->Next();
    if (!report.ok()) return Failed("", report.status());
    if (!*report) break;
    for (const auto& added : (*report)->edit.new_files) {
      stored[added.file.number] = {added.file.file_checksum_function, added.file.file_checksum};
    }
    for (const auto& blob : (*report)->edit.blob_additions) {
      stored[blob.number] = {blob.checksum_method, blob.checksum_value};
    }
  }
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) return Failed("", lsm.status());
  const auto blobs = LiveBlobFiles(call);
  if (!blobs.ok()) return Failed("", blobs.status());
  for (const FamilyReport& family : lsm->families) {
    for (const LevelReport& level : family.levels) {
      for (const FileReport& file : level.files) live.emplace(file.number, stored[file.number]);
    }
    const auto of_family = blobs->find(family.name);
    if (of_family == blobs->end()) continue;
    for (const FileNumber number : of_family->second) live.emplace(number, stored[number]);
  }
  for (const auto& [number, of] : live) {
    const std::string function = of.function.empty() ? "Unknown" : of.function;
    const std::string value = call.line.Has("hex") ? HexWord(of.value) : of.value;
    call.Print(std::to_string(number) + ", " + function + ", " + std::string(AsCString(value)) +
               "\n");
  }
  call.Print("Print SST file checksum information finished \n");
  return Status::Ok();
}

Status ListRangeDeletions(Call& call) {
  ASSIGN_OR_RETURN(const std::optional<int> max_keys, call.line.Number("max_keys"));
  constexpr int kUsually = 1000;
  int left = max_keys.value_or(kUsually);
  RETURN_IF_ERROR(call.Open(Access::kRead));
  if (left <= 0) {
    call.Print("\n");
    return Status::Ok();
  }
  const std::string name = call.line.Value("column_family").value_or("default");
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) return Failed("", lsm.status());
  const FamilyReport* const family = lsm->Find(name);
  if (family == nullptr) return Failed("Non-existing column family " + name);
  std::string text;
  for (const LevelReport& level : family->levels) {
    for (const FileReport& file : level.files) {
      if (left <= 0) break;
      const std::string path = call.path + "/" + file.name;
      ASSIGN_OR_RETURN(const Fragments fragments, RangeDeletionsOf(call, path));
      text += "=== file : " + path + " ===\n" + fragments.Text(&left);
    }
  }
  if (left <= 0) text += "(results may not be complete)\n";
  call.Print(text + "\n");
  return Status::Ok();
}

}  // namespace varve::cli::ldb
