// SPDX-License-Identifier: Apache-2.0
// What tables say of themselves: the footer, the metaindex and the properties. What is decoded is
// encoded and decoded again, to the same.
#include <string>
#include <string_view>

#include "core/format/table/footer.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/prefix_extractor.h"
#include "core/format/table/table_properties.h"
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

void Run(std::string_view bytes) {
  DecodeTheFooter(bytes);
  DecodeTheMetaindex(bytes);
  DecodeTheProperties(bytes);
}

}  // namespace

const Target table_meta = {"table_meta", Run};

}  // namespace varve::fuzz
