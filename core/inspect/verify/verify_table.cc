// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/abbreviate.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_walker.h"
#include "core/format/value/blob_record.h"
#include "core/format/value/stored_value.h"
#include "core/inspect/verify/findings.h"
#include "core/table/read/table_state.h"
#include "core/table/read/unique_id_check.h"

namespace varve {
namespace {

constexpr int kBlocksAStep = 32;

// Verifies a table in one pass: reads every block, decodes every entry and compares it with the
// previous one, its block's separator, the filter and the counts.
template <typename Order>
class TableVerifier : public TableVerification {
 public:
  TableVerifier(Order order, bool ordered, std::unique_ptr<TableReader> reader, std::string name,
                const ExpectedTable& expected, Findings* findings)
      : order_(order),
        ordered_(ordered),
        owned_(std::move(reader)),
        reader_(*owned_),
        table_(reader_.impl()),
        name_(std::move(name)),
        expected_(expected),
        findings_(*findings),
        index_(table_.index, table_.fetcher, {.fill_cache = false}) {}

  bool Step() override {
    if (!begun_) {
      begun_ = true;
      WarnOfWhatIsUnguarded();
      VerifyMetaBlocks();
      on_block_ = index_.SeekToFirst();
    }
    for (int i = 0; i < kBlocksAStep && on_block_; ++i, on_block_ = index_.Next()) {
      // The counts cannot be checked after a partial pass.
      if (!findings_.Continue()) return false;
      VerifyDataBlock();
    }
    if (on_block_) return true;
    if (!index_.status().ok()) findings_.AddFailure("block", name_, index_.status());
    VerifyTombstones();
    VerifyCounts();
    VerifyDescription();
    return false;
  }

 private:
  void Error(std::optional<uint64_t> offset, std::string what) {
    findings_.Add({.layer = offset ? "block" : "table",
                   .file = name_,
                   .offset = offset,
                   .what = std::move(what),
                   .key_from = LostFrom(),
                   .key_to = lost_to_});
  }
  // A damaged block loses the keys between the neighbouring separators.
  std::optional<std::string> LostFrom() const {
    if (!lost_to_) return std::nullopt;
    return last_user_key_;
  }

  void WarnOfWhatIsUnguarded() {
    if (table_.fetcher.footer().checksum == ChecksumType::kNone) {
      findings_.Warn("table", name_, std::string(kNoChecksums));
    }
    const auto properties = FindProperties(table_.metaindex);
    if (properties && table_.properties.global_seqno.value_or(0) != 0) {
      findings_.Add({.severity = Finding::Severity::kWarning,
                     .layer = "block",
                     .file = name_,
                     .offset = properties->offset,
                     .what = "global_seqno " + std::to_string(*table_.properties.global_seqno) +
                             " was stored after the properties' checksum: no checksum covers it"});
    }
  }

  void CountBlock(BlockHandle handle) {
    ++findings_.report().blocks;
    findings_.report().bytes += handle.size + kBlockTrailerSize;
  }

  static std::string MetaFailure(std::string_view meta, const Status& why) {
    return AbbreviateForDisplay(meta).append(": ").append(why.message());
  }

  void VerifyMetaBlocks() {
    for (const auto& [meta, handle] : table_.metaindex) {
      if (handle.size == 0) continue;
      CountBlock(handle);
      NoteExtent(EscapeForDisplay(meta), handle);
      const auto stored = table_.fetcher.ReadStored(handle);
      if (!stored.ok()) {
        Error(handle.offset, MetaFailure(meta, stored.status()));
        continue;
      }
      const Footer& footer = table_.fetcher.footer();
      const auto block =
          SplitTrailer(*stored, footer.checksum, footer.base_context_checksum, handle.offset);
      // Ingestion may have changed the sequence number in place (sst-format 11.2).
      const bool patched = meta == kMetaProperties && table_.properties.global_seqno.has_value();
      if (!block.ok() && !patched) {
        Error(handle.offset, MetaFailure(meta, block.status()));
      }
    }
    if (!reader_.filter_status().ok()) {
      findings_.AddFailure("table", name_, reader_.filter_status());
    }
    if (!reader_.point_status().ok()) {
      findings_.AddFailure("table", name_, reader_.point_status());
    }
    VerifyFilterPartitions();
    VerifyIndexPartitions();
    NoteExtent("the metaindex", table_.fetcher.footer().metaindex);
    // From format_version 6 on the metaindex has its handle.
    if (table_.fetcher.footer().index) NoteExtent("the index", table_.index.handle);
    VerifyExtents();
  }

