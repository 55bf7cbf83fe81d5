// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/base/text/abbreviate.h"
#include "core/base/text/text.h"
#include "core/format/table/block_walker.h"
#include "core/inspect/verify/findings.h"
#include "core/inspect/verify/point_index_check.h"
#include "core/inspect/verify/value_check.h"
#include "core/inspect/verify/verified_table.h"
#include "core/inspect/verify/verify_meta_blocks.h"
#include "core/table/read/unique_id_check.h"

namespace varve {
namespace {

constexpr int kBlocksAStep = 32;

// Verifies a table in one pass: reads every block, decodes every entry and compares it with the
// previous one, its block's separator, the filter and the counts.
template <typename Order>
class TableVerifier : public TableVerification {
 public:
  TableVerifier(Order order, const Comparator& comparator, bool ordered,
                std::unique_ptr<TableReader> reader, std::string name,
                const ExpectedTable& expected, Findings* findings)
      : order_(order),
        comparator_(comparator),
        owned_(std::move(reader)),
        table_{.reader = *owned_,
               .name = std::move(name),
               .expected = expected,
               .findings = *findings,
               .ordered = ordered},
        parts_(table_.parts()),
        index_(parts_.index, parts_.fetcher, {.fill_cache = false}),
        values_(table_),
        point_(parts_.point.get()) {}

  bool Step() override {
    if (!begun_) {
      begun_ = true;
      VerifyMetaBlocks(table_, comparator_);
      on_block_ = index_.SeekToFirst();
    }
    for (int i = 0; i < kBlocksAStep && on_block_; ++i, on_block_ = index_.Next()) {
      // The counts cannot be checked after a partial pass.
      if (!table_.findings.Continue()) return false;
      VerifyDataBlock();
    }
    if (on_block_) return true;
    if (!index_.status().ok()) table_.findings.AddFailure("block", table_.name, index_.status());
    VerifyTombstones();
    VerifyCounts();
    VerifyDescription();
    return false;
  }

 private:
  void Error(std::optional<uint64_t> offset, std::string what) const {
    table_.Error(offset, std::move(what), LostFrom(), lost_to_);
  }
  void Report(BlockHandle block, std::optional<std::string> wrong) const {
    if (wrong) Error(block.offset, *std::move(wrong));
  }
  // A damaged block loses the keys between the neighbouring separators.
  std::optional<std::string> LostFrom() const {
    if (!lost_to_) return std::nullopt;
    return last_user_key_;
  }

  void VerifyDataBlock() {
    CHECK(on_block_);
    const BlockHandle handle = index_.handle();
    const std::string separator(index_.key());
    if (blocks_ > 0 && table_.ordered &&
        !table_.SeparatorsAscend(order_, index_separator_, separator)) {
      Error(handle.offset, "its separator in the index is not behind that of the block before");
    }
    index_separator_ = separator;
    ++blocks_;
    table_.CountBlock(handle);
    lost_to_ = SeparatorUserKey(separator);
    const auto block = parts_.fetcher.Read(handle, BlockKind::kData, {.fill_cache = false});
    if (!block.ok()) {
      block_unread_ = block_unread_ || block.status().code() == Code::kIoError;
      table_.findings.AddFailure("block", table_.name, block.status(), last_user_key_, lost_to_);
    } else {
      VerifyEntries(**block, handle, separator);
    }
    if (lost_to_) last_user_key_ = lost_to_;
    lost_to_.reset();
  }

  std::optional<std::string> SeparatorUserKey(const std::string& separator) const {
    if (parts_.index.encoding.user_keys) return separator;
    const auto key = DecodeInternalKey(separator);
    return key ? std::optional(std::string(key->user_key)) : std::nullopt;
  }

  void VerifyEntries(const Block& block, BlockHandle handle, const std::string& separator) {
    BlockWalker walker(block.view());
    InternalKey key;
    bool any = false;
    uint32_t slot = 0;
    while (walker.Next()) {
      if (!ParseStoredKey(walker.key(), parts_.bare_keys, &key)) {
        Error(handle.offset, "the key at byte " + std::to_string(walker.offset()) +
                                 " is too short or of an unknown type");
        return;
      }
      if (!any && any_before_ && table_.ordered && NotAfterSeparator(key, separator_before_)) {
        Error(handle.offset, "its first key is not after the separator of the block before");
      }
      any = true;
      Report(handle, point_.Contradiction({.user_key = key.user_key,
                                           .is_new = IsNewKey(key),
                                           .handle = handle,
                                           .block = blocks_ - 1,
                                           .slot = slot++}));
      CheckEntry(key, walker.value(), handle, walker.offset());
      previous_.assign(walker.key());
    }
    if (!walker.status().ok()) {
      Error(handle.offset, std::string(walker.status().message()));
      return;
    }
    if (any && table_.ordered && !NotAfterSeparator(key, separator)) {
      Error(handle.offset, "its last key is after its separator in the index");
    }
    separator_before_ = separator;
    any_before_ = true;
  }

  bool IsNewKey(const InternalKey& key) const {
    InternalKey before;
    return entries_ == 0 || !ParseStoredKey(previous_, parts_.bare_keys, &before) ||
           before.user_key != key.user_key;
  }

