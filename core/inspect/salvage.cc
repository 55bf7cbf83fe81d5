// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/salvage.h"

#include <algorithm>

#include "core/base/key_order.h"
#include "core/base/try.h"
#include "core/format/block_walker.h"
#include "core/inspect/block_scanner.h"
#include "core/inspect/readable_entries.h"
#include "core/inspect/table_parts.h"

namespace varve {
namespace {

// A data block as the index has it, or as it was found.
struct Span {
  BlockHandle handle;
  std::optional<std::string> separator = {};  // User key; nullopt: found by scanning.
};

// Bytes that a block claims, sound or not, and what it held.
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
    RETURN_IF_ERROR(sink_.Begin(parts_.Origin()));
    for (const Span& span : spans_) {
      if (options_.progress != nullptr && !options_.progress({span.handle.offset, report_.size})) {
        return Status::IoError("stopped at the caller's wish");
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
  void Lose(SalvageLoss loss) { report_.losses.push_back(std::move(loss)); }

  // Each part of the index that can be read.
  void FindSpans() {
    index_complete_ = parts_.WalkIndex(
        [&](BlockHandle handle, std::string_view separator) {
          if (handle.FitsBelow(report_.size)) {
            spans_.push_back({handle, parts_.SeparatorUserKey(separator)});
          }
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
        found.push_back({block});
      }
      return Status::Ok();
    };
    for (const Span& span : spans_) {
      RETURN_IF_ERROR(scan(span.handle.offset));
      at = std::max(at, span.handle.end());
    }
    RETURN_IF_ERROR(scan(parts_.EndOfData()));
    // What lies behind the data became known, perhaps, by what was found there.
    std::erase_if(found, [&](const Span& s) { return s.handle.end() > parts_.EndOfData(); });
    report_.by_scan = !found.empty();
    spans_.insert(spans_.end(), found.begin(), found.end());
    std::sort(spans_.begin(), spans_.end(),
              [](const Span& a, const Span& b) { return a.handle.offset < b.handle.offset; });
    return Status::Ok();
  }

  Status Take(const Span& span) {
    const bool found = !span.separator;
    const auto block = parts_.ReadData(span.handle);
    if (!block.ok()) {
      if (found) return Claim(span);  // Verified, but no data: a filter, say.
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
    std::optional<std::string> first_key;
    while (sound && walker.Next()) {
      sound = parts_.ParseKey(walker.key(), &key) && InOrder(key);
      if (!sound && found && taken == 0) return Claim(span);  // Of the index, perhaps.
      if (sound && taken == 0) first_key = std::string(key.user_key);
      if (sound) RETURN_IF_ERROR(Give(key, walker.value()));
      ++taken;
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
    claimed_.push_back({span.handle.offset, span.handle.end(), first_key, last_user_key_});
    return Status::Ok();
  }

  // A block that verifies, but holds no entries.
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
    const std::vector<ReadableEntry> readable = ReadableEntries(bytes);
    std::vector<ReadableEntry> plausible;
    std::optional<std::string> before = last_user_key_;
    for (const ReadableEntry& entry : readable) {
      InternalKey key;
      if (!parts_.ParseKey(entry.key, &key)) continue;
      if (!parts_.Between(before, key.user_key, span.separator)) continue;
      before = std::string(key.user_key);
      plausible.push_back(entry);
    }
    loss.unverified = plausible.size();
    if (options_.take_unverified) {
      for (const ReadableEntry& entry : plausible) {
        InternalKey key;
        if (!parts_.ParseKey(entry.key, &key) || !InOrder(key)) continue;
        RETURN_IF_ERROR(Give(key, entry.value));
        ++report_.unverified_taken;
      }
    }
    claimed_.push_back({span.handle.offset, span.handle.end()});
    Lose(std::move(loss));
    if (span.separator) last_user_key_ = span.separator;
    return Status::Ok();
  }

  bool InOrder(const InternalKey& key) const {
    return last_key_.empty() || parts_.After(last_key_, key);
  }

  Status Give(const InternalKey& stored, std::string_view value) {
    RETURN_IF_ERROR(sink_.Add(parts_.Effective(stored), value));
    ++report_.entries;
    last_key_ = EncodeInternalKey(stored);
    last_user_key_ = std::string(stored.user_key);
    return Status::Ok();
  }

  Status TakeRangeDeletions() {
    for (const RangeTombstone& tombstone : parts_.tombstones()) {
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
              .what = BlockScanner::CanScan(parts_.footer())
                          ? "no block verifies here"
                          : "the index is lost, and no checksum tells what a block is",
              .key_from = key_from,
              .key_to = claimed.first_key});
      }
      at = std::max(at, claimed.to);
      if (claimed.last_key) key_from = claimed.last_key;
    }
  }

  void EstimateLosses() {
    const TableProperties& p = parts_.properties();
    if (parts_.has_properties() && p.raw.contains("rocksdb.num.entries")) {
      report_.entries_expected = p.entries;
    }
    uint64_t lost_bytes = 0;
    for (const SalvageLoss& loss : report_.losses) lost_bytes += loss.data ? loss.bytes : 0;
    if (lost_bytes == 0) return;
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
      loss.entries =
          static_cast<uint64_t>(static_cast<double>(left) * static_cast<double>(loss.bytes) /
                                    static_cast<double>(left_bytes) +
                                0.5);
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
  SalvageReport report;
  const size_t slash = path.rfind('/');
  report.file = slash == std::string::npos ? path : path.substr(slash + 1);
  ASSIGN_OR_RETURN(const auto parts,
                   TableParts::Open(fs, path, options.global_sequence, &report.losses));
  report.size = parts->file_size();
  RETURN_IF_ERROR(TableSalvage(*parts, options, sink, &report).Run());
  report.comparator = parts->comparator_name();
  report.comparator_assumed = parts->comparator_assumed();
  return report;
}

}  // namespace varve
