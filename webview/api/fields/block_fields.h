// SPDX-License-Identifier: Apache-2.0
// Blocks of a table and their entries, for documents and tables on a terminal; defined in
// webview/api/resources/blocks.cc.
#pragma once

#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<BlockReport>& BlockFields();

// An entry in the form of its kind of block.
struct EntryOfBlock {
  const BlockContents& contents;
  const BlockEntryReport& entry;
  std::optional<uint64_t> blocks = {};  // Of an entry that leads to an index partition.

  bool is_opaque() const { return contents.values == BlockContents::Values::kOpaque; }
  std::optional<std::string_view> value() const {
    return is_opaque() ? std::optional(entry.value) : std::nullopt;
  }
  std::optional<HandleReport> handle() const {
    if (is_opaque()) return std::nullopt;
    return HandleReport{entry.handle.offset, entry.handle.size};
  }
  std::optional<std::string_view> first_key() const {
    const bool there =
        contents.values == BlockContents::Values::kIndex && contents.index.has_first_key;
    return there ? std::optional(entry.first_key) : std::nullopt;
  }
};
const Fields<EntryOfBlock>& BlockEntryRowFields();

}  // namespace varve::api