  void NoteExtent(std::string what, BlockHandle handle) {
    if (handle.size > 0) extents_.push_back({handle, std::move(what)});
  }

  // Checks that no two blocks overlap, except data blocks, which precede the others (checked by
  // BlockFetcher) and are in order (VerifyDataBlock).
  void VerifyExtents() {
    std::sort(extents_.begin(), extents_.end(),
              [](const Extent& a, const Extent& b) { return a.handle.offset < b.handle.offset; });
    for (size_t i = 1; i < extents_.size(); ++i) {
      const BlockHandle before = extents_[i - 1].handle, here = extents_[i].handle;
      if (before.offset + before.size + kBlockTrailerSize <= here.offset) continue;
      Error(here.offset, extents_[i].what + " begins within " + extents_[i - 1].what +
                             ", a block of " + std::to_string(before.size) + " bytes at " +
                             std::to_string(before.offset));
    }
    extents_ = {};
  }

  // Forward steps do not use the restart points, but seeks and steps back do.
  void VerifyIndexBlock(std::string_view what, BlockHandle handle, const Block& block) {
    IndexWalker walker(block.view(), table_.index.encoding.values);
    while (walker.Next()) {
    }
    if (!walker.status().ok()) {
      Error(handle.offset, std::string(what).append(": ").append(walker.status().message()));
    }
  }

  // Searches use the top level's separators: each must be at or behind the last one of its
  // partition and before the first one of the next.
  void VerifyIndexPartitions() {
    VerifyIndexBlock("the index", table_.index.handle, *table_.index.top);
    if (!table_.index.two_levels) return;
    IndexBlockCursor top, leaf;
    top.Attach(*table_.index.top, table_.index.encoding);
    std::string last, bound;
    uint64_t end = 0;
    for (bool on = top.SeekToFirst(); on; on = top.Next()) {
      const BlockHandle handle = top.handle();
      if (handle.offset < end) {
        Error(handle.offset, "the index of partitions points back");
        return;
      }
      end = handle.FitsBelow(reader_.file_size()) ? handle.end() : end;
      CountBlock(handle);
      NoteExtent("an index partition", handle);
      const auto partition = table_.fetcher.Read(handle, BlockKind::kKeyValue, {});
      if (!partition.ok()) continue;  // Reported when the data blocks are walked.
      VerifyIndexBlock("the index partition", handle, **partition);
      leaf.Attach(**partition, table_.index.encoding);
      for (bool entry = leaf.SeekToFirst(); entry; entry = leaf.Next()) {
        if (ordered_ && !bound.empty() && !SeparatorsAscend(bound, leaf.key())) {
          Error(handle.offset,
                "the index partition begins before the separator that ends the one "
                "in front of it");
        }
        bound.clear();
        last = leaf.key();
      }
      bound = top.key();
      if (ordered_ && !last.empty() && SeparatorsAscend(bound, last)) {
        Error(handle.offset, "the index partition goes on behind its own separator");
      }
    }
    if (top.damaged()) Error(table_.index.handle.offset, "the index of partitions is broken");
  }

  // Whether b sorts after a.
  bool SeparatorsAscend(std::string_view a, std::string_view b) const {
    if (table_.index.encoding.user_keys) return order_(a, b) < 0;
    const auto before = DecodeInternalKey(a), behind = DecodeInternalKey(b);
    return before && behind && CompareInternalKeys(order_, *before, *behind) < 0;
  }

