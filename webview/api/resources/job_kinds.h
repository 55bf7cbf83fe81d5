// SPDX-License-Identifier: Apache-2.0
// The kinds of jobs that POST …/jobs can start, one row each in job_kinds.cc.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "webview/api/jobs.h"
#include "webview/api/routing/call.h"

namespace varve::api {

struct JobKind {
  std::string_view name;  // "verify"
  std::string_view summary;
  // From a request's JSON body, whose "kind" has already been checked.
  Answer<std::unique_ptr<JobTask>> (*make)(const Call& call, const Json& body);
};
std::span<const JobKind> JobKinds();
Json JobBody();  // The schema of the body of POST …/jobs, one alternative per kind.

// Jobs that read records check for cancellation this often.
inline constexpr int kRecordsBetweenLooks = 256;

// verify_job.cc: {"kind":"verify"} the whole target, or {"kind":"verify","file":"123"} one table.
Answer<std::unique_ptr<JobTask>> MakeVerifyJob(const Call& call, const Json& body);
Json VerifySchema();

// digest_job.cc: {"kind":"digest"} of every visible record of a database.
Answer<std::unique_ptr<JobTask>> MakeDigestJob(const Call& call, const Json& body);
Json DigestSchema();

// compact_job.cc: {"kind":"compact","cf":"default","from":"a","to":"b"}, of a running database.
Answer<std::unique_ptr<JobTask>> MakeCompactJob(const Call& call, const Json& body);
Json CompactSchema();

// diff_job.cc: {"kind":"diff","other":"t2"} records of this database against another.
Answer<std::unique_ptr<JobTask>> MakeDiffJob(const Call& call, const Json& body);
Json DiffSchema();

// salvage_job.cc: {"kind":"salvage","file":"123"}; of a target that is a table, without the file.
Answer<std::unique_ptr<JobTask>> MakeSalvageJob(const Call& call, const Json& body);
Json SalvageSchema();

// analyses.cc: {"kind":"analysis","analysis":"space"}; for space, tombstones and keyspace also
// "cf", "from", "to", "group_by", "group_length", "estimate", "samples", "seed".
Answer<std::unique_ptr<JobTask>> MakeAnalysisJob(const Call& call, const Json& body);
Json SpaceSchema();
Json TombstonesSchema();
Json KeyspaceSchema();
Json FiltersSchema();
Json CompressionSchema();

}  // namespace varve::api
