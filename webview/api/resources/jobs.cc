// SPDX-License-Identifier: Apache-2.0
// …/jobs: start, look at, cancel and delete; results and findings; progress as an event stream.
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"

namespace varve::api {
namespace {

Json JobDocument(const Call& call, const Job& job) {
  Json json = call.Head();
  json["job"] = job.ToJson();
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
  return call.service().jobs().Find(call.target(), call.Part("j"));
}

// The job if it is done; a problem otherwise.
Answer<std::shared_ptr<Job>> DoneJobOf(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, JobOf(call));
  if (job->finished_task() != nullptr) return job;
  if (!job->ended()) return Problem("job_running", "the job is not done yet");
  return Problem("conflict", "the job " + std::string(JobStateName(job->state())))
      .With("job", job->ToJson());
}

}  // namespace

Reply ListJobs(const Call& call) {
  const auto jobs = call.service().jobs().Of(call.target());
  return List{call.Head(), "jobs",
              IndexedRows(call, jobs.size(), [jobs](size_t i) { return jobs[i]->ToJson(); })};
}

Reply StartJob(const Call& call) {
  ASSIGN_OR_RETURN(const Json body, call.Body());
  const auto named = body.find("kind");
  if (named == body.end() || !named->is_string()) {
    return Problem("bad_request", "the body must say which \"kind\" of job");
  }
  const std::string kind = *named;
  std::string known;
  for (const JobKind& row : JobKinds()) {
    if (row.name != kind) {
      known += (known.empty() ? "" : ", ") + std::string(row.name);
      continue;
    }
    ASSIGN_OR_RETURN(auto task, row.make(call, body));
    ASSIGN_OR_RETURN(const std::shared_ptr<Job> job,
                     call.service().jobs().Start(kind, call.shared_target(), call.Head()["as_of"],
                                                 std::move(task)));
    return Reply(JobDocument(call, *job))
        .WithStatus(202)
        .WithHeader("Location", job->ToJson()["href"]);
  }
  return Problem("bad_request", "there is no such kind of job; the kinds are " + known);
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

// Cancels a job that has not ended; deletes one that has.
Reply DeleteJob(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, JobOf(call));
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
  Json json = {{"schema", std::string(task.schema())}, {"as_of", job->as_of()}, {"exact", true}};
  json.update(task.ResultJson());
  return Reply(std::move(json)).WithExit(task.exit_code());
}

Reply ListJobFindings(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Job> job, DoneJobOf(call));
  const auto findings = std::make_shared<const Json>(job->finished_task()->Findings());
  return List{call.Head(), "findings",
              IndexedRows(call, findings->size(), [findings](size_t i) { return (*findings)[i]; })};
}

Json JobsSchema() { return ListDocument("varve.jobs/1", {}, "jobs", JobSchema()); }
Json StartedJobSchema() { return Document("varve.job/1", {{"job", JobSchema()}}); }
Json FindingsSchema() { return ListDocument("varve.findings/1", {}, "findings", FindingRef()); }

}  // namespace varve::api
