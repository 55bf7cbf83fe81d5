// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

Status AtOdds(std::string_view first, std::string_view why, std::string_view second) {
  return Status::InvalidArgument(std::string(first) + " " + std::string(why) + " " +
                                 std::string(second));
}

// More cannot be named in a MANIFEST.
constexpr size_t kPathsMax = 4;

Status CheckPaths(std::string_view name, const std::vector<DbPath>& paths,
                  const ColumnFamilyOptions& family) {
  if (paths.size() > kPathsMax) {
    return Status::NotSupported(std::string(name) + ": has " + std::to_string(paths.size()) +
                                " paths, and at most four are supported");
  }
  for (const DbPath& path : paths) {
    if (path.path.empty()) return Status::InvalidArgument(std::string(name) + ": an empty path");
  }
  if (paths.size() > 1 && family.compaction_style != CompactionStyle::kLevel) {
    return AtOdds(name, "of several directories need", "compaction_style kCompactionStyleLevel");
  }
  return Status::Ok();
}

// Checks that involve several options.
Status CheckFamily(const ColumnFamilyOptions& family) {
  if (family.level0_slowdown_writes_trigger < family.level0_file_num_compaction_trigger) {
    return AtOdds("level0_slowdown_writes_trigger", "is below",
                  "level0_file_num_compaction_trigger");
  }
  if (family.level0_stop_writes_trigger < family.level0_slowdown_writes_trigger) {
    return AtOdds("level0_stop_writes_trigger", "is below", "level0_slowdown_writes_trigger");
  }
  const uint64_t hard = family.hard_pending_compaction_bytes_limit;
  if (hard != 0 && family.soft_pending_compaction_bytes_limit > hard) {
    return AtOdds("soft_pending_compaction_bytes_limit", "is above",
                  "hard_pending_compaction_bytes_limit");
  }
  if (family.num_levels < 2 && family.compaction_style == CompactionStyle::kLevel) {
    return AtOdds("num_levels", "must be 2 or more for", "compaction_style kCompactionStyleLevel");
  }
  if (family.universal.max_merge_width < std::max(family.universal.min_merge_width, 2u)) {
    return AtOdds("compaction_options_universal.max_merge_width", "is below", "min_merge_width");
  }
  RETURN_IF_ERROR(CheckPaths("cf_paths", family.cf_paths, family));
  if (family.blobs.enabled && family.comparator != nullptr &&
      family.comparator->timestamp_size() != 0) {
    return Status::NotSupported("enable_blob_files of keys with timestamps");
  }
  if (family.table.partition_filters && family.table.index_type != IndexType::kTwoLevel) {
    return AtOdds("partition_filters", "needs", "index_type kTwoLevelIndexSearch");
  }
  return Status::Ok();
}

// A row accepts its own current value unless that is out of range.
Status CheckRanges(const Options& options) {
  Options copy = options;
  for (const OptionRow& row : OptionTable()) RETURN_IF_ERROR(row.set(&copy, row.get(options)));
  return Status::Ok();
}

}  // namespace

Status ValidateOptions(const Options& options) {
  for (const std::string& name : options.chosen) {
    if (FindOption(name) == nullptr) {
      return Status::InvalidArgument("there is no option '" + EscapeForDisplay(name) + "'");
    }
  }
  RETURN_IF_ERROR(CheckRanges(options));
  RETURN_IF_ERROR(CheckFamily(options.family));
  RETURN_IF_ERROR(CheckPaths("db_paths", options.db_paths, options.family));
  Options one;
  for (const auto& [name, family] : options.families) {
    one.family = family;
    const std::string where = "column family \"" + EscapeForDisplay(name) + "\"";
    RETURN_IF_ERROR(CheckRanges(one).At(where));
    RETURN_IF_ERROR(CheckFamily(family).At(where));
  }
  return Status::Ok();
}

}  // namespace varve
