// SPDX-License-Identifier: Apache-2.0
// A database of the browser, in memory or stored, on the only thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/db.h"
#include "varve/file_system.h"
#include "varve/snapshot.h"
#include "varve/types.h"
#include "webview/api/engine/engine_live.h"

namespace varve::wasm {

// One thread.
class Playground {
 public:
  // `options`: one NAME=VALUE per line, as for `varve --option`.
  static Result<std::unique_ptr<Playground>> Open(const Environment& environment,
                                                  const std::string& path,
                                                  const std::string& options);

  DB& db() { return *db_; }
  const std::string& path() const { return path_; }
  api::LiveEngine* live() { return &live_; }

  struct Change {
    std::string_view kind;    // "put", "delete", "single_delete", "merge" or "range_delete".
    std::string_view family;  // Its name.
    std::string_view key;
    std::string_view value;  // Of a range deletion: its end.
  };
  // Does not run compactions: due ones wait for Step(). Busy if so many are due that the engine
  // would slow down the writer.
  Status Write(const Change& change);
  // A family with the options of the default one.
  Status CreateFamily(const std::string& name);
  // Adds a table of these records, in ascending order, to the family.
  Status Ingest(std::string_view family,
                const std::vector<std::pair<std::string_view, std::string_view>>& records);

  // What the database is now can be read at that sequence number until it is released.
  Sequence TakeSnapshot();
  void ReleaseSnapshot(Sequence sequence);

  Status Close();
  // Runs one flush or compaction that is due; false: none is.
  static bool Step();

 private:
  Playground(std::string path, std::unique_ptr<DB> db, Clock& clock)
      : path_(std::move(path)), db_(std::move(db)), live_(*db_, clock) {}

  Result<ColumnFamilyId> FamilyOf(std::string_view name) const;

  const std::string path_;
  const std::unique_ptr<DB> db_;
  std::multimap<Sequence, Snapshot> snapshots_;
  api::EngineLive live_;
};

// Writes a repaired database of what is in `path` into `destination`; returns what became of it,
// for people.
Result<std::string> RepairPlayground(const Environment& environment, const std::string& path,
                                     const std::string& destination);
// Writes files into the directory of a database that is not open, one after the other, piece by
// piece: those of a stored database do not fit into memory.
class FilesGiven {
 public:
  // `offset`: what the file has already; 0 begins it.
  Status Add(const Environment& environment, const std::string& path, const std::string& name,
             uint64_t offset, std::string_view bytes);
  // Before the database is opened.
  Status Close();

 private:
  std::string name_;
  std::unique_ptr<WritableFile> file_;  // The one that was begun last.
};
// Up to that many bytes; fewer at the end of the file.
Result<std::string> ReadPlaygroundFile(const Environment& environment, const std::string& path,
                                       uint64_t offset, uint32_t size);
// For a closed database: removes its directory and the files in it.
Status RemovePlayground(const Environment& environment, const std::string& path);

}  // namespace varve::wasm
