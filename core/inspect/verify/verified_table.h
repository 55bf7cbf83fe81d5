// SPDX-License-Identifier: Apache-2.0
// The table that verify_table.cc and its parts (verify_meta_blocks.h, value_check.h,
// point_index_check.h) look at, and where they report what they find.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"
#include "core/inspect/verify/findings.h"
#include "core/table/read/table_state.h"

namespace varve {

struct VerifiedTable {
  const TableReader& reader;
  const std::string name;
  const ExpectedTable expected;
  Findings& findings;
  // False for an unknown comparator: order, separators and filter cannot be checked.
  const bool ordered;

  const TableReader::Impl& parts() const { return reader.impl(); }

  void CountBlock(BlockHandle handle) const {
    ++findings.report().blocks;
    findings.report().bytes += handle.size + kBlockTrailerSize;
  }
  // Without an offset the error is about the table, with one about the block there.
  void Error(std::optional<uint64_t> offset, std::string what,
             std::optional<std::string> key_from = {},
             std::optional<std::string> key_to = {}) const {
    findings.Add({.layer = offset ? "block" : "table",
                  .file = name,
                  .offset = offset,
                  .what = std::move(what),
                  .key_from = std::move(key_from),
                  .key_to = std::move(key_to)});
  }

  // Whether the separator b sorts after a.
  template <typename Order>
  bool SeparatorsAscend(Order order, std::string_view a, std::string_view b) const {
    if (parts().index.encoding.user_keys) return order(a, b) < 0;
    const auto before = DecodeInternalKey(a), behind = DecodeInternalKey(b);
    return before && behind && CompareInternalKeys(order, *before, *behind) < 0;
  }
};

}  // namespace varve
