// SPDX-License-Identifier: Apache-2.0
// The kinds of jobs that POST …/jobs can start. Each source file has one: what its body is, how its
// task is made, and the document that is its result.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webview/api/jobs.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/shape.h"

namespace varve::api {

// What a body asks for.
struct TaskMaker {
  // All that whoever starts it must have the right to, and who wants to see it.
  std::function<Answer<std::vector<Right>>(const Call& call)> needs;
  // Makes the task, or says why it cannot be started on the call's target.
  std::function<Answer<std::unique_ptr<JobTask>>(const Call& call)> make;
};

struct JobKind {
  std::string_view name;  // "verify"
  Shape<TaskMaker> body;  // Of POST …/jobs, besides "kind".
};
template <typename Body>
JobKind NewJobKind(std::string_view name, std::string_view summary, const Shape<Body>& body,
                   Answer<std::vector<Right>> (*needs)(const Call& call, const Body& body),
                   Answer<std::unique_ptr<JobTask>> (*make)(const Call& call, const Body& body)) {
  JobKind kind{name, MappedShape(body, [needs, make](Body given) -> TaskMaker {
                 return {[needs, given](const Call& call) { return needs(call, given); },
                         [make, given](const Call& call) { return make(call, given); }};
               })};
  kind.body.schema["description"] = std::string(summary);
  return kind;
}
const std::vector<JobKind>& JobKinds();

// The body of POST …/jobs.
struct JobBody {
  std::string kind;
  TaskMaker maker;
};
const Shape<JobBody>& JobShape();

// Jobs that read records check for cancellation this often.
inline constexpr int kRecordsBetweenLooks = 256;

// verify_job.cc: {"kind":"verify"} the whole target, or {"kind":"verify","file":"123"} one table.
JobKind VerifyJob();
extern const DocumentSchema kVerifyDocument;

// digest_job.cc: {"kind":"digest"} of every visible record of a database.
JobKind DigestJob();
extern const DocumentSchema kDigestDocument;

// compact_job.cc: {"kind":"compact","cf":"default","from":"a","to":"b"}, of a running database.
JobKind CompactJob();
extern const DocumentSchema kCompactDocument;

// ingest_job.cc: {"kind":"ingest","tables":[{"cf":"default","files":["a.sst"]}]}, likewise.
JobKind IngestJob();
extern const DocumentSchema kIngestedDocument;

// diff_job.cc: {"kind":"diff","other":"t2"} records of this database against another.
JobKind DiffJob();
extern const DocumentSchema kDiffDocument;

// salvage_job.cc: {"kind":"salvage","file":"123"}; of a target that is a table, without the file.
JobKind SalvageJob();
extern const DocumentSchema kSalvageDocument;

// analyses.cc: {"kind":"analysis","analysis":"space"}.
JobKind AnalysisJob();
extern const DocumentSchema kSpaceDocument;
extern const DocumentSchema kTombstonesDocument;
extern const DocumentSchema kKeyspaceDocument;
extern const DocumentSchema kFiltersDocument;
extern const DocumentSchema kCompressionDocument;

}  // namespace varve::api
