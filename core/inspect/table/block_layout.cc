// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/block_layout.h"

#include <algorithm>
#include <string>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/format/limits.h"
#include "core/format/table/block_view.h"
#include "core/format/table/bloom_filter.h"
#include "core/format/table/filter.h"

namespace varve {
namespace {

// Maximum number of entries, and of restarts, in a block's tree; the rest is one leaf.
constexpr size_t kShownMax = 1 << 16;
constexpr uint32_t kHashIndexBit = 1u << 31;
constexpr uint8_t kNewFilterMarker = 0xff, kRibbonMarker = 0xfe;

// Decodes the entries of one block in order.
class EntryCutter {
 public:
  EntryCutter(const BlockView& view, const BlockContents& contents, uint64_t offset,
              LayoutNode* parent)
      : view_(view), contents_(contents), start_(offset), cut_(view.entries, offset, parent) {}

  void Run() {
    for (size_t i = 0; i < kShownMax && cut_.ok() && !cut_.empty(); ++i) {
      const bool restart = AtRestart();
      cut_.OpenNode("entry");
      CutEntry(restart);
      LayoutNode* const entry = cut_.CloseNode();
      if (entry != nullptr && restart) entry->note = "restart";
    }
    cut_.Finish("more_entries", "an entry runs past the end of the block");
  }

 private:
  bool AtRestart() {
    const uint64_t at = cut_.offset() - start_;
    while (next_restart_ < view_.num_restarts && view_.restart_offset(next_restart_) < at) {
      ++next_restart_;
    }
    return next_restart_ < view_.num_restarts && view_.restart_offset(next_restart_) == at;
  }

  bool CutEntry(bool restart) {
    uint64_t shared = 0, non_shared = 0, value_size = 0;
    const bool index = contents_.values == BlockContents::Values::kIndex;
    const bool sizeless = index && contents_.index.delta_encoded;
    if (!cut_.Varint("shared", &shared) || !cut_.Varint("non_shared", &non_shared)) return false;
    if (!sizeless && !cut_.Varint("value_size", &value_size)) return false;
    if (view_.separated && restart && !cut_.Varint("value_offset")) return false;
    if (!CutKey(non_shared)) return false;
    if (view_.separated) return true;
    if (sizeless) return CutIndexValue(shared);
    const std::string_view value = cut_.rest().substr(0, static_cast<size_t>(value_size));
    BlockHandle handle;
    ByteReader in(value);
    if (contents_.values == BlockContents::Values::kOpaque || value.size() < value_size ||
        !ReadBlockHandle(&in, &handle)) {
      return cut_.Bytes("value", value_size);
    }
    const uint64_t end = cut_.offset() + value_size;
    if (!(index ? CutIndexValue(0) : CutHandle()) || cut_.offset() > end) return false;
    return cut_.Bytes("rest_of_value", end - cut_.offset());
  }

  bool CutKey(uint64_t non_shared) {
    switch (contents_.keys) {
      case BlockContents::Keys::kText:
        return cut_.Bytes("name", non_shared);
      case BlockContents::Keys::kUserKeys:
        return cut_.Bytes("user_key", non_shared);
      case BlockContents::Keys::kInternalKeys:
        break;
    }
    return cut_.InternalKey("user_key", non_shared);
  }

  bool CutHandle() { return cut_.Varint("offset") && cut_.Varint("size"); }

  bool CutIndexValue(uint64_t shared) {
    const bool delta = contents_.index.delta_encoded && shared > 0;
    if (delta ? !cut_.Varint("size_change") : !CutHandle()) return false;
    return !contents_.index.has_first_key || cut_.Prefixed("first_key");
  }

