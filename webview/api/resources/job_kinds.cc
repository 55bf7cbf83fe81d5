// SPDX-License-Identifier: Apache-2.0
#include "webview/api/resources/job_kinds.h"

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

}  // namespace

std::span<const JobKind> JobKinds() { return kKinds; }

}  // namespace varve::api
