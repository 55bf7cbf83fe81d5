// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/inspect/verify/verified_table.h"

namespace varve {

// Checks that each value of a table can be decoded, also those in blob files.
class ValueCheck {
 public:
  explicit ValueCheck(const VerifiedTable& table) : table_(table) {}

  // What is wrong with the value of the entry at byte `offset` of the data block, if it is damaged.
  // What could not be checked or read is reported here.
  std::optional<std::string> Damage(const InternalKey& key, std::string_view value,
                                    BlockHandle block, uint64_t offset);

 private:
  bool IsInReportedBlobFile(const InternalKey& key, std::string_view value);

  const VerifiedTable& table_;
  std::set<FileNumber> reported_blob_files_;
  bool unsupported_values_ = false;
};

}  // namespace varve