  void VerifyFilterPartitions() {
    if (table_.filter.top() == nullptr) return;
    CHECK(table_.filter.entry().has_value());
    const BlockHandle top = table_.filter.entry()->handle;
    VerifyIndexBlock("the index of filter partitions", top, *table_.filter.top());
    IndexBlockCursor cursor;
    cursor.Attach(*table_.filter.top(), table_.index.encoding);
    uint64_t end = 0;
    std::string before;
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      const BlockHandle handle = cursor.handle();
      if (ordered_ && !before.empty() && !SeparatorsAscend(before, cursor.key())) {
        Error(top.offset, "the index of filter partitions is out of order");
      }
      before = cursor.key();
      if (handle.size == 0) continue;
      if (handle.offset < end) {
        Error(handle.offset, "the index of filter partitions points back");
        return;
      }
      end = handle.FitsBelow(reader_.file_size()) ? handle.end() : end;
      CountBlock(handle);
      NoteExtent("a filter partition", handle);
      const auto block = table_.fetcher.Read(handle, BlockKind::kOpaque, {});
      if (!block.ok()) {
        findings_.AddFailureOf("a filter partition", "block", name_, block.status());
      }
    }
    if (cursor.damaged()) Error(top.offset, "the index of filter partitions is broken");
  }

  void VerifyDataBlock() {
    CHECK(on_block_);
    const BlockHandle handle = index_.handle();
    const std::string separator(index_.key());
    if (blocks_ > 0 && ordered_ && !SeparatorsAscend(index_separator_, separator)) {
      Error(handle.offset, "its separator in the index is not behind that of the block before");
    }
    index_separator_ = separator;
    ++blocks_;
    CountBlock(handle);
    lost_to_ = SeparatorUserKey(separator);
    const auto block = table_.fetcher.Read(handle, BlockKind::kData, {.fill_cache = false});
    if (!block.ok()) {
      block_unread_ = block_unread_ || block.status().code() == Code::kIoError;
      findings_.AddFailure("block", name_, block.status(), last_user_key_, lost_to_);
    } else {
      VerifyEntries(**block, handle, separator);
    }
    if (lost_to_) last_user_key_ = lost_to_;
    lost_to_.reset();
  }

  std::optional<std::string> SeparatorUserKey(const std::string& separator) const {
    if (table_.index.encoding.user_keys) return separator;
    const auto key = DecodeInternalKey(separator);
    return key ? std::optional(std::string(key->user_key)) : std::nullopt;
  }

  void VerifyEntries(const Block& block, BlockHandle handle, const std::string& separator) {
    BlockWalker walker(block.view());
    InternalKey key;
    bool any = false;
    uint32_t slot = 0;
    while (walker.Next()) {
      if (!ParseStoredKey(walker.key(), table_.bare_keys, &key)) {
        Error(handle.offset, "the key at byte " + std::to_string(walker.offset()) +
                                 " is too short or of an unknown type");
        return;
      }
      if (!any && any_before_ && ordered_ && NotAfterSeparator(key, separator_before_)) {
        Error(handle.offset, "its first key is not after the separator of the block before");
      }
      any = true;
      CheckPointIndex(key, handle, slot++, IsNewKey(key));
      CheckEntry(key, walker.value(), handle, walker.offset());
      previous_.assign(walker.key());
    }
    if (!walker.status().ok()) {
      Error(handle.offset, std::string(walker.status().message()));
      return;
    }
    if (any && ordered_ && !NotAfterSeparator(key, separator)) {
      Error(handle.offset, "its last key is after its separator in the index");
    }
    separator_before_ = separator;
    any_before_ = true;
  }

  bool IsNewKey(const InternalKey& key) const {
    InternalKey before;
    return entries_ == 0 || !ParseStoredKey(previous_, table_.bare_keys, &before) ||
           before.user_key != key.user_key;
  }

  bool NotAfterSeparator(const InternalKey& key, const std::string& separator) const {
    if (table_.index.encoding.user_keys) return order_(key.user_key, separator) <= 0;
    const auto bound = DecodeInternalKey(separator);
    return bound && CompareInternalKeys(order_, key, *bound) <= 0;
  }

