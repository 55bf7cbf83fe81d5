// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/arguments/parser.h"
#include "cli/command.h"
#include "cli/ldb/properties.h"
#include "cli/ldb/text.h"
#include "cli/ldb/verbs.h"
#include "cli/run_command.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"

namespace varve::cli::ldb {
namespace {

// Runs a verb of varve without its output.
Status RunQuietly(const std::vector<std::string>& verb, const std::vector<std::string>& words) {
  size_t used = 0;
  const Command* const command = FindCommand(verb, &used);
  const std::unique_ptr<Invocation> invocation = command->make();
  Parameters parameters;
  invocation->Declare(parameters);
  RETURN_IF_ERROR(ParseWords(parameters, words));
  OutputOptions nowhere;
  nowhere.output_file = "/dev/null";
  ASSIGN_OR_RETURN(const auto console, Console::Create(nowhere));
  ASSIGN_OR_RETURN(const ExitCode code, invocation->Run(*console));
  if (code == kDone || code == kPartial) return Status::Ok();
  return Status::IoError("varve " + verb.front() + " ended with " + std::to_string(code));
}

// The deepest level of the default family that has tables, and one more.
Result<int> LevelsInUse(const Call& call) {
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) return Failed("", lsm.status());
  int levels = 0;
  for (const FamilyReport& family : lsm->families) {
    if (family.id != kDefaultColumnFamilyId) continue;
    for (const LevelReport& level : family.levels) {
      if (!level.files.empty()) levels = std::max(levels, level.level + 1);
    }
  }
  return levels;
}

Result<int> StyleOption(const Call& call, std::string_view age) {
  const std::string name = std::string(age) + "_compaction_style";
  ASSIGN_OR_RETURN(const std::optional<int> style, call.line.Number(name));
  if (style && (*style == 0 || *style == 1)) return *style;
  return Failed("Use --" + name + " to specify " + std::string(age) +
                " compaction style. Check ldb help for proper compaction style value.\n");
}

}  // namespace

Status ListFamilies(Call& call) {
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) {
    call.Say("Error in processing db " + call.path + " " + InRocksDbWords(lsm.status()));
    return Status::Ok();
  }
  std::string names;
  for (const FamilyReport& family : lsm->families) {
    names += (names.empty() ? "" : ", ") + std::string(AsCString(family.name));
  }
  call.Print("Column families in " + call.path + ": \n{" + names + "}\n");
  return Status::Ok();
}

Status CreateFamily(Call& call) {
  if (call.line.arguments.size() != 1) return Failed("new column family name must be specified");
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const auto options = call.db().OptionsOf(kDefaultColumnFamilyId);
  if (!options.ok()) return Failed("Fail to create new column family: ", options.status());
  const auto made = call.db().CreateColumnFamily(call.line.arguments[0], *options);
  if (!made.ok()) return Failed("Fail to create new column family: ", made.status());
  call.Print("OK\n");
  return Status::Ok();
}

Status DropFamily(Call& call) {
  if (call.line.arguments.size() != 1) {
    return Failed("The name of column family to drop must be specified");
  }
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const std::string& name = call.line.arguments[0];
  const std::optional<ColumnFamilyId> family = call.db().FindFamily(name);
  // ldb knows the families of a database with one alone by no name.
  if (!family || call.db().Families().size() == 1) {
    return Failed("Column family: " + name + " doesn't exist in db.");
  }
  const Status dropped = call.db().DropColumnFamily(*family);
  if (!dropped.ok()) return Failed("Fail to drop column family: ", dropped);
  call.Print("OK\n");
  return Status::Ok();
}

Status Compact(Call& call) {
  ASSIGN_OR_RETURN(const std::optional<std::string> from, call.KeyOption("from"));
  ASSIGN_OR_RETURN(const std::optional<std::string> to, call.KeyOption("to"));
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const Status compacted =
      call.db().CompactRange({.force_bottommost = true}, from, to, call.family());
  return compacted.ok() ? compacted : Failed("Compaction failed: ", compacted);
}

Status ReduceLevels(Call& call) {
  ASSIGN_OR_RETURN(const std::optional<int> wanted, call.line.Number("new_levels"));
  if (wanted.value_or(-1) <= 0) {
    return Failed(" Use --new_levels to specify a new level number\n");
  }
  if (*wanted <= 1) return Failed("Invalid number of levels.\n");
  ASSIGN_OR_RETURN(const int used, LevelsInUse(call));
  if (call.line.Has("print_old_levels")) {
    call.Print("The old number of levels in use is " + std::to_string(used) + "\n");
  }
  if (used <= *wanted) return Status::Ok();
  return NotImplemented("reduce_levels of a database with tables on level " +
                        std::to_string(used - 1));
}

Status ChangeCompactionStyle(Call& call) {
  ASSIGN_OR_RETURN(const int from, StyleOption(call, "old"));
  ASSIGN_OR_RETURN(const int to, StyleOption(call, "new"));
  if (from == to) {
    return Failed("Old compaction style is the same as new compaction style. Nothing to do.\n");
  }
  if (to == 0) {
    return Failed("Convert from universal compaction to level compaction. Nothing to do.\n");
  }
  return NotImplemented("change_compaction_style to universal compaction");
}

Status CheckConsistency(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kRead));
  const auto lsm = ReportLsm(call.file_system(), call.path);
  if (!lsm.ok()) return Failed("", lsm.status());
  if (!lsm->missing.empty()) return Failed("Corruption: missing file " + lsm->missing.front());
  if (!lsm->wrong_size.empty())
    return Failed("Corruption: Sst file size mismatch: " + lsm->wrong_size.front());
  call.Print("OK\n");
  return Status::Ok();
}

Status Checkpoint(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const Status made = call.db().Checkpoint(call.line.Value("checkpoint_dir").value_or(""));
  if (!made.ok()) return Failed("", made);
  call.Print("OK\n");
  return Status::Ok();
}

Status Repair(Call& call) {
  const Status repaired = RunQuietly({"db", "repair"}, {call.path, "--yes"});
  if (!repaired.ok()) return Failed("", repaired);
  call.Say("What was there is in " + call.path + ".damaged");
  call.Print("OK\n");
  return Status::Ok();
}

Status GetProperty(Call& call) {
  if (call.line.arguments.size() != 1) return Failed("property name must be specified");
  RETURN_IF_ERROR(call.Open(Access::kRead));
  const std::string& name = call.line.arguments[0];
  const auto text = PropertyText(call, name);
  if (!text.ok()) return Failed("", text.status());
  if (text->empty()) return Failed("failed to get property: " + name);
  call.Print(*text);
  return Status::Ok();
}

Status Refused(Call& call) { return NotImplemented(call.line.verb); }

}  // namespace varve::cli::ldb
