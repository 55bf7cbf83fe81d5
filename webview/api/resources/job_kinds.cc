// SPDX-License-Identifier: Apache-2.0
#include "webview/api/resources/job_kinds.h"

#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr JobKind kKinds[] = {
    {"verify", "check every checksum, order, count, level and directory invariant", MakeVerifyJob},
    {"digest", "one number for all visible records", MakeDigestJob},
    {"diff", "the records of two databases, compared", MakeDiffJob},
    {"compact", "a range of a running database", MakeCompactJob},
    {"salvage", "what could be saved of a damaged table; writes nothing", MakeSalvageJob},
    {"analysis", "space, tombstones, keyspace, filters or compression", MakeAnalysisJob},
};

Json BodyOf(std::string_view kind, const SchemaMembers& members) {
  Json body = Object(members);
  body["properties"]["kind"] = {{"const", std::string(kind)}};
  body["required"].push_back("kind");
  return body;
}

}  // namespace

Json JobBody() {
  return {{"title", "JobBody"},
          {"oneOf",
           Json::array({BodyOf("verify", {{"file", Text(), kOptional}}), BodyOf("digest", {}),
                        BodyOf("diff", {{"other", Text()},
                                        {"cf", Text(), kOptional},
                                        {"brief", Boolean(), kOptional}}),
                        BodyOf("compact", {{"cf", Text(), kOptional},
                                           {"from", Text(), kOptional},
                                           {"to", Text(), kOptional}}),
                        BodyOf("salvage", {{"file", Text(), kOptional}}),
                        BodyOf("analysis", {{"analysis", OneOf({"space", "tombstones", "keyspace",
                                                                "filters", "compression"})},
                                            {"cf", Text(), kOptional},
                                            {"from", Text(), kOptional},
                                            {"to", Text(), kOptional},
                                            {"group_by", Text(), kOptional},
                                            {"group_length", Number(), kOptional},
                                            {"estimate", Boolean(), kOptional},
                                            {"samples", Number(), kOptional},
                                            {"seed", Number(), kOptional}})})}};
}

std::span<const JobKind> JobKinds() { return kKinds; }

}  // namespace varve::api
