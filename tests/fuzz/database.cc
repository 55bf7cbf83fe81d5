// SPDX-License-Identifier: Apache-2.0
// The directory of a database (bundle.h): verification, reads and explanations give one answer
// (tests/answers), every report ends, looking changes nothing, and what repair makes is sound.
#include <memory>
#include <string>
#include <string_view>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "core/fs/read_only_fs.h"
#include "core/inspect/history/history.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/space/space.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/wal/recovery_report.h"
#include "core/inspect/wal/wal_report.h"
#include "core/version/blob_reader.h"
#include "tests/answers/questions.h"
#include "tests/fuzz/bundle.h"
#include "tests/fuzz/targets.h"
#include "varve/db.h"

namespace varve::fuzz {
namespace {

const std::string kPath = "db";

void Report(FileSystem& fs) {
  const auto lsm = ReportLsm(fs, kPath);
  ReportHistory(fs, kPath).status().Ignore("any bytes");
  ReportSpace(fs, kPath, {.delimiter = ':'}).status().Ignore("any bytes");
  ReportWals(fs, kPath).status().Ignore("any bytes");
  ReportRecovery(fs, kPath).status().Ignore("any bytes");
  ReportOptions(fs, kPath).status().Ignore("any bytes");
  if (!lsm.ok()) return;
  auto stream = EntryStream::OpenDatabase(fs, kPath, "default", {});
  StoredEntry entry;
  while (stream.ok() && stream->Next(&entry)) static_cast<void>(entry.key);
}

void VerifyBlobs(FileSystem& fs, const Bundle& bundle) {
  const BlobReader blobs(fs, kPath);
  for (const auto& [name, bytes] : bundle) {
    if (name == "000013.blob") blobs.Verify(13).status().Ignore("any bytes");
  }
}

// Opening for writing makes a database that can be read, or returns an error.
void OpenForWriting(FileSystem& fs) {
  InlineExecutor executor;
  Options options;
  options.env = NativeEnvironment();
  options.env.file_system = &fs;
  options.env.executor = &executor;
  const auto db = DB::Open(options, kPath);
  if (!db.ok()) return;
  (*db)->Put({}, "a key", "a value").Ignore("any bytes");
  (*db)->FlushAll().Ignore("any bytes");
  (*db)->CompactRange({}, std::nullopt, std::nullopt).Ignore("any bytes");
  (*db)->Close().Ignore("any bytes");
}

void Run(std::string_view bytes) {
  const Bundle bundle = Unpack(bytes);
  const auto fs = NewMemoryFileSystem();
  WriteBundle(bundle, *fs, kPath);
  const auto read_only = NewReadOnlyFileSystem(*fs);
  Judge judge(/*failures_shown=*/5);
  judge.Begin(kPath);
  CheckDatabase(*read_only, &judge);
  Report(*read_only);
  VerifyBlobs(*read_only, bundle);
  CheckRepaired(*fs, &judge);
  Must(judge.failures() == 0, "all ways of asking give one answer");
  OpenForWriting(*fs);
}

}  // namespace

const Target database = {"database", Run, ChangeBundle};

}  // namespace varve::fuzz
