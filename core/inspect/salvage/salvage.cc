// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/salvage/salvage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/block_walker.h"
#include "core/format/value/stored_value.h"
#include "core/inspect/salvage/readable_entries.h"
#include "core/inspect/table/block_scanner.h"
#include "core/inspect/table/table_parts.h"
#include "core/inspect/verify/reported_key.h"

namespace varve {
namespace {

// Limit for decoded separators of an index, which may be many times as large as it. Losses of
// blocks without one have no end key.
constexpr uint64_t kSeparatorBytesMax = 64 << 20;

// Blocks of the copy are like those of the table, within reasonable limits.
constexpr size_t kShapeBlocksMax = 16;
constexpr double kShapeSizeMin = 1 << 10, kShapeSizeMax = 256 << 10;
constexpr uint64_t kShapeIntervalMax = 1024;

// A data block, named by the index or found by scanning.
struct Span {
  BlockHandle handle;
  bool found = false;                         // By scanning.
  std::optional<std::string> separator = {};  // User key, of the index.
};

// A block's range of bytes, valid or not, and its contents, for reports.
struct Claimed {
  uint64_t from = 0, to = 0;
  std::optional<std::string> first_key = {}, last_key = {};
};

class TableSalvage {
 public:
  TableSalvage(TableParts& parts, const SalvageOptions& options, SalvageSink* sink,
               SalvageReport* report)
      : parts_(parts), options_(options), sink_(*sink), report_(*report) {}

  Status Run() {
    FindSpans();
    RETURN_IF_ERROR(ScanGaps());
    SalvageOrigin origin = parts_.Origin();
    origin.shape = ShapeOfBlocks();
    RETURN_IF_ERROR(sink_.Begin(origin));
    uint64_t end = 0;
    for (const Span& span : spans_) {
      DCHECK_OP(span.handle.offset, >=, end, "spans ascend and do not overlap");
      end = span.handle.end();
      if (options_.progress != nullptr && !options_.progress({span.handle.offset, report_.size})) {
        return Status::IoError("cancelled");
      }
      RETURN_IF_ERROR(Take(span));
    }
    RETURN_IF_ERROR(TakeRangeDeletions());
    NoteGaps();
    EstimateLosses();
    std::stable_sort(
        report_.losses.begin(), report_.losses.end(),
        [](const SalvageLoss& a, const SalvageLoss& b) { return a.offset < b.offset; });
    return Status::Ok();
  }

 private:
  void Lose(SalvageLoss loss) {
    if (loss.key_from) loss.key_from = ReportedFrom(*loss.key_from);
    if (loss.key_to) loss.key_to = ReportedTo(*loss.key_to);
    report_.losses.push_back(std::move(loss));
  }

  // The shape of the first readable block, with the average size.
  std::optional<BlockShape> ShapeOfBlocks() const {
    uint64_t stored_bytes = 0;
    for (const Span& span : spans_) stored_bytes += span.handle.size;
    const size_t looked_at = std::min(spans_.size(), kShapeBlocksMax);
    for (const Span& span : std::span(spans_).first(looked_at)) {
      const auto stored = parts_.fetcher().ReadStored(span.handle);
      const auto block = parts_.ReadData(span.handle);
      if (!stored.ok() || !block.ok()) continue;
      const auto split = SplitTrailerUnverified(*stored);
      const auto codec = split.ok() ? CodecOf(*split, parts_.footer().legacy_magic)
                                    : Result<CompressionType>(split.status());
      if (!codec.ok()) continue;
      const BlockView& view = (*block)->view();
      const uint64_t second = view.num_restarts > 1 ? view.restart_offset(1) : UINT64_MAX;
      uint64_t interval = 0;
      for (BlockWalker walker(view); walker.Next() && walker.offset() < second;) ++interval;
      const double expansion = static_cast<double>((*block)->bytes().size()) /
                               static_cast<double>(std::max<uint64_t>(1, span.handle.size));
      const double raw =
          expansion * static_cast<double>(stored_bytes) / static_cast<double>(spans_.size());
      return BlockShape{
          .compression = *codec,
          .block_size =
              static_cast<uint32_t>(std::clamp<double>(raw, kShapeSizeMin, kShapeSizeMax)),
          .restart_interval =
              static_cast<uint32_t>(std::clamp<uint64_t>(interval, 1, kShapeIntervalMax))};
    }
    return std::nullopt;
  }

