// SPDX-License-Identifier: Apache-2.0
// Runs drawings: a database drawn in text, operations on it, and the drawing of what it is then.
// The notation and the operations are explained in tests/snapshot/drawings/README.md. Files are in
// memory, and jobs run when somebody waits for them, so that the same text makes the same shapes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/engine/engine.h"
#include "core/engine/read/db_iterator.h"
#include "tests/unit/engine/drawing_files.h"

namespace varve {

class DrawnDatabase {
 public:
  using Words = std::vector<std::string>;
  // An operation that the engine does not have: its words behind the verb; returns the answer.
  using Extra = std::function<std::string(DrawnDatabase& database, const Words& words)>;
  using Extras = std::map<std::string, Extra>;

  // `setup`: the drawing before, options first.
  DrawnDatabase(const std::vector<std::string>& setup, const Extras& extras);
  ~DrawnDatabase();

  // What it answers: "", or lines.
  std::string Run(const std::string& operation);
  std::string Draw();

  DrawnFiles& files() { return files_; }
  const Environment& env() const { return options_.env; }
  void Close();

 private:
  struct Read;

  // --- operations; each returns its answer
  std::string Open(const Words& words);
  std::string Write(const Words& words, Durability durability);
  std::string Flush(const Words& words);
  std::string Compact(const Words& words);
  std::string Get(const Words& words);
  std::string Scan(const Words& words);
  std::string NewIterator(const Words& words);
  std::string Move(const Words& words);
  std::string Ingest(const Words& words);
  std::string Set(const Words& words);
  std::string Damage(const std::string& verb, const Words& words);

  Engine& engine();
  Family& FamilyOf(const std::string& name);
  // Takes "at SNAPSHOT", "of FAMILY", "b..f" and "prefix=p" out of the words.
  Read ReadOf(Words* words);
  std::string MemoryText();

  Options options_;
  InlineExecutor executor_;
  DrawnFiles files_;
  const Extras& extras_;
  std::unique_ptr<Engine> engine_;
  bool read_only_ = false;
  std::map<std::string, Snapshot> snapshots_;
  std::map<std::string, std::unique_ptr<DbIterator>> iterators_;
};

// Runs every case of tests/snapshot/drawings/<subject>.txt, and fails where a drawing or an answer
// is another one. VARVE_UPDATE_SNAPSHOTS=1 rewrites the file with what comes out.
void CheckDrawings(const std::string& subject, const DrawnDatabase::Extras& extras = {});

}  // namespace varve
