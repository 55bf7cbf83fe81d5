// SPDX-License-Identifier: Apache-2.0
#include "core/repair/manifest_remains.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/format/file_name.h"
#include "core/repair/empty_family.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

// Detects a MANIFEST that was cut between two records, by tables with later numbers. (A job that a
// crash interrupted leaves such tables as well; they only duplicate entries of others.)
bool HasNewerTables(const SourceFiles& files, const DatabaseState& state) {
  return files.tables.lower_bound(state.counters.next_file_number) != files.tables.end();
}

void NoteLive(ManifestRemains* remains) {
  for (const FamilyState& family : remains->state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        CHECK(file != nullptr);
        remains->live[file->number()] = {family.id, level, file};
      }
    }
  }
}

// Options that give the comparator of the repair to the families that name it.
Options WithComparator(const DatabaseState& state, const Comparator* comparator) {
  Options options;
  if (comparator == nullptr) return options;
  for (const FamilyState& family : state.families.all()) {
    if (family.comparator == nullptr && family.comparator_name == comparator->name()) {
      options.families[family.name].comparator = comparator;
    }
  }
  return options;
}

// The tables that edits have removed, those of dropped families included.
class DeletedTables {
 public:
  void Apply(const VersionEdit& edit) {
    std::set<FileNumber>& of_family = of_families_[edit.family];
    for (const VersionEdit::DeletedFile& file : edit.deleted_files) deleted_.insert(file.number);
    for (const VersionEdit::NewFile& added : edit.new_files) {
      deleted_.erase(added.file.number);
      of_family.insert(added.file.number);
    }
    if (!edit.drop_family) return;
    deleted_.merge(of_family);
    of_families_.erase(edit.family);
  }
  std::set<FileNumber> Take() { return std::move(deleted_); }

 private:
  std::set<FileNumber> deleted_;
  std::map<ColumnFamilyId, std::set<FileNumber>> of_families_;  // All that they ever had.
};

// Reads the edits before the damage for deleted tables and family names.
void ReadPrefix(FileSystem& fs, const std::string& directory, FileNumber number,
                const SourceFiles& files, const Comparator* comparator, const Options& options,
                ManifestRemains* remains) {
  const std::string name = ManifestFileName(number);
  auto scanner = ManifestScanner::Open(fs, JoinPath(directory, name));
  if (!scanner.ok()) return;
  ManifestReplay replay{options};
  uint64_t edits = 0;
  DeletedTables deleted;
  for (;;) {
    const auto record = (*scanner)->Next();
    if (!record.ok() || !*record || !replay.Apply((*record)->edit).ok()) break;
    ++edits;
    deleted.Apply((*record)->edit);
  }
  auto state = replay.State(nullptr);
  if (!state.ok() || edits == 0) return;
  const Options named = WithComparator(*state, comparator);
  if (!named.families.empty()) {
    return ReadPrefix(fs, directory, number, files, comparator, named, remains);
  }
  remains->text += "; " + std::to_string(edits) + " edits of " + name + " could be read";
  remains->state = *std::move(state);
  remains->deleted = deleted.Take();
  remains->tables_follow |= HasNewerTables(files, remains->state);
  NoteLive(remains);
}

}  // namespace

Result<ManifestRemains> ReadManifestRemains(FileSystem& fs, const std::string& directory,
                                            const SourceFiles& files,
                                            const Comparator* comparator) {
  ManifestRemains remains;
  auto read = ReadManifest(fs, directory, Options(), nullptr);
  if (read.ok()) {
    const Options named = WithComparator(read->state, comparator);
    if (!named.families.empty()) read = ReadManifest(fs, directory, named, nullptr);
  }
  if (read.status().code() == Code::kIoError) {
    return Status::IoError(std::string(read.status().message()) +
                           "; move it out of the directory to repair without it");
  }
  if (read.ok()) {
    remains.text = ManifestFileName(read->number) + ": " + std::to_string(read->edits) + " edits";
    remains.tables_follow = HasNewerTables(files, read->state);
    if (!remains.tables_follow) {
      remains.whole = true;
      remains.state = std::move(read->state);
      NoteLive(&remains);
      return remains;
    }
    remains.text += ", but there are tables that are newer than it: its end is lost";
  } else {
    remains.text = std::string(read.status().message());
  }
  const auto current = ReadCurrent(fs, directory);
  const std::optional<FileNumber> newest = current.ok() ? *current : files.newest_manifest;
  if (newest) ReadPrefix(fs, directory, *newest, files, comparator, Options(), &remains);
  if (remains.state.families.size() == 0) {
    remains.state.families.Add(
        EmptyFamily(kDefaultColumnFamilyId, "default",
                    comparator != nullptr ? *comparator : *BytewiseComparator()));
  }
  return remains;
}

}  // namespace varve
