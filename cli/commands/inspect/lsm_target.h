// SPDX-License-Identifier: Apache-2.0
// Shared by the commands about levels and files: the target and the selection of its files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/target.h"

namespace varve::cli {

// A database or a MANIFEST: RequireKind() of core/inspect/target.h.
Result<TargetKind> RequireLsm(const std::string& target);
Result<LsmReport> ReadLsm(const std::string& target, const LsmQuery& query);

// For verbs that show what can be read of a damaged MANIFEST: Corruption names the damage.
Status CheckManifest(const std::string& target);
// The same of the MANIFEST beside a log, if `target` is a database; otherwise success.
Status CheckManifestBeside(const std::string& target);

// InvalidArgument that lists the families there are.
Status CheckFamily(const LsmReport& report, const std::optional<std::string>& family);
Status NoSuchFamily(const std::string& family, const std::string& where,
                    const std::vector<std::string>& there);

// The value of --edits, "17..25".
Result<std::pair<uint64_t, uint64_t>> ParseEditRange(std::string_view text);

struct FileSelection {
  std::optional<std::string> family;
  std::optional<uint64_t> level;
  std::optional<std::string> from, to;  // Files with a key in [from, to), in the family's order.
  std::string order_by = "key";         // "key", "number", "size", "age", "overlap".
};
// InvalidArgument if none of the families has the level.
Status CheckLevel(const LsmReport& report, const FileSelection& selection);
std::vector<const FileReport*> SelectFiles(const FamilyReport& family, const LevelReport& level,
                                           const FileSelection& selection);

}  // namespace varve::cli
