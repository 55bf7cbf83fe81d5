// SPDX-License-Identifier: Apache-2.0
// A CompactionService whose worker is a function of this process, called while the engine waits:
// what a worker does wrong can be put between the two.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/durable.h"
#include "varve/compaction_service.h"
#include "varve/file_system.h"

namespace varve {

class TestService : public CompactionService {
 public:
  explicit TestService(const Environment& env) { worker.env = env; }

  std::string_view name() const override { return "test"; }
  Status Schedule(const CompactionServiceJob& job) override {
    ++scheduled;
    return before ? before(job) : Status::Ok();
  }
  Result<bool> Wait(const CompactionServiceJob& job, uint64_t /*micros*/) override {
    if (!works) return false;
    last = sends ? Send(job) : RunCompactionJob(worker, job.path).status();
    if (after) after(job);
    return true;
  }
  void Cancel(const CompactionServiceJob& /*job*/) override { ++cancelled; }

  FileSystem& fs() const { return *worker.env.file_system; }
  // Lets `change` change the result before the engine sees it.
  void ChangeResult(std::function<void(RemoteResult*)> change) {
    after = [this, change = std::move(change)](const CompactionServiceJob& job) {
      const std::string path = JoinPath(job.folder, "RESULT");
      auto bytes = ReadFileToString(fs(), path, kRemoteFileMax);
      REQUIRE(bytes.ok());
      auto result = DecodeRemoteResult(path, *bytes);
      REQUIRE(result.ok());
      change(&*result);
      REQUIRE(ReplaceFileDurably(fs(), path + ".x", path, EncodeRemoteResult(*result)).ok());
    };
  }

  // As a transport does that carries bytes.
  Status Send(const CompactionServiceJob& job) {
    const auto bytes = ReadFileToString(fs(), job.path, kRemoteFileMax);
    REQUIRE(bytes.ok());
    std::string result = "of an earlier job";
    const Status done = RunSentCompactionJob(worker, *bytes, &result).status();
    if (result.empty()) return done;
    const std::string path = JoinPath(job.folder, "RESULT");
    REQUIRE(ReplaceFileDurably(fs(), path + ".y", path, result).ok());
    return done;
  }

  CompactionWorkerOptions worker;
  std::function<Status(const CompactionServiceJob&)> before;
  std::function<void(const CompactionServiceJob&)> after;
  bool works = true;
  bool sends = false;
  Status last;
  int scheduled = 0, cancelled = 0;
};

}  // namespace varve