  // Finds the blocks in each readable part of the index.
  void FindSpans() {
    uint64_t room = kSeparatorBytesMax;
    index_complete_ = parts_.WalkIndex(
        [&](BlockHandle handle, std::string_view separator) {
          if (!handle.FitsBelow(report_.size)) return;
          Span& span = spans_.emplace_back(Span{handle});
          if (separator.size() > room) return;
          room -= separator.size();
          span.separator = parts_.SeparatorUserKey(separator);
        },
        [&](BlockHandle partition, const Status& failure) {
          Lose({.offset = partition.offset,
                .bytes = partition.size + kBlockTrailerSize,
                .what = "a part of the index: " + std::string(failure.message()),
                .data = false});
        });
    report_.by_index = !spans_.empty();
    std::stable_sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
      return a.handle.offset < b.handle.offset;
    });
    DropOverlapping();
  }

  // Drops duplicate blocks and blocks that overlap an earlier one.
  void DropOverlapping() {
    uint64_t end = 0, dropped = 0, first = 0;
    std::erase_if(spans_, [&](const Span& span) {
      if (span.handle.offset >= end) {
        end = span.handle.end();
        return false;
      }
      if (dropped++ == 0) first = span.handle.offset;
      return true;
    });
    if (dropped == 0) return;
    Lose({.offset = first,
          .bytes = 0,
          .what = std::to_string(dropped) +
                  " entries of the index name a block again, or one that begins inside another",
          .data = false});
  }

  Status ScanGaps() {
    if (index_complete_ || !BlockScanner::CanScan(parts_.footer())) return Status::Ok();
    BlockScanner scanner(parts_.file(), report_.size, parts_.footer());
    const auto go_on = [&](uint64_t at) {
      return options_.progress == nullptr || options_.progress({at, report_.size});
    };
    std::vector<Span> found;
    uint64_t at = 0;
    const auto scan = [&](uint64_t to) -> Status {
      if (at >= to) return Status::Ok();
      ASSIGN_OR_RETURN(const auto blocks, scanner.BlocksIn(at, to, go_on));
      for (const BlockHandle& block : blocks) {
        parts_.Notice(block);
        found.push_back({block, /*found=*/true});
      }
      return Status::Ok();
    };
    for (const Span& span : spans_) {
      RETURN_IF_ERROR(scan(span.handle.offset));
      at = std::max(at, span.handle.end());
    }
    RETURN_IF_ERROR(scan(parts_.EndOfData()));
    // Blocks found there may have told where the data ends.
    std::erase_if(found, [&](const Span& s) { return s.handle.end() > parts_.EndOfData(); });
    scan_given_up_at_ = scanner.given_up_at();
    report_.by_scan = !found.empty();
    spans_.insert(spans_.end(), found.begin(), found.end());
    std::sort(spans_.begin(), spans_.end(),
              [](const Span& a, const Span& b) { return a.handle.offset < b.handle.offset; });
    return Status::Ok();
  }

  Status Take(const Span& span) {
    const bool found = span.found;
    const auto block = parts_.ReadData(span.handle);
    if (!block.ok()) {
      if (found) return Claim(span);  // It is valid, but not a data block: e.g. a filter.
      return LoseBlock(span, block.status());
    }
    if (found && !parts_.IsData(**block)) {
      if (!parts_.tombstones_read()) parts_.TakeTombstones(**block);
      return Claim(span);
    }
    BlockWalker walker((*block)->view());
    InternalKey key;
    uint64_t taken = 0;
    bool sound = true;
    SalvageLoss unreadable;
    std::optional<std::string> first_key;
    while (sound && walker.Next()) {
      sound = parts_.ParseKey(walker.key(), &key) && InOrder(key);
      if (!sound && found && taken == 0) return Claim(span);  // Possibly a block of the index.
      if (sound && taken == 0) first_key = std::string(key.user_key);
      if (sound) RETURN_IF_ERROR(GiveReadable(key, walker.value(), &unreadable));
      ++taken;
    }
    if (unreadable.entries > 0) {
      unreadable.offset = span.handle.offset;
      unreadable.what = std::to_string(unreadable.entries) +
                        (unreadable.entries == 1 ? " value is" : " values are") +
                        " broken, the first: " + unreadable.what +
                        " (older versions, if there are any, come to light)";
      Lose(std::move(unreadable));
    }
    if (!sound || !walker.status().ok()) {
      Lose({.offset = span.handle.offset,
            .bytes = span.handle.size + kBlockTrailerSize,
            .what = "verifies, but its entry at byte " + std::to_string(walker.offset()) +
                    " is broken, out of order or of an unknown type",
            .key_from = last_user_key_,
            .key_to = span.separator});
    }
    ++report_.blocks;
    sound_bytes_ += span.handle.size;
    claimed_.push_back(
        {span.handle.offset, span.handle.end(), first_key ? ReportedTo(*first_key) : std::nullopt,
         last_user_key_ ? std::optional(ReportedFrom(*last_user_key_)) : std::nullopt});
    return Status::Ok();
  }

