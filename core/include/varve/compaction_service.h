// SPDX-License-Identifier: Apache-2.0
// Compactions by other processes, on this machine or on others that reach the same files.
//
//   engine   writes a job (a small file) -> Schedule() -> Wait()* -> verifies and installs its
// result
//   worker   RunCompactionJob(): reads the tables that the job names, and writes others beside it
//
// A worker reads no MANIFEST and changes no file of the database, so it may be killed at any time,
// and what it wrote in vain is removed by the engine. The engine reads every new table before it
// installs it. It cannot tell whether a worker has left out entries on purpose: trust a worker as
// you trust the process of the database.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varve/environment.h"
#include "varve/export.h"
#include "varve/result.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

class Comparator;
class CompactionFilterFactory;
class MergeOperator;

// A compaction for a CompactionService.
struct CompactionServiceJob {
  std::string id = {};       // Never used twice; letters, digits and '-'.
  std::string folder = {};   // Of this job, in the directory of the database.
  std::string path = {};     // The job file, in `folder`: what RunCompactionJob() takes.
  std::string family;        // Name of the column family.
  uint64_t input_bytes = 0;  // Of the tables to be read.
};

// Brings jobs to workers: Options::custom_compaction_service. It carries no data: workers read and
// write files. Thread-safe: one thread for each job calls Schedule(), Wait() until that job has
// ended, and then Cancel(). Must outlive every DB that uses it, and may be shared by several. Must
// not throw, and not call a DB that uses it.
class VARVE_EXPORT CompactionService {
 public:
  virtual ~CompactionService() = default;  // No DB may use it any more.
  // For messages. Valid as long as the service.
  virtual std::string_view name() const = 0;
  // Lets a worker begin, soon. An error: no worker will.
  virtual Status Schedule(const CompactionServiceJob& job) = 0;
  // Waits up to `micros` for the worker of that job. True: it has ended, and left a result in the
  // folder of the job. False: it has not yet. An error: it ended without a result, or never will
  // have one.
  virtual Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) = 0;
  // The engine does not wait for that job any more: it has the result, or wants none. Called once
  // for each job for which Schedule() was. A worker that is still at it should be stopped; if it
  // goes on, nothing is made of what it writes.
  virtual void Cancel(const CompactionServiceJob& job) = 0;
  // A database was opened: the ids of its jobs begin with `prefix`. Those of earlier openings,
  // which a crash left behind, are to be forgotten.
  // Defined here for the reason given at Comparator::FindShortestSeparator().
  virtual void Sweep([[maybe_unused]] std::string_view prefix) {}
};

// Puts jobs into `folder`, which must exist, as files ID.job, until workers that watch it
// (RunFirstCompactionJob(), or `varve compact-worker --watch`) have done them. `env`: null members
// are those of NativeEnvironment(); must outlive it.
VARVE_EXPORT std::unique_ptr<CompactionService> NewFolderCompactionService(
    const Environment& env, const std::string& folder);
// Runs `command` by /bin/sh for each job, with the path of the job file, quoted, in place of
// {job}; at the end if there is no {job}. It has to run `varve compact-worker` with that path,
// here or elsewhere (ssh, kubectl, srun), and to end with 0 once there is a result. Cancel() sends
// SIGTERM to its process group, then SIGKILL. NotSupported from Schedule() where there are no
// processes.
VARVE_EXPORT std::unique_ptr<CompactionService> NewCommandCompactionService(
    const Environment& env, const std::string& command);

// Sends each job to `url`, "http://HOST:PORT", where `varve compact-worker --listen` answers with
// the result; the tables are in storage that both see. `token_file` has, in its first line, what
// the worker expects as a token, and may be read by its owner only; empty: none is sent.
// NotSupported from Schedule() or Wait() where libcurl is not installed.
VARVE_EXPORT std::unique_ptr<CompactionService> NewHttpCompactionService(
    const Environment& env, const std::string& url, const std::string& token_file);

// How a worker does a job. All objects must outlive the call.
struct CompactionWorkerOptions {
  Environment env = {};  // Null members: those of NativeEnvironment().
  // The directory of the database, where the worker sees it; empty: as the job says.
  std::string directory = {};
  // Objects that jobs may name, besides the built-in ones.
  std::vector<const Comparator*> comparators = {};
  std::vector<const MergeOperator*> merge_operators = {};               // By their names.
  std::vector<const CompactionFilterFactory*> compaction_filters = {};  // By their names.
  int max_subcompactions = 0;                    // Threads for one job; 0: as the job says.
  const std::atomic<bool>* cancelled = nullptr;  // Once true, it gives up soon. May be null.
  // Called now and then by any thread, with bytes of inputs: what was read so far, and all.
  std::function<void(uint64_t read, uint64_t total)> progress = {};
};

// What a worker did.
struct CompactionWorkerReport {
  std::string id;               // Of the job.
  std::string family;           // Name of the column family.
  int input_level = 0;          // Tables of the levels from this one
  int output_level = 0;         // to this one became tables of the last of them.
  uint64_t input_tables = 0;    // Tables that were merged.
  uint64_t input_bytes = 0;     // Of them.
  uint64_t input_entries = 0;   // In them, range deletions included.
  uint64_t output_tables = 0;   // New tables.
  uint64_t output_bytes = 0;    // Of them.
  uint64_t output_entries = 0;  // In them.
  uint64_t micros = 0;          // How long it took.
};

// Does the job of the file at `path`: writes tables into a new folder beside it, and when they are
// on stable storage a result, which also tells of a failure. Reads only tables that the job names,
// and verifies their sizes, their unique ids, and the checksums of all their blocks. On failure
// none of its files remains but that result.
//   kBusy          there is a result already
//   kShutdown      it was cancelled; there is no result, and another worker may begin
//   kNotFound      the job, or the folder for the tables, is gone: nobody waits for it
//   kNotSupported  a comparator, merge operator or compaction filter that is not registered
//   kCorruption    the job or a table is damaged
// Any thread.
VARVE_EXPORT Result<CompactionWorkerReport> RunCompactionJob(const CompactionWorkerOptions& options,
                                                             const std::string& path);
// The same for transports that carry the bytes of the job file, and those of the result, which
// *result gets: also of a failure, but nothing if the job cannot be read, is over, or was
// cancelled. The tables are written as above. A CompactionService has to write *result to the file
// RESULT in CompactionServiceJob::folder. Any thread.
VARVE_EXPORT Result<CompactionWorkerReport> RunSentCompactionJob(
    const CompactionWorkerOptions& options, std::string_view job, std::string* result);
// Does the first job in `folder` that no other worker is at: the id that sorts first. `*found` is
// false if there was none. A worker that dies lets another one begin.
VARVE_EXPORT Result<CompactionWorkerReport> RunFirstCompactionJob(
    const CompactionWorkerOptions& options, const std::string& folder, bool* found);

}  // namespace varve
