// SPDX-License-Identifier: Apache-2.0
// A drawn database as files in memory: written from a drawing, and drawn from what lies there. The
// notation is that of tests/snapshot/drawings/README.md.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/fs/memory_fs.h"
#include "core/table/cache/table_cache.h"
#include "core/version/file_metadata.h"
#include "tests/unit/engine/drawing_text.h"
#include "varve/db.h"

namespace varve {

class DrawnFiles {
 public:
  // `options`: the families' order and merge operator, and how tables are made.
  explicit DrawnFiles(const Options& options);

  // The lines of a drawing but for its options. Once.
  void Write(const std::vector<std::string>& lines);
  // Levels and tables that no level has; with `logs`, what the logs hold, too.
  std::string Draw(bool logs);
  // The edits of the present MANIFEST that were not drawn before, one a line.
  std::string DrawNewEdits();
  void ForgetEdits() { edits_drawn_ = 0; }  // All count as not drawn.
  std::string DrawLogs();

  FileSystem& fs() { return *fs_; }
  const std::string& directory() const { return directory_; }
  void MoveTo(const std::string& directory);
  // The files as they are now, elsewhere: what a process leaves that dies at this moment.
  void CopyTo(const std::string& directory);
  // A table for ingestion.
  std::string WriteIngestible(const std::vector<DrawnEntry>& entries);
  // "log", "log:5", "manifest", "current", "table:10", "options": a path. `log`: the newest with
  // bytes.
  std::string PathOf(const std::string& word);

  // A number as it was drawn; those that are new are A, B, ... in the order in which they are
  // named.
  std::string NameOf(FileNumber number);

 private:
  struct DrawnFamily {
    ColumnFamilyId id = 0;
    std::string name = "default";
    std::optional<uint64_t> log_number;
    VersionEdit tables;
  };

  void TakeLine(const std::string& line);
  void TakeTable(const std::string& line);
  void TakeLog(const std::string& line);
  void TakeFamily(const std::string& line);
  void TakeEdit(const std::string& line);
  void WriteManifest();
  // "13 ingested [a..f): entries" in the directory.
  FileDescription WriteTable(const std::string& line);
  void CutBounds(const std::string& range, FileDescription* table) const;
  ColumnFamilyId FamilyId(const std::string& name) const;
  std::string FamilyName(ColumnFamilyId id) const;
  void NoteNumber(FileNumber number);
  std::string FileText(const FileMetadata& file, TableCache* tables);
  std::string LogText(uint64_t number);
  std::string BatchText(std::string_view batch);
  std::string EditText(const VersionEdit& edit);
  std::vector<std::string> Names(const std::string& directory);

  const Options& options_;
  const std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
  std::string directory_ = "db";

  // The drawing that is being written.
  std::vector<DrawnFamily> families_ = {{}};
  std::map<FileNumber, FileDescription> loose_tables_;
  std::vector<VersionEdit> edits_;
  uint64_t next_epoch_ = 1'000'000;  // Level 0 is drawn newest first.
  std::set<uint64_t> logs_;
  FileNumber next_file_number_ = 2;
  Sequence last_sequence_ = 0;

  std::set<FileNumber> drawn_;
  std::map<FileNumber, std::string> new_names_;
  FileNumber manifest_drawn_ = 0;  // Whose edits were drawn,
  uint64_t edits_drawn_ = 0;       // and how many of them.
  int ingestible_ = 0;
};

}  // namespace varve