  // A block that is valid but has no data entries.
  Status Claim(const Span& span) {
    claimed_.push_back({span.handle.offset, span.handle.end()});
    end_of_meta_blocks_ = span.handle.end();
    return Status::Ok();
  }

  Status LoseBlock(const Span& span, const Status& failure) {
    SalvageLoss loss{.offset = span.handle.offset,
                     .bytes = span.handle.size + kBlockTrailerSize,
                     .what = parts_.Unplaced(failure),
                     .key_from = last_user_key_,
                     .key_to = span.separator};
    const std::string bytes = parts_.UnverifiedData(span.handle);
    // Reads twice instead of storing: keys with long shared prefixes are much larger than their
    // block.
    const auto plausible =
        [&](const std::function<Status(const InternalKey&, std::string_view)>& use) {
          std::optional<std::string> before = last_user_key_;
          return VisitReadableEntries(bytes, [&](std::string_view key, std::string_view value) {
            InternalKey parsed;
            if (!parts_.ParseKey(key, &parsed)) return Status::Ok();
            if (!parts_.Between(before, parsed.user_key, span.separator)) return Status::Ok();
            before = std::string(parsed.user_key);
            return use(parsed, value);
          });
        };
    RETURN_IF_ERROR(plausible([&](const InternalKey&, std::string_view) {
      ++loss.unverified;
      return Status::Ok();
    }));
    if (options_.take_unverified) {
      RETURN_IF_ERROR(plausible([&](const InternalKey& key, std::string_view value) -> Status {
        if (!InOrder(key)) return Status::Ok();
        RETURN_IF_ERROR(Give(key, value));
        ++report_.unverified_taken;
        return Status::Ok();
      }));
    }
    claimed_.push_back({span.handle.offset, span.handle.end()});
    Lose(std::move(loss));
    if (span.separator) last_user_key_ = span.separator;
    return Status::Ok();
  }

  bool InOrder(const InternalKey& key) const {
    return last_key_.empty() || parts_.After(last_key_, key);
  }

  // Passes on the entry, unless its value is invalid: then it is added to `lost`.
  Status GiveReadable(const InternalKey& stored, std::string_view value, SalvageLoss* lost) {
    const Status read = IsLate(parts_.Effective(stored).sequence)
                            ? LateSequence()
                            : CheckReadable(options_.blobs, stored, value);
    if (read.code() != Code::kCorruption) return Give(stored, value);
    if (lost->entries++ == 0) {
      lost->what = DebugString(stored) + ": " + std::string(read.message());
      lost->key_from = last_user_key_;
    }
    lost->key_to = std::string(stored.user_key);
    lost->bytes += stored.user_key.size() + kPackedSize + value.size();
    last_key_ = EncodeInternalKey(stored);
    last_user_key_ = std::string(stored.user_key);
    return Status::Ok();
  }

  bool IsLate(Sequence sequence) const { return sequence > options_.context.last_sequence; }
  Status LateSequence() const {
    return Status::Corruption("its sequence is beyond the last one of the database, " +
                              std::to_string(options_.context.last_sequence));
  }

  Status Give(const InternalKey& stored, std::string_view value) {
    DCHECK(InOrder(stored));
    RETURN_IF_ERROR(sink_.Add(parts_.Effective(stored), value));
    ++report_.entries;
    last_key_ = EncodeInternalKey(stored);
    last_user_key_ = std::string(stored.user_key);
    return Status::Ok();
  }

  Status TakeRangeDeletions() {
    const auto deletions = FindMeta(parts_.metaindex(), kMetaRangeDeletions);
    for (const RangeTombstone& tombstone : parts_.tombstones()) {
      if (IsLate(tombstone.sequence)) {
        Lose({.offset = deletions ? deletions->offset : 0,
              .what = "a range deletion: " + std::string(LateSequence().message()),
              .key_from = tombstone.begin,
              .key_to = tombstone.end});
        continue;
      }
      RETURN_IF_ERROR(sink_.AddRangeDeletion(tombstone.begin, tombstone.end, tombstone.sequence));
      ++report_.range_deletions;
    }
    return Status::Ok();
  }

