// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/reads_json.h"

namespace varve::api {

const Fields<BlockLook>& BlockLookFields() {
  static const auto fields =
      Fields<BlockLook>("BlockRead")
          .Choice("kind", {"filter_partition", "index_partition", "data"}, &BlockLook::kind,
                  "of block")
          .Number("offset", Unit::kOffset, &BlockLook::offset, "where it begins in the table")
          .Number("size", Unit::kBytes, &BlockLook::size, "as stored, with its trailer")
          .Number("raw_size", Unit::kBytes, &BlockLook::raw_size, "decompressed")
          .Flag("cached", &BlockLook::cached, "by an earlier look of the same report")
          .Number(
              "ns", Unit::kNanoseconds,
              [](const BlockLook& block) {
                return block.micros > 0 ? std::optional(block.micros * 1000) : std::nullopt;
              },
              "that fetching it took")
          .Flag("rocksdb_only", IfSet(&BlockLook::rocksdb_only),
                "RocksDB reads it; this engine knows that the key cannot be there, and does not");
  return fields;
}

const Fields<FilterLook>& FilterLookFields() {
  static const auto fields =
      Fields<FilterLook>("FilterLook")
          .Text(
              "kind", &FilterLook::kind,
              "bloom, legacy_bloom, ribbon, constant, per_block, none, unusable; point_index: that "
              "answered in its place")
          .Flag("partitioned", &FilterLook::partitioned, "one filter for each part of the keys")
          .Flag("may_match", &FilterLook::may_match, "it lets the key pass")
          .Numbers("bits", Unit::kNone, IfSet(&FilterLook::bits),
                   "of a Bloom filter: which bits were looked at, up to the first that is not set")
          .Number("first_zero", Unit::kNone, &FilterLook::first_zero,
                  "the one of them that is not set");
  return fields;
}

}  // namespace varve::api
