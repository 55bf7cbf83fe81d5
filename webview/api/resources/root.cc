// SPDX-License-Identifier: Apache-2.0
// GET /: what this server is and can do.
#include "varve/version.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

Json Capabilities(const Service& service) {
  bool live = false;
  for (const auto& target : service.targets()) live |= target->live() != nullptr;
  Json jobs = Json::array();
  for (const JobKind& kind : JobKinds()) jobs.push_back(std::string(kind.name));
  return {{"write", service.may_write()},
          {"live", live},
          {"metrics", live},
          {"bench", false},
          {"jobs", std::move(jobs)},
          {"max_body", 64 << 10},
          {"codecs", {"none", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "zstd"}},
          {"comparators",
           {"leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator",
            "leveldb.BytewiseComparator.u64ts"}},
          {"decoders", {"utf8", "hex", "b64", "esc", "u64be"}}};
}

}  // namespace

Reply GetRoot(const Call& call) {
  Json json = call.Head();
  json["version"] = VARVE_VERSION;
  json["capabilities"] = Capabilities(call.service());
  json["limits"] = {{"page_size", kPageRowsMax}, {"page_bytes", kPageBytesMax}};
  json["schemas"] = Json::array();
  for (const SchemaRow& schema : SchemaTable()) json["schemas"].push_back(std::string(schema.name));
  json["targets"] = Json::array();
  for (const auto& target : call.service().targets()) {
    json["targets"].push_back(TargetSummaryJson(*target));
  }
  return json;
}

Json RootSchema() {
  return Document("varve.root/1",
                  {{"version", Text()},
                   {"capabilities", Object("Capabilities", {{"write", Boolean()},
                                                            {"live", Boolean()},
                                                            {"metrics", Boolean()},
                                                            {"bench", Boolean()},
                                                            {"jobs", ArrayOf(Text())},
                                                            {"max_body", Number()},
                                                            {"codecs", ArrayOf(Text())},
                                                            {"comparators", ArrayOf(Text())},
                                                            {"decoders", ArrayOf(Text())}})},
                   {"limits", Object({{"page_size", Number()}, {"page_bytes", Number()}})},
                   {"schemas", ArrayOf(Text())},
                   {"targets", ArrayOf(TargetSummarySchema())}});
}

}  // namespace varve::api
