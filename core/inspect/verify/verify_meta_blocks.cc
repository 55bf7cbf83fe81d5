// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/verify_meta_blocks.h"

#include <algorithm>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/abbreviate.h"
#include "core/base/text/text.h"
#include "core/format/table/block_walker.h"

namespace varve {
namespace {

class MetaBlockVerifier {
 public:
  MetaBlockVerifier(const VerifiedTable& table, const Comparator& comparator)
      : table_(table), parts_(table.parts()), order_{&comparator} {}

  void Verify() {
    WarnOfWhatIsUnguarded();
    for (const auto& [meta, handle] : parts_.metaindex) {
      if (handle.size == 0) continue;
      table_.CountBlock(handle);
      NoteExtent(EscapeForDisplay(meta), handle);
      const auto stored = parts_.fetcher.ReadStored(handle);
      if (!stored.ok()) {
        table_.Error(handle.offset, MetaFailure(meta, stored.status()));
        continue;
      }
      const Footer& footer = parts_.fetcher.footer();
      const auto block =
          SplitTrailer(*stored, footer.checksum, footer.base_context_checksum, handle.offset);
      // Ingestion may have changed the sequence number in place (sst-format 11.2).
      const bool patched = meta == kMetaProperties && parts_.properties.global_seqno.has_value();
      if (!block.ok() && !patched) {
        table_.Error(handle.offset, MetaFailure(meta, block.status()));
      }
    }
    if (!table_.reader.filter_status().ok()) {
      table_.findings.AddFailure("table", table_.name, table_.reader.filter_status());
    }
    if (!table_.reader.point_status().ok()) {
      table_.findings.AddFailure("table", table_.name, table_.reader.point_status());
    }
    VerifyFilterPartitions();
    VerifyIndexPartitions();
    NoteExtent("the metaindex", parts_.fetcher.footer().metaindex);
    // From format_version 6 on the metaindex has its handle.
    if (parts_.fetcher.footer().index) NoteExtent("the index", parts_.index.handle);
    VerifyExtents();
  }

 private:
  static std::string MetaFailure(std::string_view meta, const Status& why) {
    return AbbreviateForDisplay(meta).append(": ").append(why.message());
  }

  void WarnOfWhatIsUnguarded() {
    if (parts_.fetcher.footer().checksum == ChecksumType::kNone) {
      table_.findings.Warn("table", table_.name, std::string(kNoChecksums));
    }
    const auto properties = FindProperties(parts_.metaindex);
    if (properties && parts_.properties.global_seqno.value_or(0) != 0) {
      table_.findings.Add(
          {.severity = Finding::Severity::kWarning,
           .layer = "block",
           .file = table_.name,
           .offset = properties->offset,
           .what = "global_seqno " + std::to_string(*parts_.properties.global_seqno) +
                   " was stored after the properties' checksum: no checksum covers it"});
    }
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
      table_.Error(here.offset, extents_[i].what + " begins within " + extents_[i - 1].what +
                                    ", a block of " + std::to_string(before.size) + " bytes at " +
                                    std::to_string(before.offset));
    }
    extents_ = {};
  }

  // Forward steps do not use the restart points, but seeks and steps back do.
  void VerifyIndexBlock(std::string_view what, BlockHandle handle, const Block& block) {
    IndexWalker walker(block.view(), parts_.index.encoding.values);
    while (walker.Next()) {
    }
    if (!walker.status().ok()) {
      table_.Error(handle.offset, std::string(what).append(": ").append(walker.status().message()));
    }
  }

  // Searches use the top level's separators: each must be at or behind the last one of its
  // partition and before the first one of the next.
  void VerifyIndexPartitions() {
    VerifyIndexBlock("the index", parts_.index.handle, *parts_.index.top);
    if (!parts_.index.two_levels) return;
    IndexBlockCursor top, leaf;
    top.Attach(*parts_.index.top, parts_.index.encoding);
    std::string last, bound;
    uint64_t end = 0;
    for (bool on = top.SeekToFirst(); on; on = top.Next()) {
      const BlockHandle handle = top.handle();
      if (handle.offset < end) {
        table_.Error(handle.offset, "the index of partitions points back");
        return;
      }
      end = handle.FitsBelow(table_.reader.file_size()) ? handle.end() : end;
      table_.CountBlock(handle);
      NoteExtent("an index partition", handle);
      const auto partition = parts_.fetcher.Read(handle, BlockKind::kKeyValue, {});
      if (!partition.ok()) continue;  // Reported when the data blocks are walked.
      VerifyIndexBlock("the index partition", handle, **partition);
      leaf.Attach(**partition, parts_.index.encoding);
      for (bool entry = leaf.SeekToFirst(); entry; entry = leaf.Next()) {
        if (table_.ordered && !bound.empty() &&
            !table_.SeparatorsAscend(order_, bound, leaf.key())) {
          table_.Error(handle.offset,
                       "the index partition begins before the separator that ends the one "
                       "in front of it");
        }
        bound.clear();
        last = leaf.key();
      }
      bound = top.key();
      if (table_.ordered && !last.empty() && table_.SeparatorsAscend(order_, bound, last)) {
        table_.Error(handle.offset, "the index partition goes on behind its own separator");
      }
    }
    if (top.damaged())
      table_.Error(parts_.index.handle.offset, "the index of partitions is broken");
  }

  void VerifyFilterPartitions() {
    if (parts_.filter.top() == nullptr) return;
    CHECK(parts_.filter.entry().has_value());
    const BlockHandle top = parts_.filter.entry()->handle;
    VerifyIndexBlock("the index of filter partitions", top, *parts_.filter.top());
    IndexBlockCursor cursor;
    cursor.Attach(*parts_.filter.top(), parts_.index.encoding);
    uint64_t end = 0;
    std::string before;
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      const BlockHandle handle = cursor.handle();
      if (table_.ordered && !before.empty() &&
          !table_.SeparatorsAscend(order_, before, cursor.key())) {
        table_.Error(top.offset, "the index of filter partitions is out of order");
      }
      before = cursor.key();
      if (handle.size == 0) continue;
      if (handle.offset < end) {
        table_.Error(handle.offset, "the index of filter partitions points back");
        return;
      }
      end = handle.FitsBelow(table_.reader.file_size()) ? handle.end() : end;
      table_.CountBlock(handle);
      NoteExtent("a filter partition", handle);
      const auto block = parts_.fetcher.Read(handle, BlockKind::kOpaque, {});
      if (!block.ok()) {
        table_.findings.AddFailureOf("a filter partition", "block", table_.name, block.status());
      }
    }
    if (cursor.damaged()) table_.Error(top.offset, "the index of filter partitions is broken");
  }

  struct Extent {
    BlockHandle handle;
    std::string what;
  };

  const VerifiedTable& table_;
  const TableReader::Impl& parts_;
  const VirtualOrder order_;
  std::vector<Extent> extents_;
};

}  // namespace

void VerifyMetaBlocks(const VerifiedTable& table, const Comparator& comparator) {
  MetaBlockVerifier(table, comparator).Verify();
}

}  // namespace varve
