// SPDX-License-Identifier: Apache-2.0
// The OPTIONS file of an open database (db-format section 6): what the database keeps of its
// options, for itself and for RocksDB's tools.
//
//   created           everything that it is created with
//   opened            read, and completes what the caller gives (format/options/kept_options.h);
//                     written only where RocksDB's tools could not do without what is missing
//   SetOptions, StoreOptions, families created and dropped      written
//
// A change is written to a new file before it takes effect, so what is effective is never lost; the
// file before the newest is left, as RocksDB does.
//
// The MANIFEST says which families there are. RocksDB's tools refuse a newest file that lists
// others, and read where it lacks some. So, whenever power fails, it lists no family too many:
//
//   created    OPTIONS-n.dbtmp written   MANIFEST   renamed to OPTIONS-n
//   dropped    OPTIONS-n without it      MANIFEST
//
// and a family that it lacks is found in the unfinished file, or in the one before.
//
// Thread-safe where nothing else is required, but for what is done before other threads know the
// database (EngineContext::AssertNotShared): loading, and notes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/mutex.h"
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

  // Writes the first OPTIONS file of a database that is about to be created. Before CURRENT names
  // a MANIFEST: once there is a database, it has its options.
  static Status Create(const EngineContext& context);

  // Reads the newest file that can be read and completes `options`, the database's own. A database
  // opens without one, so what is wrong with it is only a note. But whoever writes by the options
  // that the database keeps must know them: a file that cannot be read for the moment (permission,
  // I/O) is the error then.
  Status Load(Options* options);

  // Completes the options of each family that something is kept for, in options->families.
  void CompleteFamilies(Options* options);
  // What is kept of a family; null if there is nothing.
  const OptionsSection* KeptOf(std::string_view family) const {
    context_.AssertNotShared();
    return sections_.Of(family).family;
  }
  // Whether what is kept of a family says what its merge operator is, or that it has none.
  bool SaysMergeOperatorOf(std::string_view family) const REQUIRES(options_mutex) {
    const OptionsSection* const kept = sections_.Of(family).family;
    return kept != nullptr && kept->Find("merge_operator") != nullptr;
  }

  // What is kept, but for the families of the database: exactly these.
  OptionsFile FileOf(std::span<const FamilyNames> families) const REQUIRES(options_mutex);
  // Makes `file` the newest OPTIONS file, under `number`, unless it says what the newest one says.
  // A failure leaves the newest one as it was.
  Status Write(OptionsFile file, FileNumber number) REQUIRES(options_mutex);
  // The same in two steps, around the MANIFEST record that makes `file` true. Between them it
  // counts for families only that the newest file does not list. So the second cannot fail: what is
  // not renamed now counts as it is, and is written again with the next change or opening.
  Status Prepare(const OptionsFile& file, FileNumber number) REQUIRES(options_mutex);
  void Commit(OptionsFile file, FileNumber number) REQUIRES(options_mutex);
  // What was prepared and is needed no more. After the first Write() of an opening.
  void RemoveUnfinished() REQUIRES(options_mutex);
  bool empty() const REQUIRES(options_mutex) { return kept_.sections.empty(); }
  // There is a newer file than the one that could be read.
  bool unreadable() const REQUIRES(options_mutex) { return unreadable_; }

  void Note(std::string sentence);
  std::vector<std::string> TakeNotes();

  // Held while files are written, and while what they say takes effect.
  Mutex& mutex() RETURN_CAPABILITY(options_mutex) { return mutex_; }

 private:
  std::vector<OptionsFileEntry> Files() const;  // Newest first.
  void Keep(OptionsFile file) REQUIRES(options_mutex);
  void RemoveAllBut(FileNumber newest) REQUIRES(options_mutex);
  void NoteAll(const std::vector<std::string>& sentences) REQUIRES(options_mutex);

  const EngineContext& context_;
  Mutex mutex_;
  std::string name_ GUARDED_BY(options_mutex);  // Of the newest file that could be read.
  OptionsFile file_ GUARDED_BY(options_mutex);  // What it says.
  OptionsFile kept_ GUARDED_BY(options_mutex);  // The same, and families that only others list.
  FamilySections sections_ GUARDED_BY(options_mutex);  // Of kept_.
  bool unreadable_ GUARDED_BY(options_mutex) = false;
  // Is the newest file what file_ says? A write of another has failed.
  bool uncertain_ GUARDED_BY(options_mutex) = false;
  std::vector<std::string> notes_ GUARDED_BY(options_mutex);
};

}  // namespace varve