  bool NotAfterSeparator(const InternalKey& key, const std::string& separator) const {
    if (parts_.index.encoding.user_keys) return order_(key.user_key, separator) <= 0;
    const auto bound = DecodeInternalKey(separator);
    return bound && CompareInternalKeys(order_, key, *bound) <= 0;
  }

  void CheckEntry(const InternalKey& key, std::string_view value, BlockHandle handle,
                  uint64_t offset) {
    ++table_.findings.report().entries;
    ++entries_;
    key_bytes_ += key.user_key.size() + (parts_.bare_keys ? 0 : kPackedSize);
    value_bytes_ += value.size();
    deletions_ += key.type == ValueType::kDeletion || key.type == ValueType::kSingleDeletion;
    deletions_at_ += key.type == ValueType::kDeletionWithTimestamp;
    InternalKey before;
    if (table_.ordered && entries_ > 1 && ParseStoredKey(previous_, parts_.bare_keys, &before) &&
        CompareInternalKeys(order_, before, key) >= 0) {
      Error(handle.offset, "the key at byte " + std::to_string(offset) + ", " + DebugString(key) +
                               ", is not after the one before, " + DebugString(before));
    }
    CheckFilter(key, handle);
    Report(handle, values_.Damage(key, value, handle, offset));
    const FileDescription* d = table_.expected.description;
    if (d == nullptr || !table_.ordered) return;
    const Sequence sequence = parts_.global_sequence != 0 ? parts_.global_sequence : key.sequence;
    // LevelDB's MANIFESTs do not have them.
    if (!table_.reader.is_leveldb() &&
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

  void CheckFilter(const InternalKey& key, BlockHandle handle) {
    if (!table_.ordered || !parts_.filter.entry() || !table_.reader.filter_status().ok()) return;
    bool may = true;
    const std::string_view bare = WithoutTimestamp(key.user_key, comparator_.timestamp_size());
    if (parts_.filter.is_per_block()) {
      may = parts_.filter.BlockMayMatch(handle.offset, bare);
    } else {
      Lookup lookup(bare, key.sequence);
      may = parts_.filter.MayMatch(order_, LookupKey(key.user_key, key.sequence), parts_.fetcher,
                                   {.fill_cache = true}, &lookup);
    }
    if (!may) {
      Error(handle.offset, "the filter says that " + AbbreviateForDisplay(key.user_key) +
                               " is not there, but it is");
    }
  }

  void VerifyTombstones() {
    for (const RangeTombstone& tombstone : table_.reader.RawTombstones()) {
      ++table_.findings.report().entries;
      if (table_.ordered && order_(tombstone.begin, tombstone.end) > 0) {
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
    if (auto wrong = point_.WrongCount(entries_)) Error(std::nullopt, *std::move(wrong));
    if (!parts_.has_properties || table_.reader.is_leveldb()) return;
    // What could not be read was not counted, and is not damaged for that.
    if (block_unread_) return;
    const TableProperties& p = parts_.properties;
    const uint64_t tombstones = table_.reader.RawTombstones().size();
    // Properties that the writer left out (a minimal writer may) are not compared.
    if (p.raw.contains("rocksdb.num.entries")) {
      Compare("entries", entries_ + tombstones, p.entries);
    }
    if (p.raw.contains("rocksdb.num.range-deletions")) {
      Compare("range deletions", tombstones, p.range_deletions);
    }
    if (p.raw.contains("rocksdb.deleted.keys")) {
      // RocksDB counts deletions with a timestamp as well, but did not always.
      const uint64_t counted = deletions_ + tombstones;
      if (counted != p.deletions) Compare("deletions", counted + deletions_at_, p.deletions);
    }
    // RocksDB 11 writes 0 blocks when a dictionary is used.
    if (p.data_blocks != 0 && p.data_blocks != blocks_) {
      // Up to format_version 5 the footer has no checksum: its handle may point to another block.
      const Footer& footer = parts_.fetcher.footer();
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
    const FileDescription* d = table_.expected.description;
    if (d == nullptr) return;
    if (d->size != table_.reader.file_size()) {
      Error(std::nullopt, "is " + std::to_string(table_.reader.file_size()) +
                              " bytes, the MANIFEST says " + std::to_string(d->size));
    }
    const Status identity = CheckUniqueId(table_.reader, d->number, d->unique_id);
    if (!identity.ok()) table_.findings.AddFailure("table", table_.name, identity);
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
  const Comparator& comparator_;
  const std::unique_ptr<TableReader> owned_;
  const VerifiedTable table_;
  const TableReader::Impl& parts_;
  IndexCursor index_;
  bool begun_ = false, on_block_ = false;
  ValueCheck values_;
  PointIndexCheck point_;

  std::string previous_, separator_before_, index_separator_;
  bool any_before_ = false;
  bool block_unread_ = false;  // The system refused to read one.
  std::optional<std::string> last_user_key_, lost_to_;
  uint64_t entries_ = 0, deletions_ = 0, deletions_at_ = 0, blocks_ = 0, key_bytes_ = 0,
           value_bytes_ = 0;
  std::optional<std::string> outside_bounds_;
  bool outside_sequences_ = false;
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
  const Comparator& used = ordered ? *comparator : *BytewiseComparator();
  return WithKeyOrder(used, [&](auto order) -> std::unique_ptr<TableVerification> {
    return std::make_unique<TableVerifier<decltype(order)>>(
        order, used, ordered, *std::move(reader), name, expected, findings);
  });
}

}  // namespace varve
