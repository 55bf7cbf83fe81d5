// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/approximate_size.h"

#include "core/base/keys/key_order.h"
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
  const VirtualOrder order{family->comparator};
  KeyRange range(from, to);
  if (prefix) {
    ASSIGN_OR_RETURN(range, KeyRange::OfPrefix(*family->comparator, *prefix));
  }
  // An open lower bound and a closed upper one are behind all versions of their key.
  const Sequence lower_sequence = range.lower_open() ? 0 : kMaxSequence;
  const Sequence upper_sequence = range.upper_closed() ? 0 : kMaxSequence;
  ApproximateSize size;
  for (int level = 0; level < family->version->num_levels(); ++level) {
    for (const FilePtr& file : family->version->files(level)) {
      const bool begins_before = range.IsBefore(order, file->smallest.user_key);
      const bool ends_behind = range.IsBehind(order, file->largest.user_key);
      if (range.IsBefore(order, file->largest.user_key)) continue;
      if (range.IsBehind(order, file->smallest.user_key)) continue;
      ++size.tables;
      if (!begins_before && !ends_behind) {
        size.bytes += file->size();
        continue;
      }
      ++size.opened;
      ASSIGN_OR_RETURN(const auto table, family->version->Open(*file));
      const uint64_t begin =
          begins_before ? table->ApproximateOffset(LookupKey(*range.lower(), lower_sequence)) : 0;
      const uint64_t end = ends_behind
                               ? table->ApproximateOffset(LookupKey(*range.upper(), upper_sequence))
                               : file->size();
      if (end > begin) size.bytes += end - begin;
    }
  }
  return size;
}

}  // namespace varve