  const BlockView& view_;
  const BlockContents& contents_;
  const uint64_t start_;
  LayoutCutter cut_;
  uint32_t next_restart_ = 0;
};

void CutNumbers(std::string_view name, std::string_view each, uint64_t count, LayoutCutter* cut) {
  cut->OpenNode(name);
  for (uint64_t i = 0; i < std::min<uint64_t>(count, kShownMax); ++i) {
    if (!cut->Fixed32(each)) break;
  }
  if (count > kShownMax) cut->Bytes("more", (count - kShownMax) * sizeof(uint32_t));
  cut->CloseNode();
}

}  // namespace

void LayOutKeyValueBlock(std::string_view payload, uint64_t offset, const BlockContents& contents,
                         LayoutNode* parent) {
  const Result<BlockView> view = ParseBlock(payload);
  LayoutCutter cut(payload, offset, parent);
  if (!view.ok()) {
    cut.Finish("undecoded", "");
    cut.Note(std::string(view.status().message()));
    return;
  }
  EntryCutter(*view, contents, offset, parent).Run();
  const uint32_t word = LoadFixed32(payload.data() + payload.size() - sizeof(uint32_t));
  // The part behind the entries, as ParseBlock() found it. A block without entries may have a
  // restart.
  LayoutCutter tail(payload.substr(view->entries.size()), offset + view->entries.size(), parent);
  if (view->separated) tail.Bytes("values", view->values.size());
  const uint64_t fixed = sizeof(uint32_t) * (view->separated ? 2 : 1) +
                         ((word & kHashIndexBit) != 0 ? sizeof(uint16_t) + view->num_buckets : 0);
  const uint64_t restarts = uint64_t{word & kBlockRestartsMax};
  tail.Bytes("undecoded", tail.rest().size() - fixed - restarts * sizeof(uint32_t));
  CutNumbers("restarts", "restart", restarts, &tail);
  if ((word & kHashIndexBit) != 0) {
    tail.OpenNode("hash_index");
    tail.Bytes("buckets", view->num_buckets);
    tail.Fixed16("bucket_count");
    tail.CloseNode();
  }
  if (view->separated) tail.Fixed32("value_part_offset");
  tail.Fixed32("last_word");
  tail.Note(std::to_string(word & kBlockRestartsMax) + " restarts" +
            ((word & kHashIndexBit) != 0 ? ", hash index" : "") +
            (view->separated ? ", separated" : "") +
            (view->evenly_spaced ? ", evenly spaced" : ""));
  tail.Finish("undecoded", "the parts of the block do not add up");
}

void LayOutFilter(std::string_view payload, uint64_t offset, LayoutNode* parent) {
  LayoutCutter cut(payload, offset, parent);
  if (payload.size() < kFilterTrailerSize) return cut.Finish("undecoded", "");
  const auto marker = static_cast<uint8_t>(payload[payload.size() - kFilterTrailerSize]);
  const bool ribbon = marker == kRibbonMarker, bloom = marker == kNewFilterMarker;
  cut.Bytes(ribbon ? "segments" : "lines", payload.size() - kFilterTrailerSize);
  cut.OpenNode("metadata");
  if (ribbon) {
    cut.Fixed8("marker");
    cut.Note("Ribbon");
    cut.Fixed8("seed");
    cut.Bytes("num_blocks", 3);
  } else if (bloom) {
    cut.Fixed8("marker");
    cut.Note("FastLocalBloom");
    cut.Fixed8("sub_implementation");
    cut.Fixed8("probes");
    cut.Bytes("zeros", 2);
  } else {
    cut.Fixed8("probes");
    cut.Note("legacy Bloom");
    cut.Fixed32("lines");
  }
  cut.Finish("undecoded", "");
}

void LayOutPerBlockFilters(std::string_view payload, uint64_t offset, LayoutNode* parent) {
  constexpr uint64_t kTailSize = sizeof(uint32_t) + 1;
  LayoutCutter cut(payload, offset, parent);
  if (payload.size() < kTailSize) return cut.Finish("undecoded", "");
  const uint64_t end = payload.size() - kTailSize;
  const uint64_t filters = LoadFixed32(payload.data() + end);
  if (filters > end || (end - filters) % sizeof(uint32_t) != 0) return cut.Finish("undecoded", "");
  cut.Bytes("filters", filters);
  CutNumbers("offsets", "offset", (end - filters) / sizeof(uint32_t), &cut);
  cut.Fixed32("offsets_at");
  cut.Fixed8("base_lg");
  cut.Note("a filter for each " + std::to_string(uint64_t{1} << (payload.back() & 63)) + " bytes");
}

}  // namespace varve
