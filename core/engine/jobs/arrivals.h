// SPDX-License-Identifier: Apache-2.0
// Arrivals are the tables of one ingestion on their way into the directory:
//
//   copy or link -> verify every entry      several tables at a time, as the executor has threads
//     -> sort the tables of each family -> sync names
//
// Reading all tables takes most of the time of an ingestion, and needs no lock. One thread uses an
// Arrivals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/engine/engine.h"
#include "core/engine/jobs/table_candidate.h"
#include "varve/options.h"
#include "varve/status.h"

namespace varve {

// Calls bring(i) for each i below `count`, several at a time, as the executor has threads. The
// error is that of the first one that fails, by their order: after it, some are not called.
Status BringEach(Executor* executor, size_t count, const std::function<Status(size_t)>& bring);

// Has `bring` make the table of this number of that at `source`. InvalidArgument if `source` is a
// file of the database itself; the table is there nevertheless.
Status BringFrom(FileSystem& fs, const std::string& source, FileNumber number,
                 const std::function<Status()>& bring);

class Arrivals {
 public:
  // The tables of one family.
  struct OfFamily {
    Family* family = nullptr;
    std::vector<TableCandidate> tables;  // Ascending, unless they overlap: then as they were given.
    bool overlap = false;                // Only level 0 can have them all.
  };

  // `options` must outlive it.
  Arrivals(Engine* engine, const IngestOptions& options);
  ~Arrivals();  // Removes what it brought, unless Keep() was called.
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Adds tables to be brought, at least one. Each family once.
  void Expect(Family* family, const std::vector<std::string>& paths);
  // Brings them all. If some are refused, the error is that of the first of them, by their order.
  Status Bring();

  // Something refers to the files: they stay.
  void Keep() { kept_ = true; }
  const std::vector<OfFamily>& families() const { return families_; }

 private:
  struct Table {
    std::string source;
    size_t family;  // In families_.
    FileNumber number;
    Result<TableCandidate> candidate;
  };

  std::string PathOf(const Table& table) const;
  Result<TableCandidate> BringOne(const Table& table);
  Status Report(uint64_t bytes) EXCLUDES(reporting_);
  Status CheckGoingOn() const;  // kShutdown once it was cancelled.
  Status Sort(OfFamily* arrived) const;

  Engine* const engine_;
  FileSystem& fs_;
  const IngestOptions& options_;
  std::vector<Table> tables_;
  std::vector<OfFamily> families_;
  bool kept_ = false;
  Mutex reporting_;  // Of options_.verified, which is called by one thread at a time.
};

}  // namespace varve
