// SPDX-License-Identifier: Apache-2.0
// GET /: the version and capabilities of this server.
#include <functional>
#include <string_view>
#include <vector>

#include "varve/version.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

// What the root says depends on who asks.
struct Asked {
  const Service& service;
  const Caller& caller;
};

bool IsLive(const Asked& asked) {
  for (const auto& target : asked.service.TargetsOf(asked.caller)) {
    if (target->live() != nullptr) return true;
  }
  return false;
}

bool HasMetrics(const Asked& asked) {
  for (const auto& target : asked.service.TargetsOf(asked.caller)) {
    if (target->live() == nullptr) continue;
    return asked.caller.rights.Have({Access::kRead, target->name()});
  }
  return false;
}

bool MayWrite(const Asked& asked) {
  for (const auto& target : asked.service.targets()) {
    if (asked.caller.rights.HaveSomeOf(Access::kWrite, target->name())) {
      return asked.service.may_write();
    }
  }
  return false;
}

const Fields<Right>& RightFields() {
  static const auto fields =
      Fields<Right>("Right")
          .Choice(
              "access", {"read", "write"},
              [](const Right& right) -> std::string_view {
                return right.access == Access::kWrite ? "write" : "read";
              },
              "who may write may read")
          .Text(
              "target",
              [](const Right& right) {
                return right.target.empty() ? std::nullopt : std::optional(right.target);
              },
              "name of the target; of all if not given")
          .Name(
              "cf", [](const Right& right) { return right.family ? &*right.family : nullptr; },
              "name of the column family; all of the target if not given");
  return fields;
}

std::vector<std::string_view> KindsOfJobs(const Asked&) {
  std::vector<std::string_view> names;
  for (const JobKind& kind : JobKinds()) names.push_back(kind.name);
  return names;
}

// A getter for a value that is the same for every service.
template <typename Value>
auto Always(Value value) {
  return [value = std::move(value)](const Asked&) { return value; };
}

using Names = std::vector<std::string_view>;

const Fields<Asked>& CapabilitiesFields() {
  static const auto fields =
      Fields<Asked>("Capabilities")
          .Flag("write", MayWrite,
                "running databases may be changed, by who asks, at least in part")
          .Flag("live", IsLive, "one of the targets is a running database")
          .Flag("metrics", HasMetrics, "/metrics has something to tell")
          .Flag("bench", Always(false), "benchmarks can be started")
          .Texts("jobs", KindsOfJobs, "kinds of jobs")
          .Number("max_body", Unit::kBytes, Always(64 << 10), "of a request")
          .Texts("codecs", Always(Names{"none", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "zstd"}),
                 "compression that can be read")
          .Texts("comparators",
                 Always(Names{"leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator",
                              "leveldb.BytewiseComparator.u64ts"}),
                 "orders of keys that are known")
          .Texts("decoders", Always(Names{"utf8", "hex", "b64", "esc", "u64be"}),
                 "forms of key literals");
  return fields;
}

const Fields<Asked>& LimitsFields() {
  static const auto fields =
      Fields<Asked>("Limits")
          .Number("page_size", Unit::kCount, Always(kPageRowsMax), "rows of a page, at most")
          .Number("page_bytes", Unit::kBytes, Always(kPageBytesMax),
                  "of a page, after which it ends");
  return fields;
}

std::vector<std::string_view> NamesOfSchemas(const Asked&) {
  std::vector<std::string_view> names;
  for (const DocumentSchema* document : DocumentTable()) names.push_back(document->name);
  return names;
}

const Fields<Asked>& RootFields() {
  static const auto fields =
      Fields<Asked>()
          .Text("version", Always(std::string_view(VARVE_VERSION)), "of varve")
          .Object("capabilities", std::identity(), CapabilitiesFields(), "what this server can do")
          .Object("limits", std::identity(), LimitsFields(), "of its answers")
          .Texts("schemas", NamesOfSchemas, "names of all documents; GET /schema/{name}/{version}")
          .Text(
              "user",
              [](const Asked& asked) {
                return asked.caller.name.empty() ? std::nullopt : std::optional(asked.caller.name);
              },
              "who asks, where users have names")
          .List(
              "rights",
              [](const Asked& asked) -> const auto& { return asked.caller.rights.list(); },
              RightFields(), "of who asks; all else is refused")
          .List(
              "targets", [](const Asked& asked) { return asked.service.TargetsOf(asked.caller); },
              TargetSummaryFields(), "what it shows to who asks");
  return fields;
}

Reply GetRoot(const Call& call) {
  Json json = call.Head();
  RootFields().AddTo(&json, {call.service(), call.caller()});
  return json;
}

constexpr DocumentSchema kRootDocument = {
    .name = "varve.root/1",
    .make = [](std::string_view name) { return Document(name, RootFields().Members()); }};

}  // namespace

std::span<const Route> RootRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/",
       .handler = GetRoot,
       .auth = Auth::kRead,
       .part = Part::kServer,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kRootDocument,
       .summary = "what this server is and can do"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