  void CheckEntry(const InternalKey& key, std::string_view value, BlockHandle handle,
                  uint64_t offset) {
    ++findings_.report().entries;
    ++entries_;
    key_bytes_ += key.user_key.size() + (table_.bare_keys ? 0 : kPackedSize);
    value_bytes_ += value.size();
    // RocksDB does not count deletions with a timestamp.
    deletions_ += key.type == ValueType::kDeletion || key.type == ValueType::kSingleDeletion;
    InternalKey before;
    if (ordered_ && entries_ > 1 && ParseStoredKey(previous_, table_.bare_keys, &before) &&
        CompareInternalKeys(order_, before, key) >= 0) {
      Error(handle.offset, "the key at byte " + std::to_string(offset) + ", " + DebugString(key) +
                               ", is not after the one before, " + DebugString(before));
    }
    CheckFilter(key, handle);
    CheckValue(key, value, handle, offset);
    const FileDescription* d = expected_.description;
    if (d == nullptr || !ordered_) return;
    const Sequence sequence = table_.global_sequence != 0 ? table_.global_sequence : key.sequence;
    // LevelDB's MANIFESTs do not have them.
    if (!reader_.is_leveldb() &&
        (sequence > d->largest_sequence || sequence < d->smallest_sequence)) {
      outside_sequences_ = true;
    }
    const InternalKey effective{key.user_key, sequence, key.type};
    const auto smallest = DecodeInternalKey(d->smallest), largest = DecodeInternalKey(d->largest);
    if (!smallest || !largest || CompareInternalKeys(order_, effective, *smallest) < 0 ||
        CompareInternalKeys(order_, effective, *largest) > 0) {
      outside_bounds_ = outside_bounds_ ? outside_bounds_ : DebugString(effective);
    }
  }

  void CheckValue(const InternalKey& key, std::string_view value, BlockHandle handle,
                  uint64_t offset) {
    const Status read = CheckReadable(expected_.blobs, key, value);
    if (read.ok() || IsInReportedBlobFile(key, value)) return;
    const std::string what = "the value of " + DebugString(key) + " at byte " +
                             std::to_string(offset) + ": " + std::string(read.message());
    if (read.code() == Code::kNotSupported) {
      if (!unsupported_values_) findings_.NotChecked("table", name_, what);
      unsupported_values_ = true;
    } else if (read.code() == Code::kIoError) {
      findings_.Add({.severity = Finding::Severity::kUnreadable,
                     .layer = std::string(kBlobLayer),
                     .file = name_,
                     .offset = handle.offset,
                     .what = what});
    } else {
      Error(handle.offset, what);
    }
  }

  // All values in an unreadable blob file have the same error: only the first is reported, or none
  // if the file is not needed any more.
  bool IsInReportedBlobFile(const InternalKey& key, std::string_view value) {
    if (key.type != ValueType::kBlobIndex || expected_.blobs == nullptr) return false;
    const Result<BlobIndex> index = DecodeBlobIndex(value, key.user_key);
    if (!index.ok()) return false;
    const Status opened = expected_.blobs->Open(index->file);
    if (opened.ok()) return false;
    if (!reported_blob_files_.insert(index->file).second) return true;
    return opened.code() == Code::kNotFound && expected_.still_named != nullptr &&
           !expected_.still_named();
  }

  void CheckFilter(const InternalKey& key, BlockHandle handle) {
    if (!ordered_ || !table_.filter.entry() || !reader_.filter_status().ok()) return;
    bool may = true;
    if (table_.filter.is_per_block()) {
      may = table_.filter.BlockMayMatch(handle.offset, key.user_key);
    } else {
      Lookup lookup(key.user_key, key.sequence);
      may = table_.filter.MayMatch(order_, table_.fetcher, {.fill_cache = true}, &lookup);
    }
    if (!may) {
      Error(handle.offset, "the filter says that " + AbbreviateForDisplay(key.user_key) +
                               " is not there, but it is");
    }
  }

  // `slot`: of the entry in its block. The first contradiction is reported.
  void CheckPointIndex(const InternalKey& key, BlockHandle handle, uint32_t slot, bool is_new) {
    if (table_.point == nullptr || point_is_wrong_) return;
    DCHECK(blocks_ > 0);
    if (is_new) {
      ++keys_;
      point_place_ = table_.point->Find(key.user_key);
      versions_ = 0;
    } else {
      ++versions_;
    }
    std::string wrong;
    if (!point_place_) {
      wrong = " is not there, but it is";
    } else if (!is_new) {
      if (versions_ > point_place_->more) wrong = " has fewer versions than it has";
    } else if (point_place_->block + 1 != blocks_ || point_place_->slot != slot ||
               !(table_.point->handle(point_place_->block) == handle)) {
      wrong = " is entry " + std::to_string(point_place_->slot) + " of block " +
              std::to_string(point_place_->block) + ", but it is entry " + std::to_string(slot) +
              " of block " + std::to_string(blocks_ - 1);
    }
    if (wrong.empty()) return;
    point_is_wrong_ = true;
    Error(handle.offset, "the point index says that " + AbbreviateForDisplay(key.user_key) + wrong);
  }

