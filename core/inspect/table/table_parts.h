// SPDX-License-Identifier: Apache-2.0
// TableParts is a table that may be damaged: whichever of its parts could be read. A table that
// opens has all of them; else each is read on its own, and what fails is a loss of the report.
//
// For salvage.cc and table_layout.cc. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/salvage/salvage.h"
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
  // Only of a table that opens.
  const FilterReader& filter() const { return table().filter; }
  const BlockFetcher& fetcher() const { return table().fetcher; }
  bool footer_guessed() const { return footer_guessed_; }
  // Every data block that the readable parts of the index name. False if there are other parts.
  bool WalkIndex(const std::function<void(BlockHandle, std::string_view separator)>& block,
                 const std::function<void(BlockHandle, const Status&)>& unreadable) const;
  std::optional<std::string> SeparatorUserKey(std::string_view separator) const;
  // No data block ends behind this.
  uint64_t EndOfData() const;

  // A block found by scanning: it may be the metaindex or the properties that were missing.
  void Notice(BlockHandle block);
  void TakeTombstones(const Block& block);

  Result<std::shared_ptr<const Block>> ReadData(BlockHandle handle) const;
  // The block's raw bytes without a look at its checksum; empty if they do not decompress.
  std::string UnverifiedData(BlockHandle handle) const;
  // Are the entries of a block that was found by scanning those of a data block?
  bool IsData(const Block& block) const;
  bool ParseKey(std::string_view stored, InternalKey* out) const {
    return ParseStoredKey(stored, table().bare_keys, out);
  }
  InternalKey Effective(const InternalKey& stored) const {
    const Sequence global = table().global_sequence;
    return {stored.user_key, global != 0 ? global : stored.sequence, stored.type};
  }
  // True for a foreign order, which nobody can check.
  bool After(std::string_view encoded_before, const InternalKey& key) const;
  bool Between(const std::optional<std::string>& after, std::string_view user_key,
               const std::optional<std::string>& last) const;
  // A failure's message without the place, which the loss's own fields say.
  std::string Unplaced(const Status& failure) const;

 private:
  TableParts(const TableContext& context, std::vector<SalvageLoss>* losses)
      : context_(context), losses_(losses) {}

  const TableReader::Impl& table() const { return reader_ ? reader_->impl() : *pieces_; }
  Status LoadPieces(std::unique_ptr<RandomAccessFile> file);
  void LoadFooter();
  void LoadMetaindex(BlockHandle handle);
  void LoadProperties(BlockHandle handle);
  void LoadMetaBlocks();
  void ChooseComparator();
  void Lose(BlockHandle handle, std::string_view what, const Status& failure);

  const TableContext context_;
  std::vector<SalvageLoss>* losses_;
  std::unique_ptr<TableReader> reader_;        // If it opens; else
  std::unique_ptr<TableReader::Impl> pieces_;  // what could be read.
  bool footer_guessed_ = false, comparator_assumed_ = false, tombstones_read_ = false;
};

}  // namespace varve