  // Bytes below the end of the data that no block claims; padding is not reported.
  void NoteGaps() {
    if (index_complete_) return;
    uint64_t end = std::min(parts_.EndOfData(), report_.size);
    // What is left behind the last meta block is the footer.
    if (end <= end_of_meta_blocks_ + kFooterSize) end = std::min(end, end_of_meta_blocks_);
    claimed_.push_back({end, end});
    std::sort(claimed_.begin(), claimed_.end(),
              [](const Claimed& a, const Claimed& b) { return a.from < b.from; });
    uint64_t at = 0;
    std::optional<std::string> key_from;
    for (const Claimed& claimed : claimed_) {
      if (claimed.from > at) {
        Lose({.offset = at,
              .bytes = claimed.from - at,
              .what = WhyNothing(claimed.from),
              .key_from = key_from,
              .key_to = claimed.first_key});
      }
      at = std::max(at, claimed.to);
      if (claimed.last_key) key_from = claimed.last_key;
    }
  }

  std::string WhyNothing(uint64_t gap_end) const {
    if (!BlockScanner::CanScan(parts_.footer())) {
      return "the index is lost, and no checksum tells what a block is";
    }
    if (!scan_given_up_at_ || gap_end <= *scan_given_up_at_) return "no block verifies here";
    return "no block verifies up to " + std::to_string(*scan_given_up_at_) +
           ", where the search was given up: too many places look like a block";
  }

  void EstimateLosses() {
    const TableProperties& p = parts_.properties();
    if (parts_.has_properties() && p.raw.contains("rocksdb.num.entries")) {
      report_.entries_expected = p.entries;
    }
    uint64_t lost_bytes = 0;
    for (const SalvageLoss& loss : report_.losses) lost_bytes += loss.data ? loss.bytes : 0;
    if (lost_bytes == 0) return;
    CHECK_OP(report_.unverified_taken, <=, report_.entries);
    const uint64_t sound = report_.entries - report_.unverified_taken;
    const uint64_t had = sound + report_.range_deletions;
    uint64_t lost = 0;
    if (report_.entries_expected) {
      lost = *report_.entries_expected - std::min(*report_.entries_expected, had);
    } else if (sound_bytes_ > 0) {
      lost = (sound * lost_bytes + sound_bytes_ / 2) / sound_bytes_;
    }
    uint64_t left = lost, left_bytes = lost_bytes;
    for (SalvageLoss& loss : report_.losses) {
      if (!loss.data || left_bytes == 0) continue;
      loss.entries = static_cast<uint64_t>(
          std::llround(static_cast<double>(left) * static_cast<double>(loss.bytes) /
                       static_cast<double>(left_bytes)));
      left -= std::min(left, loss.entries);
      left_bytes -= loss.bytes;
    }
  }

  TableParts& parts_;
  const SalvageOptions& options_;
  SalvageSink& sink_;
  SalvageReport& report_;
  std::vector<Span> spans_;
  std::vector<Claimed> claimed_;
  bool index_complete_ = false;
  std::optional<uint64_t> scan_given_up_at_;
  uint64_t sound_bytes_ = 0;
  uint64_t end_of_meta_blocks_ = 0;  // Of those found by scanning.
  std::string last_key_;             // Encoded, of the last entry given.
  std::optional<std::string> last_user_key_;
};

}  // namespace

uint64_t SalvageReport::entries_lost() const {
  uint64_t lost = 0;
  for (const SalvageLoss& loss : losses) lost += loss.entries;
  return lost;
}

bool SalvageReport::complete() const {
  return std::none_of(losses.begin(), losses.end(), [&](const SalvageLoss& loss) {
    return loss.data && !(entries_expected && *entries_expected == entries + range_deletions);
  });
}

Result<SalvageReport> SalvageTable(FileSystem& fs, const std::string& path,
                                   const SalvageOptions& options, SalvageSink* sink) {
  CHECK(sink != nullptr);
  SalvageReport report;
  const size_t slash = path.rfind('/');
  report.file = slash == std::string::npos ? path : path.substr(slash + 1);
  ASSIGN_OR_RETURN(const auto parts, TableParts::Open(fs, path, options.context, &report.losses));
  report.size = parts->file_size();
  RETURN_IF_ERROR(TableSalvage(*parts, options, sink, &report).Run());
  report.comparator = parts->comparator_name();
  report.comparator_assumed = parts->comparator_assumed();
  return report;
}

}  // namespace varve
