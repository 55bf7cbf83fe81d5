// SPDX-License-Identifier: Apache-2.0
// TableParts is a table that may be damaged, with the parts that could be read. If the table can be
// opened it has all of them; otherwise each is read separately, and errors are losses in the
// report.
//
// For salvage.cc and table_layout.cc. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/inspect/table/damaged_table.h"
#include "core/table/read/table_state.h"

namespace varve {

class TableParts {
 public:
  static Result<std::unique_ptr<TableParts>> Open(FileSystem& fs, const std::string& path,
                                                  const TableContext& context,
                                                  std::vector<SalvageLoss>* losses);

  const RandomAccessFile& file() const { return table().fetcher.file(); }
  uint64_t file_size() const { return table().fetcher.file_size(); }
  const Footer& footer() const { return table().fetcher.footer(); }
  const TableProperties& properties() const { return table().properties; }
  bool has_properties() const { return table().has_properties; }
  const std::string& comparator_name() const { return table().comparator_name; }
  bool comparator_assumed() const { return comparator_assumed_; }
  const std::vector<RangeTombstone>& tombstones() const { return table().raw_tombstones; }
  bool tombstones_read() const { return tombstones_read_; }
  SalvageOrigin Origin() const;

  bool bare_keys() const { return table().bare_keys; }
  const Metaindex& metaindex() const { return table().metaindex; }
  const IndexReader& index() const { return table().index; }
  // Requires a table that can be opened.
  const FilterReader& filter() const { return table().filter; }
  const BlockFetcher& fetcher() const { return table().fetcher; }
  bool footer_guessed() const { return footer_guessed_; }
  // Visits every data block in the readable parts of the index. False if some parts are not
  // readable.
  bool WalkIndex(const std::function<void(BlockHandle, std::string_view separator)>& block,
                 const std::function<void(BlockHandle, const Status&)>& unreadable) const;
  std::optional<std::string> SeparatorUserKey(std::string_view separator) const;
  // The limit of the data blocks.
  uint64_t EndOfData() const;

  // For a block found by scanning: it may be the missing metaindex or properties.
  void Notice(BlockHandle block);
  void TakeTombstones(const Block& block);

  Result<std::shared_ptr<const Block>> ReadData(BlockHandle handle) const;
  // The block's raw bytes without checksum verification; empty if they cannot be decompressed.
  std::string UnverifiedData(BlockHandle handle) const;
  // Whether a block found by scanning has the entries of a data block.
  bool IsData(const Block& block) const;
  bool ParseKey(std::string_view stored, InternalKey* out) const {
    return ParseStoredKey(stored, table().bare_keys, out);
  }
  InternalKey Effective(const InternalKey& stored) const {
    const Sequence global = table().global_sequence;
    return {stored.user_key, global != 0 ? global : stored.sequence, stored.type};
  }
  // True for an unknown comparator, whose order cannot be checked.
  bool After(std::string_view encoded_before, const InternalKey& key) const;
  bool Between(const std::optional<std::string>& after, std::string_view user_key,
               const std::optional<std::string>& last) const;
  // An error message without its location, which is in the loss's own fields.
  std::string Unplaced(const Status& failure) const;

 private:
  TableParts(const TableContext& context, std::vector<SalvageLoss>* losses)
      : context_(context), losses_(losses) {}

  const TableReader::Impl& table() const {
    VARVE_CHECK((reader_ != nullptr) != (pieces_ != nullptr));
    return reader_ ? reader_->impl() : *pieces_;
  }
  Status LoadPieces(std::unique_ptr<RandomAccessFile> file);
  void LoadFooter();
  void LoadMetaindex(BlockHandle handle);
  void LoadProperties(BlockHandle handle);
  void LoadMetaBlocks();
  void ChooseComparator();
  void Lose(BlockHandle handle, std::string_view what, const Status& failure);

  const TableContext context_;
  std::vector<SalvageLoss>* losses_;
  std::unique_ptr<TableReader> reader_;        // If it can be opened; otherwise
  std::unique_ptr<TableReader::Impl> pieces_;  // what could be read.
  bool footer_guessed_ = false, comparator_assumed_ = false, tombstones_read_ = false;
};

}  // namespace varve
