// SPDX-License-Identifier: Apache-2.0
// The verbs of ldb, one function each, defined in the file that is named; verb_table.cc lists them
// with their options.
#pragma once

#include <span>
#include <string_view>

#include "cli/ldb/call.h"
#include "varve/status.h"

namespace varve::cli::ldb {

struct Verb {
  std::string_view name;
  std::string_view arguments;  // For the help.
  std::string_view options;    // Its own, with spaces between; all verbs of a kind have more.
  enum class Kind : uint8_t {
    kUsual,
    kWithoutDatabase,  // Needs no --db.
    kFamilies,         // Takes --db alone.
  } kind;
  Status (*run)(Call&);
};

std::span<const Verb> VerbTable();
// Null: there is none of that name.
const Verb* FindVerb(std::string_view name);
// Empty, or which option or flag it does not take, as ldb says it.
std::string WhyNotTaken(const Verb& verb, const CommandLine& line);

// read_verbs.cc
Status Get(Call& call);
Status MultiGet(Call& call);
Status Scan(Call& call);
Status Query(Call& call);
Status ApproximateSize(Call& call);
// dump_verbs.cc
Status Dump(Call& call);
Status DumpInternal(Call& call);
// write_verbs.cc
Status Put(Call& call);
Status BatchPut(Call& call);
Status Delete(Call& call);
Status SingleDelete(Call& call);
Status DeleteRange(Call& call);
Status Load(Call& call);
Status WriteTable(Call& call);
Status IngestTable(Call& call);
// file_verbs.cc
Status DumpManifest(Call& call);
Status DumpWal(Call& call);
Status DumpLiveFiles(Call& call);
Status ListLiveFiles(Call& call);
Status DumpChecksums(Call& call);
Status ListRangeDeletions(Call& call);
// admin_verbs.cc
Status ListFamilies(Call& call);
Status CreateFamily(Call& call);
Status DropFamily(Call& call);
Status Compact(Call& call);
Status ReduceLevels(Call& call);
Status ChangeCompactionStyle(Call& call);
Status CheckConsistency(Call& call);
Status Checkpoint(Call& call);
Status Repair(Call& call);
Status GetProperty(Call& call);
Status Refused(Call& call);

}  // namespace varve::cli::ldb
