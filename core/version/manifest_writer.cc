// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_writer.h"

#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/manifest/current_file.h"
#include "core/fs/durable.h"
#include "core/version/invariants.h"

namespace varve {

ManifestWriter::ManifestWriter(FileNumber number, std::unique_ptr<WritableFile> file)
    : number_(number), log_(std::move(file)) {}

Result<std::unique_ptr<ManifestWriter>> ManifestWriter::Create(FileSystem& fs,
                                                               const std::string& directory,
                                                               FileNumber number,
                                                               const DatabaseState& state,
                                                               std::span<const VersionEdit> edits) {
  CHECK_OP(number, <, state.counters.next_file_number);
  RETURN_IF_ERROR(CheckState(state).At("not written to a MANIFEST"));
  const std::string path = JoinPath(directory, ManifestFileName(number));
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, fs.Create(path, /*direct=*/false));
  std::unique_ptr<ManifestWriter> writer(new ManifestWriter(number, std::move(file)));
  const auto write = [&]() -> Status {
    for (const VersionEdit& edit : SnapshotEdits(state)) {
      RETURN_IF_ERROR(writer->AppendRecords({&edit, 1}));
    }
    writer->snapshot_size_ = writer->size();
    RETURN_IF_ERROR(writer->AppendRecords(edits));
    RETURN_IF_ERROR(writer->log_.Sync());
    return SyncDirectory(fs, directory);
  };
  if (Status status = write(); !status.ok()) {
    RemoveObsoleteFile(fs, path);  // CURRENT does not name it yet.
    return status;
  }
  // If this fails, CURRENT may name either MANIFEST, so the new one is kept.
  RETURN_IF_ERROR(ReplaceFileDurably(fs, JoinPath(directory, TemporaryFileName(number)),
                                     JoinPath(directory, kCurrentFileName),
                                     EncodeCurrentFile(number)));
  return writer;
}

Status ManifestWriter::Append(std::span<const VersionEdit> edits) {
  CHECK(!edits.empty());
  if (failed_) return Status::IoError(log_.path() + ": closed by an earlier failure");
  Status status = AppendRecords(edits);
  if (status.ok()) status = log_.Sync();
  failed_ = !status.ok();
  return status;
}

Status ManifestWriter::AppendRecords(std::span<const VersionEdit> edits) {
  if (edits.empty()) return Status::Ok();
  const bool grouped = edits.size() > 1 && !edits.front().add_family;
  std::string record;
  for (size_t i = 0; i < edits.size(); i++) {
    record.clear();
    if (edits.size() > 1) {
      CHECK(!grouped || !edits[i].add_family);
      CHECK(!edits[i].drop_family);
    }
    if (!grouped) {
      EncodeVersionEdit(edits[i], &record);
    } else {
      VersionEdit member = edits[i];
      member.atomic_group_remaining = static_cast<uint32_t>(edits.size() - 1 - i);
      EncodeVersionEdit(member, &record);
    }
    RETURN_IF_ERROR(log_.Append(record));
  }
  return Status::Ok();
}

bool ManifestWriter::NeedsRollover(uint64_t max_size) const {
  return failed_ || (size() > max_size && size() / 2 > snapshot_size_);
}

}  // namespace varve
