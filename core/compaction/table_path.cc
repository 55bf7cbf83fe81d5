// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/table_path.h"

#include "core/base/check.h"

namespace varve {

uint32_t PathOfLevel(const ColumnFamilyOptions& options, int level) {
  CHECK(level >= 0);
  if (options.cf_paths.size() < 2) return 0;
  const auto last = static_cast<uint32_t>(options.cf_paths.size() - 1);
  uint32_t path = 0;
  auto room = static_cast<double>(options.cf_paths[0].target_size);
  auto size = static_cast<double>(options.max_bytes_for_level_base);
  for (int at = 0; path < last;) {
    if (size > room) {
      room = static_cast<double>(options.cf_paths[++path].target_size);
      continue;
    }
    if (at == level) return path;
    room -= size;
    if (at > 0) size *= options.max_bytes_for_level_multiplier;
    ++at;
  }
  return last;
}

const std::string& DirectoryOfPath(const ColumnFamilyOptions& options, uint32_t path_id,
                                   const std::string& directory) {
  if (options.cf_paths.empty()) return directory;
  CHECK_OP(path_id, <, options.cf_paths.size());
  return options.cf_paths[path_id].path;
}

}  // namespace varve
