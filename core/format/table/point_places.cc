// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/point_places.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/limits.h"

namespace varve {
namespace {

std::string_view ReadBlocks(ByteReader* in, PointPlaces* places) {
  uint32_t count = 0;
  in->ReadVarint32(&count);
  constexpr size_t kBlockBytesMin = 3;
  if (count > in->rest().size() / kBlockBytesMin) return "it has too many blocks";
  places->blocks.reserve(count);
  uint64_t end = 0, entries = 0;
  for (uint32_t i = 0; i < count; ++i) {
    PointPlaces::DataBlock block;
    uint64_t gap = 0;
    in->ReadVarint32(&block.entries);
    in->ReadVarint64(&gap);
    in->ReadVarint64(&block.handle.size);
    constexpr uint64_t kOffsetMax = uint64_t{1} << 62;
    if (!in->ok() || block.entries == 0 || block.handle.size == 0 || gap > kOffsetMax ||
        block.handle.size > kBlockRawSizeMax || end > kOffsetMax) {
      return "a block cannot be";
    }
    block.handle.offset = end + gap;
    end = block.handle.end();
    entries += block.entries;
    places->blocks.push_back(block);
  }
  return entries == places->entries ? "" : "its blocks do not have its entries";
}

std::string_view ReadRepeats(ByteReader* in, PointPlaces* places) {
  uint32_t count = 0;
  in->ReadVarint32(&count);
  if (count > in->rest().size() / 2) return "it has too many repeats";
  places->repeats.reserve(count);
  uint64_t rank = 0, more = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t step = 0, versions = 0;
    in->ReadVarint32(&step);
    in->ReadVarint32(&versions);
    rank += step;
    if (!in->ok() || versions == 0 || rank >= places->keys || (i > 0 && step == 0)) {
      return "a repeat cannot be";
    }
    more += versions;
    places->repeats.push_back({static_cast<uint32_t>(rank), versions});
  }
  return places->keys + more == places->entries ? "" : "its repeats do not give its entries";
}

}  // namespace

void AppendPointPlaces(std::string* out, const PointPlaces& places) {
  AppendVarint32(out, static_cast<uint32_t>(places.blocks.size()));
  uint64_t end = 0;
  for (const PointPlaces::DataBlock& block : places.blocks) {
    CHECK_OP(block.handle.offset, >=, end);
    AppendVarint32(out, block.entries);
    AppendVarint64(out, block.handle.offset - end);
    AppendVarint64(out, block.handle.size);
    end = block.handle.end();
  }
  AppendVarint32(out, static_cast<uint32_t>(places.repeats.size()));
  uint32_t rank = 0;
  for (const PointPlaces::Repeat& repeat : places.repeats) {
    AppendVarint32(out, repeat.rank - rank);
    AppendVarint32(out, repeat.more);
    rank = repeat.rank;
  }
}

std::string_view ReadPointPlaces(ByteReader* in, PointPlaces* places) {
  if (const std::string_view wrong = ReadBlocks(in, places); !wrong.empty()) return wrong;
  return ReadRepeats(in, places);
}

}  // namespace varve
