// SPDX-License-Identifier: Apache-2.0
// SpaceMeter classifies every entry of a range of keys, newest version of a key first: live,
// shadowed or a tombstone, as of now. Pure: no I/O.
//
//   newest version   a put          live; all older ones are shadowed
//                    a deletion     a tombstone; all older ones are shadowed
//                    operands       live; the next older version is classified the same way
//   under a newer range deletion    shadowed, and so are all older ones
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/format/internal_key.h"
#include "core/inspect/space/space.h"

namespace varve {

enum class SpaceKind : uint8_t { kLive, kShadowed, kTombstone };

class SpaceMeter {
 public:
  // Results are added to *family: totals, slices, prefixes, runs.
  SpaceMeter(const SpaceOptions& options, SpaceFamily* family)
      : options_(options), family_(*family) {}

  SpaceKind Add(const InternalKey& key, std::string_view value, bool covered);
  void AddRangeDeletion(std::string_view begin, std::string_view end, SpaceTotals* level);
  // Ends the range; the next one may begin anywhere.
  void Finish();

 private:
  void BeginKey(std::string_view user_key);
  void Return(std::string_view user_key);
  SpaceKind Classify(ValueType type, bool covered);
  SpacePrefix* PrefixOf(std::string_view user_key);
  void EndRun(std::optional<std::string> before);
  void PrunePrefixes(size_t keep);

  const SpaceOptions& options_;
  SpaceFamily& family_;
  std::optional<std::string> user_key_;
  bool hidden_ = false;    // Older versions of this key are hidden.
  bool returned_ = false;  // A scan returns this key.
  SkipRun run_;
  std::optional<std::string> last_returned_;
};

}  // namespace varve
