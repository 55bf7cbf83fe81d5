// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/inspect/lsm_target.h"

#include <algorithm>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/environment.h"

namespace varve::cli {

Result<TargetKind> RequireLsm(const std::string& target) {
  return RequireKind(*NativeEnvironment().file_system, target, "neither a database nor a MANIFEST",
                     {TargetKind::kDatabase, TargetKind::kManifest});
}

Result<LsmReport> ReadLsm(const std::string& target, const LsmQuery& query) {
  RETURN_IF_ERROR(RequireLsm(target).status());
  return ReportLsm(*NativeEnvironment().file_system, target, query);
}

Status CheckManifest(const std::string& target) {
  return ReportLsm(*NativeEnvironment().file_system, target).status();
}

Status CheckManifestBeside(const std::string& target) {
  ASSIGN_OR_RETURN(const TargetKind kind, IdentifyTarget(*NativeEnvironment().file_system, target));
  return kind == TargetKind::kDatabase ? CheckManifest(target) : Status::Ok();
}

Status CheckFamily(const LsmReport& report, const std::optional<std::string>& family) {
  if (!family || report.Find(*family) != nullptr) return Status::Ok();
  std::vector<std::string> names;
  for (const FamilyReport& there : report.families) names.push_back(there.name);
  return NoSuchFamily(*family, " at edit " + std::to_string(report.edit), names);
}

Status NoSuchFamily(const std::string& family, const std::string& where,
                    const std::vector<std::string>& there) {
  std::string names;
  for (const std::string& name : there) {
    names += (names.empty() ? "" : ", ") + EscapeForDisplay(name);
  }
  return Status::InvalidArgument("there is no column family '" + EscapeForDisplay(family) + "'" +
                                 where + ", but " + names);
}

Status CheckLevel(const LsmReport& report, const FileSelection& selection) {
  size_t levels = 0;
  for (const FamilyReport& family : report.families) {
    if (!selection.family || family.name == *selection.family) {
      levels = std::max(levels, family.levels.size());
    }
  }
  if (!selection.level || *selection.level < levels) return Status::Ok();
  return Status::InvalidArgument("there is no level " + std::to_string(*selection.level) +
                                 "; the last is " + std::to_string(levels - 1));
}

Result<std::pair<uint64_t, uint64_t>> ParseEditRange(std::string_view text) {
  const size_t dots = text.find("..");
  std::optional<uint64_t> from, to;
  if (dots != std::string_view::npos) {
    from = ParseDecimal(text.substr(0, dots));
    to = ParseDecimal(text.substr(dots + 2));
  }
  if (!from || !to) {
    return Status::InvalidArgument("--edits: expected two edits, 17..25, not '" +
                                   std::string(text) + "'");
  }
  if (*from > *to) {
    return Status::InvalidArgument("--edits: " + std::string(text) + " ends before it begins");
  }
  return std::pair(*from, *to);
}

std::vector<const FileReport*> SelectFiles(const FamilyReport& family, const LevelReport& level,
                                           const FileSelection& selection) {
  std::vector<const FileReport*> files;
  if (selection.level && *selection.level != static_cast<uint64_t>(level.level)) return files;
  const Comparator* order = OrderOf(family);
  if (order == nullptr) order = BytewiseComparator();
  for (const FileReport& file : level.files) {
    if (selection.from && order->Compare(file.largest.key, *selection.from) < 0) continue;
    if (selection.to && order->Compare(file.smallest.key, *selection.to) >= 0) continue;
    files.push_back(&file);
  }
  const auto by = [&files](auto key) {
    std::stable_sort(files.begin(), files.end(),
                     [&](const FileReport* a, const FileReport* b) { return key(*a) < key(*b); });
  };
  const std::string& order_by = selection.order_by;
  if (order_by == "number") by([](const FileReport& f) { return f.number; });
  if (order_by == "size") by([](const FileReport& f) { return ~f.size; });  // Largest first.
  if (order_by == "age") by([](const FileReport& f) { return f.creation_time; });
  if (order_by == "overlap") {
    by([](const FileReport& f) { return f.overlap ? ~f.overlap->bytes : ~uint64_t{0}; });
  }
  return files;
}

}  // namespace varve::cli
