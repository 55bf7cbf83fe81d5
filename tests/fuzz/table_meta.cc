// SPDX-License-Identifier: Apache-2.0
// What tables say of themselves: the footer, the metaindex, the properties and the point index.
// What is decoded is encoded and decoded again, to the same; a point index is asked for keys.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/format/table/footer.h"
#include "core/format/table/hash_index.h"
#include "core/format/table/integer_index.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/prefix_extractor.h"
#include "core/format/table/table_properties.h"
#include "core/table/point/point_index.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

void DecodeTheFooter(std::string_view bytes) {
  const auto footer = DecodeFooter(bytes, bytes.size());
  if (!footer.ok()) return;
  Must(footer->offset + footer->size() == bytes.size(), "a footer ends its file");
  Must(footer->metaindex.FitsBelow(footer->offset), "the metaindex is before the footer");
  if (footer->format_version < 2) return;  // Never written.
  std::string again(footer->offset, '\0');
  AppendFooter(&again, *footer);
  const auto decoded = DecodeFooter(again, again.size());
  MustBeOk(decoded.status(), "a footer that was written");
  Must(decoded->format_version == footer->format_version && decoded->checksum == footer->checksum &&
           decoded->metaindex == footer->metaindex && decoded->index == footer->index &&
           decoded->base_context_checksum == footer->base_context_checksum,
       "a footer is written as it was read");
}

void DecodeTheMetaindex(std::string_view bytes) {
  constexpr uint64_t kFooterOffset = uint64_t{1} << 40;
  const auto metaindex = DecodeMetaindex(bytes, kFooterOffset);
  if (!metaindex.ok()) return;
  const auto again = DecodeMetaindex(EncodeMetaindex(*metaindex), kFooterOffset);
  MustBeOk(again.status(), "a metaindex that was written");
  Must(*again == *metaindex, "a metaindex is written as it was read");
  static_cast<void>(FindProperties(*metaindex));
  static_cast<void>(FindFilter(*metaindex));
}

void DecodeTheProperties(std::string_view bytes) {
  auto properties = DecodeTableProperties(bytes);
  if (!properties.ok()) return;
  properties->has_embedded_blobs = false;  // Never written.
  const std::string once = EncodeTableProperties(*properties);
  const auto again = DecodeTableProperties(once);
  MustBeOk(again.status(), "properties that were written");
  Must(EncodeTableProperties(*again) == once, "properties are written as they were read");
  Must(again->entries == properties->entries && again->comparator == properties->comparator &&
           again->global_seqno == properties->global_seqno &&
           again->index_type == properties->index_type,
       "properties that readers use are kept");
  const auto prefixes = PrefixExtractor::FromName(properties->prefix_extractor);
  if (!prefixes) return;
  const auto prefix = prefixes->Prefix("a key");
  Must(!prefix || std::string_view("a key").starts_with(*prefix), "a prefix begins its key");
}

void DecodeTheIntegerIndex(std::string_view bytes) {
  auto index = DecodeIntegerIndex(bytes);
  if (!index.ok()) return;
  const auto again = DecodeIntegerIndex(EncodeIntegerIndex(*index));
  MustBeOk(again.status(), "an integer index that was written");
  Must(*again == *index, "an integer index is written as it was read");
  const std::string prefix = index->prefix;
  const uint64_t smallest = index->smallest, span = index->span;
  const size_t size = std::min<size_t>(index->key_size, IntegerIndex::kIntegerSize);
  const PointIndex point(*std::move(index));
  const auto find = [&](uint64_t integer) {
    std::string key = prefix;
    for (size_t i = size; i-- > 0;) key.push_back(static_cast<char>(integer >> (8 * i)));
    const auto place = point.Find(key);
    Must(!place || (place->block < point.blocks() && place->slot < point.entries_of(place->block)),
         "a place is in a block");
  };
  for (uint64_t i = 0; i < 64; ++i) {
    find(smallest + i);
    find(smallest + span - i);
    find(smallest + span / 64 * i);
  }
}

void DecodeTheHashIndex(std::string_view bytes) {
  auto index = DecodeHashIndex(bytes);
  if (!index.ok()) return;
  const auto again = DecodeHashIndex(EncodeHashIndex(*index));
  MustBeOk(again.status(), "a hash index that was written");
  Must(*again == *index, "a hash index is written as it was read");
  const PointIndex point(*std::move(index));
  for (uint32_t i = 0; i < 256; ++i) {
    const auto place = point.Find("key " + std::to_string(i));
    Must(!place || (place->block < point.blocks() && place->slot < point.entries_of(place->block)),
         "a place is in a block");
  }
}

void Run(std::string_view bytes) {
  DecodeTheIntegerIndex(bytes);
  DecodeTheHashIndex(bytes);
  DecodeTheFooter(bytes);
  DecodeTheMetaindex(bytes);
  DecodeTheProperties(bytes);
}

}  // namespace

const Target table_meta = {"table_meta", Run};

}  // namespace varve::fuzz
