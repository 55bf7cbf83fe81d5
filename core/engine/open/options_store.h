// SPDX-License-Identifier: Apache-2.0
// The OPTIONS file of an open database (db-format section 6): the stored options, for the database
// itself and for RocksDB's tools.
//
//   created                    written, with everything that the database is created with
//   opened                     read, and completes the caller's options (kept_options.h); written
//                              only where RocksDB's tools could not do without what is missing
//   SetOptions, StoreOptions   written
//   families                   written when one is created or dropped
//
// A change is written to a new file before it takes effect, so an effective option is never lost;
// the previous file is kept, as RocksDB does.
//
// The MANIFEST decides which families exist. RocksDB's tools reject an OPTIONS file that lists
// other families, but accept one that lacks some. So at any time, even after power loss, the newest
// file lists no family that does not exist:
//
//   created    OPTIONS-n.dbtmp written   MANIFEST   renamed to OPTIONS-n
//   dropped    OPTIONS-n without it      MANIFEST
//
// A family that it lacks is found in the unfinished file, or in the previous one.
//
// Thread-safe unless noted otherwise, except loading and notes, which happen before other threads
// can access the database (EngineContext::AssertNotShared).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/engine/context.h"
#include "core/engine/locks.h"
#include "core/format/options/kept_options.h"
#include "core/format/options/options_file.h"
#include "core/format/options/options_update.h"
#include "core/version/kept_options_files.h"

namespace varve {

class OptionsStore {
 public:
  explicit OptionsStore(const EngineContext& context);

  // Writes the first OPTIONS file of a new database, before CURRENT names a MANIFEST: a database
  // always has its options.
  static Status Create(const EngineContext& context);

  // Reads the newest readable file and completes `options`, those of the database. A database opens
  // without one, so a problem with it is only a note. But a writer that uses the stored options
  // must know them: a file that is temporarily unreadable (permission, I/O) is then an error.
  Status Load(Options* options);

  // Completes the options of each family that has stored options, in options->families.
  void CompleteFamilies(Options* options);
  // The stored options of a family; null if there are none.
  const OptionsSection* KeptOf(std::string_view family) const {
    context_.AssertNotShared();
    return sections_.Of(family).family;
  }
  // Whether the stored options of a family say which merge operator it has, or that it has none.
  bool SaysMergeOperatorOf(std::string_view family) const REQUIRES(options_mutex) {
    const OptionsSection* const kept = sections_.Of(family).family;
    return kept != nullptr && kept->Find("merge_operator") != nullptr;
  }

  // The stored options, with exactly these families.
  OptionsFile FileOf(std::span<const FamilyNames> families) const REQUIRES(options_mutex);
  // Makes `file` the newest OPTIONS file, under `number`, unless it equals the newest one. A
  // failure leaves the newest one unchanged.
  Status Write(OptionsFile file, FileNumber number) REQUIRES(options_mutex);
  // Write() in two steps, around the MANIFEST record that makes `file` true. Between them `file` is
  // used only for families that the newest file lacks. So the second step cannot fail: a file that
  // could not be renamed is read as it is, and rewritten with the next change or opening.
  Status Prepare(const OptionsFile& file, FileNumber number) REQUIRES(options_mutex);
  void Commit(OptionsFile file, FileNumber number) REQUIRES(options_mutex);
  // Removes prepared files that are no longer needed. Call it after the first Write() of an
  // opening.
  void RemoveUnfinished() REQUIRES(options_mutex);
  bool empty() const REQUIRES(options_mutex) { return kept_.sections.empty(); }
  // There is a newer file than the one that could be read.
  bool unreadable() const REQUIRES(options_mutex) { return unreadable_; }

  void Note(std::string sentence);
  std::vector<std::string> TakeNotes();

  // Held while files are written, and while their contents take effect.
  Mutex& mutex() RETURN_CAPABILITY(options_mutex) { return mutex_; }

 private:
  std::vector<OptionsFileEntry> Files() const;  // Newest first.
  void Keep(OptionsFile file) REQUIRES(options_mutex);
  void RemoveAllBut(FileNumber newest) REQUIRES(options_mutex);
  void NoteAll(const std::vector<std::string>& sentences) REQUIRES(options_mutex);

  const EngineContext& context_;
  Mutex mutex_;
  std::string name_ GUARDED_BY(options_mutex);  // Of the newest file that could be read.
  OptionsFile file_ GUARDED_BY(options_mutex);  // Parsed contents of that file.
  // The same, plus families that only other files list.
  OptionsFile kept_ GUARDED_BY(options_mutex);
  FamilySections sections_ GUARDED_BY(options_mutex);  // Of kept_.
  bool unreadable_ GUARDED_BY(options_mutex) = false;
  // Whether the newest file may differ from file_, because a write failed.
  bool uncertain_ GUARDED_BY(options_mutex) = false;
  std::vector<std::string> notes_ GUARDED_BY(options_mutex);
};

}  // namespace varve
