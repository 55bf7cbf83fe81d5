// SPDX-License-Identifier: Apache-2.0
#include "cli/advice.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "core/inspect/target.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

bool IsLevelDbTable(std::string_view name) { return name.ends_with(".ldb"); }

std::string Try(std::string_view verb, const std::string& path) {
  return "varve " + std::string(verb) + " " + EscapeForDisplay(path) +
         " --dry-run says what can be saved";
}

// `db repair` supports RocksDB's tables, but not LevelDB's.
std::string AdviceOnLevelDb(const std::string& directory, std::string_view message) {
  std::string own = "LevelDB's own RepairDB is for its databases";
  std::string_view name = message.substr(0, message.find_first_of("@:"));
  if (!IsLevelDbTable(name)) return own;
  name.remove_prefix(name.find_last_of('/') + 1);  // All of it stays if there is none.
  return own + "; " + Try("sst salvage", directory + "/" + std::string(name));
}

}  // namespace

std::string AdviceOnDamage(const std::string& target, std::string_view message) {
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto entries = fs.List(target);
  if (!entries.ok()) {
    const auto kind = IdentifyTarget(fs, target);
    return kind.ok() && *kind == TargetKind::kTable ? Try("sst salvage", target) : "";
  }
  const bool leveldb =
      std::any_of(entries->begin(), entries->end(),
                  [](const DirectoryEntry& entry) { return IsLevelDbTable(entry.name); });
  return leveldb ? AdviceOnLevelDb(target, message) : Try("db repair", target);
}

std::string AdviceOnMergeOperator(std::string_view message) {
  if (message.find("has no merge operator") == std::string_view::npos) return "";
  return "--option merge_operator=NAME gives it one for this command, "
         "'varve db set-options' for all";
}

}  // namespace varve::cli
