// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/approximate_size.h"

#include "core/base/keys/key_range.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/table/cache/table_cache.h"
#include "core/version/database_files.h"

namespace varve {
namespace {

constexpr uint64_t kSizesCacheBytes = 1 << 20;  // Of index blocks.

}  // namespace

Result<ApproximateSize> MeasureRange(FileSystem& fs, const std::string& path,
                                     const std::string& family_name,
                                     const std::optional<std::string>& from,
                                     const std::optional<std::string>& to,
                                     const std::optional<std::string>& prefix) {
  TableCache tables(fs, path, std::make_shared<ClockCache>(kSizesCacheBytes), /*max_open_files=*/1,
                    /*direct_reads=*/false);
  ASSIGN_OR_RETURN(const DatabaseFiles files, ReadAndHoldFiles(fs, path, &tables));
  RETURN_IF_ERROR(files.CheckTables());
  const FamilyState* const family = files.manifest.state.families.Find(family_name);
  if (family == nullptr) {
    return Status::InvalidArgument(path + ": there is no column family '" +
                                   EscapeForDisplay(family_name) + "'");
  }
  if (family->comparator == nullptr && (from || to || prefix)) {
    return UnknownOrder("column family " + EscapeForDisplay(family_name), family->comparator_name);
  }
  KeyRange range(from, to);
  if (prefix) {
    ASSIGN_OR_RETURN(range, KeyRange::OfPrefix(*family->comparator, *prefix));
  }
  return MeasureTables(*family->version, range);
}

}  // namespace varve
