// SPDX-License-Identifier: Apache-2.0
// …/jobs: start, look at, cancel and delete; results and findings; progress as an event stream.
#include "core/base/check.h"
#include "core/base/hash/hash.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"

namespace varve::api {
namespace {

const Fields<Job>& StartedJobFields() {
  static const auto fields =
      Fields<Job>().Other("job", JobSchema(), &Job::ToJson, "its state at this moment");
  return fields;
}

Json JobDocument(const Call& call, const Job& job) {
  Json json = call.Head();
  StartedJobFields().AddTo(&json, job);
  return json;
}

// event: job, whenever something has changed; the last one has the final state. The id of an event
// is that of the state it shows, so a client that reconnects with Last-Event-ID does not get it
// twice.
class JobEvents : public BodyStream {
 public:
  JobEvents(std::shared_ptr<Job> job, std::string known)
      : job_(std::move(job)), last_(std::move(known)) {}

  static std::string IdOf(std::string_view state) { return Hex(Xxh3_64(state), 16); }

  Event Next(std::string* piece) override {
    if (ended_) return Event::kEnd;
    ended_ = job_->ended();  // Before the JSON is made, so that the last one is the final state.
    const std::string now = Dump(job_->ToJson());
    std::string id = IdOf(now);
    if (id == last_) return ended_ ? Event::kEnd : Event::kWait;
    last_ = std::move(id);
    *piece = "event: job\nid: " + last_ + "\ndata: " + now + "\n\n";
    return Event::kPiece;
  }

 private:
  const std::shared_ptr<Job> job_;
  std::string last_;  // The id of the last event sent.
  bool ended_ = false;
};

Answer<std::shared_ptr<Job>> JobOf(const Call& call) {
  return call.service().jobs().Find(call.target(), call.caller().rights, call.Part("j"));
}

// The job if it is done; a problem otherwise.
Answer<std::shared_ptr<Job>> DoneJobOf(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, JobOf(call));
  if (job->finished_task() != nullptr) return job;
  if (!job->ended()) return Problem("job_running", "the job is not done yet");
  return Problem("conflict", "the job " + std::string(JobStateName(job->state())))
      .With("job", job->ToJson());
}

Reply ListJobs(const Call& call) {
  const auto jobs = call.service().jobs().Of(call.target(), call.caller().rights);
  return List{call.Head(), "jobs",
              IndexedRows(call, jobs.size(), [jobs](size_t i) { return jobs[i]->ToJson(); })};
}

Reply StartJob(const Call& call) {
  ASSIGN_OR_RETURN(const JobBody body, call.Body(JobShape()));
  ASSIGN_OR_RETURN(std::vector<Right> needs, body.maker.needs(call));
  CHECK(!needs.empty(), "every job is about something");
  for (const Right& need : needs) RETURN_IF_PROBLEM(call.Require(need));
  ASSIGN_OR_RETURN(auto task, body.maker.make(call));
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job,
                   call.service().jobs().Start({.kind = body.kind,
                                                .user = call.caller().name,
                                                .needs = std::move(needs),
                                                .target = call.shared_target(),
                                                .as_of = AsOfFields().ToJson(call.as_of())},
                                               std::move(task)));
  return Reply(JobDocument(call, *job))
      .WithStatus(202)
      .WithHeader("Location", job->ToJson()["href"]);
}

Reply GetJob(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, JobOf(call));
  if (call.WantsEvents()) {
    const std::string known = call.LastEventId();
    if (job->ended() && known == JobEvents::IdOf(Dump(job->ToJson()))) {
      return Response{.status = 204};  // Tells an EventSource not to reconnect.
    }
    return Response{.headers = {{"Content-Type", std::string(kEventsType)}},
                    .stream = std::make_unique<JobEvents>(job, known)};
  }
  return JobDocument(call, *job);
}

// Cancels a job that has not ended; deletes one that has. Another's job only who may write to what
// it is about.
Reply DeleteJob(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, JobOf(call));
  if (job->origin().user != call.caller().name) {
    for (Right need : job->origin().needs) {
      need.access = Access::kWrite;
      RETURN_IF_PROBLEM(call.Require(need));
    }
  }
  if (job->ended()) {
    call.service().jobs().Forget(*job);
  } else {
    job->Cancel();
  }
  return JobDocument(call, *job);
}

Reply GetJobResult(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, DoneJobOf(call));
  const JobTask& task = *job->finished_task();
  Json json = {
      {"schema", std::string(task.schema())}, {"as_of", job->origin().as_of}, {"exact", true}};
  json.update(task.ResultJson());
  return Reply(std::move(json)).WithExit(task.exit_code());
}

Reply ListJobFindings(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, DoneJobOf(call));
  const auto findings = std::make_shared<const Json>(job->finished_task()->Findings());
  return List{call.Head(), "findings",
              IndexedRows(call, findings->size(), [findings](size_t i) { return (*findings)[i]; })};
}

constexpr DocumentSchema kJobsDocument = {
    .name = "varve.jobs/1",
    .make = [](std::string_view name) { return ListDocument(name, {}, "jobs", JobSchema()); }};

constexpr DocumentSchema kStartedJobDocument = {
    .name = "varve.job/1",
    .make = [](std::string_view name) { return Document(name, StartedJobFields().Members()); }};

constexpr DocumentSchema kFindingsDocument = {
    .name = "varve.findings/1",
    .make = [](std::string_view name) { return ListDocument(name, {}, "findings", FindingRef()); }};

}  // namespace

std::span<const Route> JobsRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/jobs",
       .handler = ListJobs,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kPageRowsMax,
       .cost = Cost::kJob,
       .documents = kJobsDocument,
       .summary = "the jobs of a target"},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/jobs",
       .handler = StartJob,
       .auth = Auth::kWork,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kJob,
       .documents = kStartedJobDocument,
       .summary = "start a job: {\"kind\":\"verify\"}",
       .body = BodyOf<JobShape>},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/jobs/{j}",
       .handler = GetJob,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kJob,
       .documents = kStartedJobDocument,
       .summary = "a job's state and progress; with Accept: text/event-stream, as they change"},
      {.method = Method::kDelete,
       .pattern = "/targets/{t}/jobs/{j}",
       .handler = DeleteJob,
       .auth = Auth::kWork,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kJob,
       .documents = kStartedJobDocument,
       .summary = "cancel a job that runs; forget one that has ended"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/jobs/{j}/result",
       .handler = GetJobResult,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kJob,
       .documents = {&kVerifyDocument, &kDigestDocument, &kDiffDocument, &kCompactDocument,
                     &kIngestedDocument, &kSalvageDocument, &kSpaceDocument, &kTombstonesDocument,
                     &kKeyspaceDocument, &kFiltersDocument, &kCompressionDocument},
       .summary = "what a job found out; its schema depends on the kind of job"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/jobs/{j}/findings",
       .handler = ListJobFindings,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kPageRowsMax,
       .cost = Cost::kJob,
       .documents = kFindingsDocument,
       .summary = "everything a verification found"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