  void VerifyTombstones() {
    for (const RangeTombstone& tombstone : reader_.RawTombstones()) {
      ++findings_.report().entries;
      if (ordered_ && order_(tombstone.begin, tombstone.end) > 0) {
        Error(std::nullopt,
              "a range deletion begins after its end: " + AbbreviateForDisplay(tombstone.begin) +
                  " .. " + AbbreviateForDisplay(tombstone.end));
      }
    }
  }

  void Compare(std::string_view what, uint64_t counted, uint64_t stored) {
    if (counted == stored) return;
    Error(std::nullopt, std::string(what) + ": counted " + std::to_string(counted) +
                            ", the properties say " + std::to_string(stored));
  }

  void VerifyCounts() {
    // Damaged blocks, which are reported, have keys that were not counted.
    if (table_.point != nullptr && !point_is_wrong_ && entries_ == table_.point->entries() &&
        keys_ != table_.point->keys()) {
      Error(std::nullopt, "keys: counted " + std::to_string(keys_) + ", the point index says " +
                              std::to_string(table_.point->keys()));
    }
    if (!table_.has_properties || reader_.is_leveldb()) return;
    // What could not be read was not counted, and is not damaged for that.
    if (block_unread_) return;
    const TableProperties& p = table_.properties;
    const uint64_t tombstones = reader_.RawTombstones().size();
    // Properties that the writer left out (a minimal writer may) are not compared.
    if (p.raw.contains("rocksdb.num.entries")) {
      Compare("entries", entries_ + tombstones, p.entries);
    }
    if (p.raw.contains("rocksdb.num.range-deletions")) {
      Compare("range deletions", tombstones, p.range_deletions);
    }
    if (p.raw.contains("rocksdb.deleted.keys")) {
      Compare("deletions", deletions_ + tombstones, p.deletions);
    }
    // RocksDB 11 writes 0 blocks when a dictionary is used.
    if (p.data_blocks != 0 && p.data_blocks != blocks_) {
      // Up to format_version 5 the footer has no checksum: its handle may point to another block.
      const Footer& footer = table_.fetcher.footer();
      Error(footer.index ? std::optional(footer.offset) : std::nullopt,
            "the index leads to " + std::to_string(blocks_) + " data blocks, the properties say " +
                std::to_string(p.data_blocks));
    }
    if (tombstones == 0 && p.raw.contains("rocksdb.raw.key.size")) {
      Compare("bytes of keys", key_bytes_, p.raw_key_size);
      Compare("bytes of values", value_bytes_, p.raw_value_size);
    }
  }

  void VerifyDescription() {
    const FileDescription* d = expected_.description;
    if (d == nullptr) return;
    if (d->size != reader_.file_size()) {
      Error(std::nullopt, "is " + std::to_string(reader_.file_size()) +
                              " bytes, the MANIFEST says " + std::to_string(d->size));
    }
    const Status identity = CheckUniqueId(reader_, d->number, d->unique_id);
    if (!identity.ok()) findings_.AddFailure("table", name_, identity);
    if (outside_bounds_) {
      Error(std::nullopt, *outside_bounds_ + " lies outside the bounds that the MANIFEST gives");
    }
    if (outside_sequences_) {
      Error(std::nullopt, "has sequence numbers outside " + std::to_string(d->smallest_sequence) +
                              ".." + std::to_string(d->largest_sequence) +
                              ", which the MANIFEST gives");
    }
  }

  const Order order_;
  const bool ordered_;  // False for an unknown comparator: order and filter cannot be checked.
  const std::unique_ptr<TableReader> owned_;
  const TableReader& reader_;
  const TableReader::Impl& table_;
  const std::string name_;
  const ExpectedTable expected_;
  Findings& findings_;
  IndexCursor index_;
  bool begun_ = false, on_block_ = false;

