// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/reads_json.h"

#include <utility>

#include "webview/api/schema/schema.h"

namespace varve::api {

Json ReadsJson(const std::vector<BlockLook>& blocks) {
  Json reads = Json::array();
  for (const BlockLook& block : blocks) {
    Json read = {{"kind", block.kind},
                 {"offset", block.offset},
                 {"size", block.size},
                 {"raw_size", block.raw_size},
                 {"cached", block.cached}};
    if (block.micros > 0) read["ns"] = block.micros * 1000;
    if (block.rocksdb_only) read["rocksdb_only"] = true;
    reads.push_back(std::move(read));
  }
  return reads;
}

Json ReadsSchema() {
  return ArrayOf(
      Object("BlockRead", {{"kind", OneOf({"filter_partition", "index_partition", "data"})},
                           {"offset", Number()},
                           {"size", Number()},
                           {"raw_size", Number()},
                           {"cached", Boolean()},
                           {"ns", Number(), kOptional},
                           {"rocksdb_only", Boolean(), kOptional}}));
}

Json FilterLookJson(const FilterLook& filter) {
  Json json = {
      {"kind", filter.kind}, {"partitioned", filter.partitioned}, {"may_match", filter.may_match}};
  if (!filter.bits.empty()) json["bits"] = filter.bits;
  if (filter.first_zero) json["first_zero"] = *filter.first_zero;
  return json;
}
Json FilterLookSchema() {
  return Object("FilterLook", {{"kind", Text()},
                               {"partitioned", Boolean()},
                               {"may_match", Boolean()},
                               {"bits", ArrayOf(Number()), kOptional},
                               {"first_zero", Number(), kOptional}});
}

}  // namespace varve::api
