// SPDX-License-Identifier: Apache-2.0
// Opens the database that a command works on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments/parameters.h"
#include "cli/output/console.h"
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
// --accept-loss, for commands that write.
void DeclareConsent(Parameters& parameters, EngineFlags* flags);
Result<Options> MakeOptions(const EngineFlags& flags);
// Sets each NAME=VALUE of `words` in turn, then validates all options together.
Status ApplyOptions(const std::vector<std::string>& words, Options* options);
// "; did you mean 'compression'?" for an unknown option name.
std::string LikelyOption(const std::string& name);

// Neither locks nor writes. Reports on standard error what recovery left out. Fails as
// RequireDatabase() (core/inspect/target.h) does.
Result<std::unique_ptr<DB>> OpenForReading(Console& console, const std::string& path,
                                           const EngineFlags& flags);
// Without --accept-loss, damage in a log is an error.
Result<std::unique_ptr<DB>> OpenForWriting(Console& console, const std::string& path,
                                           const EngineFlags& flags, bool create_if_missing);

// For commands that read files of a database without opening it: tells the console if damage in the
// logs makes the data partial.
void NoteRecovery(Console& console, const std::string& path);

// Whether there is no database at `path` yet, so that --create makes it.
bool IsNew(const std::string& path);
// Checks the name of a new database's family: only the default family is possible. Called before
// any file is created.
Status CheckNewFamily(const std::string& name);
// InvalidArgument listing the existing families.
Result<ColumnFamilyId> FamilyNamed(const DB& db, const std::string& name);

// The snapshot to read at: now, or at `sequence` (without what compaction has dropped).
Result<Snapshot> SnapshotFor(DB& db, std::optional<uint64_t> sequence);

}  // namespace varve::cli
