// SPDX-License-Identifier: Apache-2.0
// Opening the database that a command is about.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/parameters.h"
#include "varve/db.h"

namespace varve::cli {

// --option NAME=VALUE (any row of varve/option_table.h) and --mem.
struct EngineFlags {
  std::vector<std::string> options;
  std::optional<uint64_t> memory;
  std::optional<uint64_t> cache;  // Of the block cache; otherwise a quarter of memory_bytes().

  uint64_t memory_bytes() const { return memory.value_or(uint64_t{256} << 20); }
  bool accept_loss = false;
};
void DeclareEngine(Parameters& parameters, EngineFlags* flags);
// --accept-loss, of those that write.
void DeclareConsent(Parameters& parameters, EngineFlags* flags);
Result<Options> MakeOptions(const EngineFlags& flags);
// Sets each NAME=VALUE of `words` in turn, then checks the whole.
Status ApplyOptions(const std::vector<std::string>& words, Options* options);
// "; did you mean 'compression'?" of a name that no option has.
std::string LikelyOption(const std::string& name);

// Neither locks nor writes. Says on standard error what recovery had to leave out. A path that is
// something else than a database is InvalidArgument that says what it is.
Result<std::unique_ptr<DB>> OpenForReading(Console& console, const std::string& path,
                                           const EngineFlags& flags);
// Damage in a log is refused without --accept-loss.
Result<std::unique_ptr<DB>> OpenForWriting(Console& console, const std::string& path,
                                           const EngineFlags& flags, bool create_if_missing);

// For whoever reads the files of a database without opening it: tells the console if recovery leaves
// out what damage in the logs hides.
void NoteRecovery(Console& console, const std::string& path);

// Is there no database yet at `path`, so that it is made with --create?
bool IsNew(const std::string& path);
// The one family that a new database has; what is wrong with another name is said before any file
// is made.
Status CheckNewFamily(const std::string& name);
// InvalidArgument that lists the families there are.
Result<ColumnFamilyId> FamilyNamed(const DB& db, const std::string& name);

// The moment to read at: now, or as of `sequence` (what compaction has not dropped of it).
Result<Snapshot> SnapshotFor(DB& db, std::optional<uint64_t> sequence);

// "1.5 GiB", for people.
std::string HumanBytes(uint64_t bytes);
// "12,345,678", for people.
std::string HumanCount(uint64_t count);

}  // namespace varve::cli
