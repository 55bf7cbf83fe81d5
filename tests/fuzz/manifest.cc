// SPDX-License-Identifier: Apache-2.0
// A MANIFEST: edits are written as they were read, and the replay of recovery, the reports of edits
// and the layout agree about where it can be read.
#include <string>
#include <string_view>

#include "core/base/bytes/byte_writer.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/format/manifest/version_edit.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/version/manifest_reader.h"
#include "tests/fuzz/mend_log.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

const std::string kDirectory = "db", kPath = "db/MANIFEST-000005";

// What is never written.
VersionEdit Written(VersionEdit edit) {
  edit.wal_additions.clear();
  edit.wal_deleted_below.reset();
  edit.compact_cursors.clear();
  edit.skipped_tags.clear();
  // LevelDB's form is not written either: only its numbers are known.
  for (auto& [level, file] : edit.new_files) file.sequences_known = true;
  return edit;
}

void WriteAgain(const VersionEdit& edit) {
  const VersionEdit written = Written(edit);
  std::string bytes;
  EncodeVersionEdit(written, &bytes);
  const auto again = DecodeVersionEdit(bytes);
  MustBeOk(again.status(), "an edit that was written");
  Must(*again == written, "an edit is written as it was read");
}

// How many edits there are before the end or damage; *status says which.
uint64_t Scan(FileSystem& fs, Status* status) {
  const auto scanner = ManifestScanner::Open(fs, kPath);
  MustBeOk(scanner.status(), kPath);
  ManifestReplay replay({});
  Status applied;
  for (uint64_t edits = 0;; ++edits) {
    const auto record = (*scanner)->Next();
    *status = record.status();
    if (!record.ok() || !*record) return edits;
    WriteAgain((*record)->edit);
    if (applied.ok()) applied = replay.Apply((*record)->edit);
    if (applied.ok()) applied = replay.State(nullptr).status();
  }
}

uint64_t ListEdits(FileSystem& fs, Status* status) {
  auto timeline = ManifestTimeline::Open(fs, kPath);
  MustBeOk(timeline.status(), kPath);
  for (uint64_t edits = 0;; ++edits) {
    const auto edit = timeline->Next();
    *status = edit.status();
    if (!edit.ok() || !*edit) return edits;
  }
}

std::string WithHeader(std::string_view magic, std::string_view body) {
  constexpr uint32_t kVersion = 1;
  std::string file(magic);
  AppendFixed32(&file, kVersion);
  AppendFixed32(&file, Mask(ComputeCrc32c(body)).value);
  return file.append(body);
}

// The same bytes as the body of a job or result of a compaction by another process.
void ReadAsRemote(std::string_view bytes) {
  if (auto job = DecodeRemoteJob("job", WithHeader("VARVEJOB", bytes)); job.ok()) {
    job->files = Written(job->files);
    const auto again = DecodeRemoteJob("again", EncodeRemoteJob(*job));
    MustBeOk(again.status(), "a job that was written");
    Must(*again == *job, "a job is written as it was read");
  }
  if (auto result = DecodeRemoteResult("result", WithHeader("VARVERES", bytes)); result.ok()) {
    result->edit = Written(result->edit);
    const auto again = DecodeRemoteResult("again", EncodeRemoteResult(*result));
    MustBeOk(again.status(), "a result that was written");
    Must(*again == *result, "a result is written as it was read");
  }
}

void Run(std::string_view bytes) {
  ReadAsRemote(bytes);
  const auto fs = NewMemoryFileSystem();
  MustBeOk(fs->CreateDirectory(kDirectory), kDirectory);
  WriteFile(*fs, kPath, bytes);
  WriteFile(*fs, kDirectory + "/CURRENT", "MANIFEST-000005\n");
  Status scanned, listed;
  const uint64_t edits = Scan(*fs, &scanned);
  Must(ListEdits(*fs, &listed) == edits && scanned.code() == listed.code(),
       "reports list the edits that are read");
  const auto recovered = ReadManifest(*fs, kDirectory, {}, nullptr);
  if (recovered.ok()) {
    MustBeOk(scanned, "a MANIFEST that is recovered can be read");
    Must(recovered->edits == edits, "recovery takes all edits");
  }
  MustTile(*fs, kPath, LogKind::kManifest);
}

}  // namespace

const Target manifest = {"manifest", Run, ChangeLog};

}  // namespace varve::fuzz