  struct Extent {
    BlockHandle handle;
    std::string what;
  };
  std::vector<Extent> extents_;
  std::string previous_, separator_before_, index_separator_;
  bool any_before_ = false;
  bool block_unread_ = false;  // The system refused to read one.
  std::optional<std::string> last_user_key_, lost_to_;
  uint64_t entries_ = 0, deletions_ = 0, blocks_ = 0, key_bytes_ = 0, value_bytes_ = 0;
  std::optional<PointIndex::Place> point_place_;  // Of the current key.
  uint64_t keys_ = 0, versions_ = 0;              // Versions of it besides the first.
  bool point_is_wrong_ = false;
  std::optional<std::string> outside_bounds_;
  bool outside_sequences_ = false, unsupported_values_ = false;
  std::set<FileNumber> reported_blob_files_;
};

// Verifies a table outside a database.
class LoneTableVerification : public Verification {
 public:
  LoneTableVerification(FileSystem& fs, std::string path, VerifyProgressFn progress)
      : fs_(fs),
        path_(std::move(path)),
        progress_(std::move(progress)),
        findings_(&report_, progress_) {}

  Result<bool> Step() override {
    if (table_ != nullptr) return table_->Step();
    const size_t slash = path_.rfind('/');
    const std::string name = slash == std::string::npos ? path_ : path_.substr(slash + 1);
    ASSIGN_OR_RETURN(findings_.bytes_total, fs_.FileSize(path_));
    ASSIGN_OR_RETURN(table_, BeginTableVerification(fs_, path_, name, {}, &findings_));
    return table_ != nullptr;
  }
  const VerifyReport& report() const override { return report_; }

 private:
  FileSystem& fs_;
  const std::string path_;
  const VerifyProgressFn progress_;
  VerifyReport report_;
  Findings findings_;
  std::unique_ptr<TableVerification> table_;
};

}  // namespace

Result<std::unique_ptr<TableVerification>> BeginTableVerification(FileSystem& fs,
                                                                  const std::string& path,
                                                                  const std::string& name,
                                                                  const ExpectedTable& expected,
                                                                  Findings* findings) {
  auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok() && file.status().code() == Code::kNotFound) return file.status();
  if (!file.ok()) {
    findings->AddFailure("table", name, file.status());
    return std::unique_ptr<TableVerification>();
  }
  ++findings->report().files;
  TableReaderOptions options{.comparator = expected.comparator,
                             .cache = std::make_shared<ClockCache>(uint64_t{4} << 20)};
  options.global_sequence = expected.global_sequence;
  if (expected.description != nullptr) {
    options.global_sequence = expected.description->largest_sequence;
    options.expected_size = expected.description->size;
  }
  auto reader = TableReader::Open(*std::move(file), options);
  if (!reader.ok()) {
    const auto again = fs.OpenForRead(path, /*direct=*/false);
    if (!again.ok()) return again.status();
    if (reader.status().code() == Code::kIoError) {
      findings->AddFailure("table", name, reader.status());
      return std::unique_ptr<TableVerification>();
    }
    ReportUnopenable(**again, name, expected, reader.status(), findings);
    return std::unique_ptr<TableVerification>();
  }
  const Comparator* comparator = (*reader)->comparator();
  if (comparator == nullptr) {
    findings->NotChecked("table", name,
                         "comparator " + EscapeForDisplay((*reader)->comparator_name()) +
                             " is unknown here: order, separators and filter are not checked");
  }
  const bool ordered = comparator != nullptr;
  return WithKeyOrder(ordered ? *comparator : *BytewiseComparator(),
                      [&](auto order) -> std::unique_ptr<TableVerification> {
                        return std::make_unique<TableVerifier<decltype(order)>>(
                            order, ordered, *std::move(reader), name, expected, findings);
                      });
}

std::unique_ptr<Verification> NewTableVerification(FileSystem& fs, std::string path,
                                                   VerifyProgressFn progress) {
  return std::make_unique<LoneTableVerification>(fs, std::move(path), std::move(progress));
}

Result<VerifyReport> VerifyTable(FileSystem& fs, const std::string& path,
                                 const VerifyProgressFn& progress) {
  return Finish(*NewTableVerification(fs, path, progress));
}

}  // namespace varve
