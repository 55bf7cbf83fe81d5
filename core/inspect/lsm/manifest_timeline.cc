// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/manifest_timeline.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/current_file.h"

namespace varve {
namespace {

BoundReport ReportBound(const std::string& encoded) {
  const std::optional<InternalKey> key = DecodeInternalKey(encoded);
  if (!key) return {encoded, 0, "unknown"};
  return {std::string(key->user_key), key->sequence, std::string(ValueTypeName(key->type))};
}

bool OnlyMoves(const VersionEdit& edit) {
  if (edit.new_files.size() != edit.deleted_files.size()) return false;
  std::vector<FileNumber> left, arrived;
  for (const auto& deleted : edit.deleted_files) left.push_back(deleted.number);
  for (const auto& added : edit.new_files) arrived.push_back(added.file.number);
  std::sort(left.begin(), left.end());
  std::sort(arrived.begin(), arrived.end());
  return left == arrived;
}

std::pair<std::string, std::string> SplitPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

EditKind KindOfEdit(const VersionEdit& edit) {
  if (edit.add_family) return EditKind::kAddFamily;
  if (edit.drop_family) return EditKind::kDropFamily;
  if (edit.new_files.empty()) {
    return edit.deleted_files.empty() ? EditKind::kCounters : EditKind::kDeletion;
  }
  if (!edit.deleted_files.empty()) {
    return OnlyMoves(edit) ? EditKind::kTrivialMove : EditKind::kCompaction;
  }
  // LevelDB's snapshot is one edit with the comparator, RocksDB's comes before any counter.
  if (!edit.next_file_number || edit.comparator) return EditKind::kSnapshot;
  return edit.log_number ? EditKind::kFlush : EditKind::kIngestion;
}

Result<ManifestPlace> FindManifest(FileSystem& fs, const std::string& target) {
  if (fs.Exists(JoinPath(target, kCurrentFileName))) {
    ASSIGN_OR_RETURN(const FileNumber number, ReadCurrent(fs, target));
    return ManifestPlace{target, number, JoinPath(target, ManifestFileName(number))};
  }
  if (!fs.Exists(target)) return Status::NotFound(target + ": no such file or directory");
  const auto [directory, name] = SplitPath(target);
  const std::optional<FileName> parsed = ParseFileName(name);
  const bool numbered = parsed && parsed->kind == FileKind::kManifest;
  return ManifestPlace{directory, numbered ? parsed->number : 0, target};
}

FileReport ReportDescription(const FileDescription& file, int level) {
  FileReport report;
  report.number = file.number;
  report.name = TableFileName(file.number);
  report.level = level;
  report.size = file.size;
  report.smallest = ReportBound(file.smallest);
  report.largest = ReportBound(file.largest);
  report.smallest_sequence = file.smallest_sequence;
  report.largest_sequence = file.largest_sequence;
  report.epoch = file.epoch;
  report.creation_time = file.creation_time;
  report.oldest_ancestor_time = file.oldest_ancestor_time;
  if (file.unique_id[0] != 0 || file.unique_id[1] != 0) {
    report.unique_id = Hex(file.unique_id[0], 16) + Hex(file.unique_id[1], 16);
  }
  report.path_id = file.path_id;
  report.marked_for_compaction = file.marked_for_compaction;
  return report;
}

Result<ManifestTimeline> ManifestTimeline::Open(FileSystem& fs, const std::string& target) {
  ASSIGN_OR_RETURN(ManifestPlace place, FindManifest(fs, target));
  ASSIGN_OR_RETURN(std::unique_ptr<ManifestScanner> scanner, ManifestScanner::Open(fs, place.path));
  return ManifestTimeline(std::move(place), std::move(scanner));
}

Result<std::optional<EditReport>> ManifestTimeline::Next() {
  ASSIGN_OR_RETURN(std::optional<ManifestRecord> record, scanner_->Next());
  if (!record) return std::optional<EditReport>();
  EditReport report;
  report.number = record->index + 1;
  report.offset = record->offset;
  report.size = record->end_offset - record->offset;
  report.edit = std::move(record->edit);
  const VersionEdit& edit = report.edit;
  report.kind = KindOfEdit(edit);
  if (edit.add_family) families_[edit.family] = *edit.add_family;
  if (const auto it = families_.find(edit.family); it != families_.end())
    report.family = it->second;
  for (const VersionEdit::NewFile& added : edit.new_files) {
    report.added.push_back(ReportDescription(added.file, added.level));
    report.added.back().added_by = report.number;
    report.added_bytes += added.file.size;
  }
  return std::optional(std::move(report));
}

std::vector<std::string> ManifestTimeline::Families() const {
  std::vector<std::string> names;
  for (const auto& [id, name] : families_) names.push_back(name);
  return names;
}

}  // namespace varve
