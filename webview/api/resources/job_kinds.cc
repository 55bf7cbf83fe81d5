// SPDX-License-Identifier: Apache-2.0
#include "webview/api/resources/job_kinds.h"

namespace varve::api {

const std::vector<JobKind>& JobKinds() {
  static const std::vector<JobKind> kinds = {VerifyJob(), DigestJob(),  DiffJob(),    CompactJob(),
                                             IngestJob(), SalvageJob(), AnalysisJob()};
  return kinds;
}

const Shape<JobBody>& JobShape() {
  static const auto shape = [] {
    TaggedShape<JobBody> any("kind");
    for (const JobKind& kind : JobKinds()) {
      any.Add(kind.name, MappedShape(kind.body, [name = std::string(kind.name)](TaskMaker maker) {
                return JobBody{name, std::move(maker)};
              }));
    }
    Shape<JobBody> body = any.shape();
    body.schema["title"] = "JobBody";
    return body;
  }();
  return shape;
}

}  // namespace varve::api
