// SPDX-License-Identifier: Apache-2.0
// The layout of a table: its blocks in file order, and the contents of each (layout.h).
//
//   | data ... | filter partitions | filter index | index ... | properties | metaindex | footer |
//
// Blocks are found like readers do, starting at the footer. Unreferenced bytes are parts of their
// own. A damaged table is decoded as far as possible. Memory: 24 bytes per block, and one block at
// a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/inspect/layout.h"
#include "core/inspect/table/block_layout.h"
#include "core/inspect/table/table_parts.h"

namespace varve {

enum class TablePartKind : uint8_t {
  kData,
  kFilter,  // Full.
  kFilterPartition,
  kFilterIndex,  // The top level over filter partitions.
  kPerBlockFilter,
  kIndex,  // The only level or the top one.
  kIndexPartition,
  kPointIndex,
  kProperties,
  kDictionary,
  kRangeDeletions,
  kMetaindex,
  kMeta,  // Any other in the metaindex.
  kFooter,
  kUnreferenced,  // Not referenced by anything.
};
// "data", "filter", "filter_partition", "filter_index", ..., "unreferenced".
std::string_view TablePartName(TablePartKind kind);

struct TablePart {
  uint64_t offset = 0;
  uint64_t size = 0;  // With the block's trailer.
  TablePartKind kind = TablePartKind::kUnreferenced;

  bool is_block() const {
    return kind != TablePartKind::kFooter && kind != TablePartKind::kUnreferenced;
  }
  BlockHandle handle() const { return {offset, size - kBlockTrailerSize}; }  // Of a block.
};

class TableLayout {
 public:
  // NotFound, IoError; damage is part of the layout.
  static Result<std::unique_ptr<TableLayout>> Open(FileSystem& fs, const std::string& path);

  // They tile the file.
  const std::vector<TablePart>& parts() const { return parts_; }
  uint64_t file_size() const { return file_size_; }
  // Defects of the table as a whole, one line each.
  const std::vector<std::string>& problems() const { return problems_; }
  // The first of these as Corruption, or NotSupported for an unsupported format; Ok if there are
  // none. After an error, something not found may still be in the table.
  Status status() const;

  // The part's tree as stored: compressed data is not decompressed.
  LayoutNode Expand(const TablePart& part) const;
  // The tree of a block's decompressed payload, with offsets in that. The checksum is not verified:
  // Expand() shows whether it is wrong.
  Result<LayoutNode> ExpandDecoded(const TablePart& block) const;
  // The block that begins at `offset`, or null.
  const TablePart* Find(uint64_t offset) const;
  // How the entries of a key/value block read; nullopt for other kinds.
  std::optional<BlockContents> ContentsOf(TablePartKind kind) const;
  // The part's bytes in the file; or a block's decompressed payload, as for ExpandDecoded().
  Result<std::string> Stored(const TablePart& part) const;
  Result<std::shared_ptr<const Block>> Decoded(const TablePart& block) const;
  // Requires is_implemented().
  const TableParts& table() const {
    VARVE_CHECK(is_implemented());
    return *table_;
  }
  // If false, the file is one part, and `problems` say why.
  bool is_implemented() const { return table_ != nullptr; }

 private:
  TableLayout() = default;
  const RandomAccessFile& file() const { return table_ ? table_->file() : *unsupported_file_; }
  Status CheckSize(const TablePart& part) const;
  void Collect();
  void CollectIndex();
  void CollectFilter();
  void Add(BlockHandle handle, TablePartKind kind);
  void Tile();
  void LayOut(std::string_view payload, TablePartKind kind, LayoutNode* parent) const;
  LayoutNode ExpandBlock(const TablePart& part, std::string_view stored) const;
  LayoutNode ExpandFooter(const TablePart& part, std::string_view stored) const;

  std::string path_;
  uint64_t file_size_ = 0;
  std::unique_ptr<TableParts> table_;                   // Null: not of a supported format; then
  std::unique_ptr<RandomAccessFile> unsupported_file_;  // its bytes can be read.
  std::vector<TablePart> parts_;
  std::vector<std::string> problems_;
};

}  // namespace varve
