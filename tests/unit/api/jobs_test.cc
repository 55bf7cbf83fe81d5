// SPDX-License-Identifier: Apache-2.0
#include "webview/api/jobs.h"

#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "fixture_service.h"
#include "tests/scratch_directory.h"
#include "varve/sst_file_writer.h"

namespace varve::api {
namespace {

constexpr const char* kDb = "db/rocksdb-7.8.3/cursor";
constexpr const char* kOther = "db/rocksdb-7.8.3/multi_cf";
constexpr uint64_t kForever = 60'000'000;

std::string Started(FixtureService* fixture, const Json& body) {
  const Response response = fixture->Post("/targets/t1/jobs", body);
  REQUIRE_MESSAGE(response.status == 202, response.body);
  const std::string* location = FindHeader(response.headers, "Location");
  REQUIRE(location != nullptr);
  return location->substr(std::string("/api/v1").size());
}

TEST_CASE("a job waits, works, and then has a result") {
  FixtureService fixture({kDb});
  const std::string job = Started(&fixture, {{"kind", "verify"}});
  CHECK(fixture.Document(job)["job"]["state"] == "queued");
  CHECK(fixture.Refusal(job + "/result") == "409 job_running");
  while (fixture.service().jobs().Step(kForever)) {
  }
  const Json done = fixture.Document(job)["job"];
  CHECK(done["state"] == "done");
  CHECK(done["progress"]["done"] > 0);
  const Json result = fixture.Document(done["result_href"].get<std::string>().substr(7));
  CHECK(result["schema"] == "varve.verify/1");
  CHECK(result["clean"] == true);
  CHECK(result["entries"] > 0);
  CHECK(fixture.Document(job + "/findings")["findings"].empty());
}

TEST_CASE("a damaged database gives findings, and the exit code of damage") {
  FixtureService fixture({"db/damaged/manifest_flip"});
  CHECK(fixture.Refusal("/targets/t1/cfs").starts_with("422 "));
  const std::string job = Started(&fixture, {{"kind", "verify"}});
  while (fixture.service().jobs().Step(kForever)) {
  }
  CHECK(fixture.Document(job + "/result")["clean"] == false);
  CHECK(fixture.Get(job + "/result").exit_code == 4);
  const Json finding = fixture.Document(job + "/findings")["findings"][0];
  CHECK(finding["severity"] == "error");
  CHECK(finding["file"].get<std::string>().starts_with("MANIFEST-"));
}

TEST_CASE("findings that a job keeps are short, however long the keys that they name") {
  const ScratchDirectory made;
  constexpr size_t kKeys = 200, kKeySize = 100'000;
  {
    ColumnFamilyOptions options;
    options.comparator = BytewiseComparator();
    options.table.compression = CompressionType::kNone;
    auto writer = SstFileWriter::Create(NativeEnvironment(), options, made / "t.sst");
    REQUIRE(writer.ok());
    for (size_t i = 0; i < kKeys; ++i) {
      REQUIRE(writer->Put(std::to_string(1000 + i) + std::string(kKeySize, 'k'), "").ok());
    }
    REQUIRE(writer->Finish().ok());
  }
  // A flaw in each of the blocks, which hold a key each.
  std::fstream file(made / "t.sst", std::ios::in | std::ios::out | std::ios::binary);
  for (size_t i = 0; i < kKeys; ++i) {
    file.seekp(static_cast<std::streamoff>(i * kKeySize + kKeySize / 2));
    file.put('x');
  }
  file.close();
  FixtureService fixture({});
  REQUIRE(fixture.service().Open(made / "t.sst").ok());
  const std::string job = Started(&fixture, {{"kind", "verify"}});
  while (fixture.service().jobs().Step(kForever)) {
  }
  const Json findings = fixture.Document(job + "/findings?page_size=1000")["findings"];
  CHECK(findings.size() >= kKeys);
  for (const Json& finding : findings) CHECK(Dump(finding).size() < 4096);
  CHECK(Dump(fixture.Document(job + "/result")).size() < kKeys * 4096);
}

TEST_CASE("a step ends when its time is over, and the next goes on") {
  FixtureService fixture({kDb, kDb});
  const std::string job = Started(&fixture, {{"kind", "digest"}});
  Jobs& jobs = fixture.service().jobs();
  CHECK(jobs.Step(0));
  CHECK(fixture.Document(job)["job"]["state"] == "running");
  int steps = 1;
  while (jobs.Step(0)) ++steps;
  CHECK(steps > 2);
  const std::string digest = fixture.Document(job + "/result")["digest"]["xxh3"];
  const std::string again = Started(&fixture, {{"kind", "digest"}});
  while (jobs.Step(kForever)) {
  }
  CHECK(fixture.Document(again + "/result")["digest"]["xxh3"] == digest);
}

TEST_CASE("DELETE cancels what runs and forgets what has ended") {
  FixtureService fixture({kDb});
  const auto remove = [&](const std::string& job) {
    return fixture.Ask({.method = "DELETE", .target = "/api/v1" + job}).status;
  };
  const std::string queued = Started(&fixture, {{"kind", "digest"}});
  CHECK(remove(queued) == 200);
  CHECK(fixture.Document(queued)["job"]["state"] == "cancelled");
  CHECK(!fixture.service().jobs().Step(kForever));
  CHECK(fixture.Refusal(queued + "/result") == "409 conflict");

  const std::string running = Started(&fixture, {{"kind", "digest"}});
  CHECK(fixture.service().jobs().Step(0));
  CHECK(remove(running) == 200);
  CHECK(remove(running) == 200);  // Idempotent.
  while (fixture.service().jobs().Step(kForever)) {
  }
  CHECK(fixture.Document(running)["job"]["state"] == "cancelled");
  CHECK(remove(running) == 200);
  CHECK(fixture.Refusal(running) == "404 job_not_found");
}

TEST_CASE("an event stream says what changes and ends with the job") {
  FixtureService fixture({kDb});
  const std::string job = Started(&fixture, {{"kind", "verify"}});
  const Response response =
      fixture.Ask({.target = "/api/v1" + job, .headers = {{"Accept", "text/event-stream"}}});
  REQUIRE(response.stream != nullptr);
  std::string piece;
  REQUIRE(response.stream->Next(&piece) == BodyStream::Event::kPiece);
  CHECK(piece.starts_with("event: job\nid: "));
  CHECK(piece.find("\ndata: {\"id\":\"j1\"") != std::string::npos);
  CHECK(piece.ends_with("\n\n"));
  CHECK(response.stream->Next(&piece) == BodyStream::Event::kWait);
  while (fixture.service().jobs().Step(kForever)) {
  }
  REQUIRE(response.stream->Next(&piece) == BodyStream::Event::kPiece);
  CHECK(piece.find("\"state\":\"done\"") != std::string::npos);
  CHECK(response.stream->Next(&piece) == BodyStream::Event::kEnd);
}

TEST_CASE("who comes again to an event stream is not told twice") {
  FixtureService fixture({kDb});
  const std::string job = Started(&fixture, {{"kind", "verify"}});
  const auto ask = [&](const std::string& known) {
    return fixture.Ask({.target = "/api/v1" + job,
                        .headers = {{"Accept", "text/event-stream"}, {"Last-Event-ID", known}}});
  };
  std::string piece;
  REQUIRE(ask("").stream->Next(&piece) == BodyStream::Event::kPiece);
  const auto id = [&piece] { return piece.substr(15, piece.find('\n', 15) - 15); };
  CHECK(id().size() == 16);
  const Response again = ask(id());
  CHECK(again.stream->Next(&piece) == BodyStream::Event::kWait);
  while (fixture.service().jobs().Step(kForever)) {
  }
  REQUIRE(again.stream->Next(&piece) == BodyStream::Event::kPiece);
  CHECK(piece.find("\"state\":\"done\"") != std::string::npos);
  CHECK(ask(id()).status == 204);  // Nothing will come any more.
  CHECK(ask("something else").stream->Next(&piece) == BodyStream::Event::kPiece);
}

TEST_CASE("too many unfinished jobs are refused") {
  FixtureService fixture({kDb});
  for (size_t i = 0; i < Jobs::kUnfinishedMax; ++i) Started(&fixture, {{"kind", "digest"}});
  const Response refused = fixture.Post("/targets/t1/jobs", {{"kind", "digest"}});
  CHECK(refused.status == 429);
}

TEST_CASE("a request that is not a job is refused") {
  FixtureService fixture({kDb});
  for (const Json& body :
       {Json::object(), Json{{"kind", 7}}, Json{{"kind", "nothing"}}, Json::array(),
        Json{{"kind", "diff"}}, Json{{"kind", "verify"}, {"file", 7}}}) {
    CHECK(fixture.Post("/targets/t1/jobs", body).status == 400);
  }
  CHECK(fixture.Post("/targets/t1/jobs", {{"kind", "verify"}, {"file", "99"}}).status == 404);
  CHECK(fixture.Refusal(Request{.method = "POST", .target = "/api/v1/targets/t1/jobs"}) ==
        "415 unsupported_media_type");
  const Request deep{.method = "POST",
                     .target = "/api/v1/targets/t1/jobs",
                     .headers = {{"content-type", "application/json; charset=utf-8"}},
                     .body = std::string(60'000, '[')};
  CHECK(fixture.Refusal(deep) == "400 bad_request");
}

TEST_CASE("a difference counts and shows what differs") {
  FixtureService fixture({kOther, kOther, kDb});
  const std::string same = Started(&fixture, {{"kind", "diff"}, {"other", "t2"}});
  const std::string other =
      Started(&fixture, {{"kind", "diff"}, {"other", "t3"}, {"cf", "default"}});
  while (fixture.service().jobs().Step(1000)) {
  }
  CHECK(fixture.Document(same + "/result")["equal"] == true);
  CHECK(fixture.Get(same + "/result").exit_code == 0);
  const Json differs = fixture.Document(other + "/result");
  CHECK(differs["equal"] == false);
  CHECK(differs["only_a"].get<int>() + differs["only_b"].get<int>() +
            differs["changed"].get<int>() >=
        static_cast<int>(differs["differences"].size()));
  CHECK(fixture.Get(other + "/result").exit_code == 1);
}

// A job that is done at once, with a result of that many bytes; or that finds no memory.
class QuickTask final : public JobTask {
 public:
  explicit QuickTask(uint64_t bytes) : bytes_(bytes) {}
  Result<bool> Step(JobControl&) override {
    if (bytes_ == 0) throw std::bad_alloc();
    return true;
  }
  std::string_view schema() const override { return "varve.quick/1"; }
  Json ResultJson() const override { return std::string(bytes_, 'r'); }

 private:
  const uint64_t bytes_;
};

TEST_CASE("results are kept up to a number of bytes, and what they take is told") {
  Jobs jobs(*NativeEnvironment().clock);
  const auto start = [&](uint64_t bytes) {
    return jobs.Start({.kind = "quick"}, std::make_unique<QuickTask>(bytes));
  };
  const auto first = start(Jobs::kResultBytesMax / 2 + 1);
  const auto second = start(Jobs::kResultBytesMax / 2 + 1);
  REQUIRE((first.ok() && second.ok()));
  CHECK(jobs.Usage().unfinished == 2);
  CHECK(jobs.Usage().result_bytes == 0);
  while (jobs.Step(kForever)) {
  }
  CHECK(jobs.Usage().unfinished == 0);
  CHECK(jobs.Usage().kept == 2);
  CHECK(jobs.Usage().result_bytes > Jobs::kResultBytesMax);
  CHECK(!start(1).ok());
  jobs.Forget(**first);
  CHECK(start(1).ok());
}

// Takes a number of steps.
class LongTask final : public JobTask {
 public:
  explicit LongTask(int steps) : left_(steps) {}
  Result<bool> Step(JobControl&) override { return --left_ == 0; }
  std::string_view schema() const override { return "varve.long/1"; }
  Json ResultJson() const override { return Json(); }

 private:
  int left_;
};

TEST_CASE("jobs take turns: a short one does not wait for the end of a long one") {
  Jobs jobs(*NativeEnvironment().clock);
  const auto start = [&](int steps) {
    return *jobs.Start({.kind = "long"}, std::make_unique<LongTask>(steps));
  };
  const auto longest = start(100), longer = start(50);
  REQUIRE((jobs.Step(0) && jobs.Step(0)));
  const auto quick = start(2);
  for (int i = 0; i < 4; ++i) REQUIRE(jobs.Step(0));
  CHECK(quick->state() == Job::State::kDone);
  int steps = 6;
  while (!longer->ended() && jobs.Step(0)) ++steps;
  CHECK(steps == 2 + 50 + 50);  // It and the longest in turn.
  CHECK(longest->state() == Job::State::kRunning);
}

class StoppedClock final : public Clock {
 public:
  uint64_t NowMicros() override { return now; }
  uint64_t UnixMicros() override { return now; }
  uint64_t now = 1;
};

TEST_CASE("results that nobody comes for give way after an hour") {
  StoppedClock clock;
  Jobs jobs(clock);
  std::vector<std::string> ids;
  const auto start = [&] {
    const auto job = jobs.Start({.kind = "quick"}, std::make_unique<QuickTask>(1));
    if (job.ok()) ids.push_back((*job)->id());
    return job.ok();
  };
  const auto work = [&] {
    while (jobs.Step(kForever)) {
    }
  };
  for (size_t i = 0; i < Jobs::kKeptMax; ++i) {
    REQUIRE(start());
    work();
    clock.now += 1'000'000;
  }
  CHECK(!start());
  clock.now += Jobs::kForgottenMicros - clock.now;  // One second before that of the first.
  CHECK(!start());
  clock.now += 1'000'000;
  CHECK(start());
  CHECK(!start());  // The first gave way, and the second is a second too young.
  CHECK(jobs.Usage().kept == Jobs::kKeptMax);
  clock.now += Jobs::kForgottenMicros;
  CHECK(start());
  CHECK(jobs.Usage().unfinished == 2);
}

// Is cancelled while it works; what it has done may stay done.
class CancelledTask final : public JobTask {
 public:
  CancelledTask(std::shared_ptr<Job>* job, bool lasting) : job_(*job), lasting_(lasting) {}
  Result<bool> Step(JobControl&) override {
    job_->Cancel();
    return true;
  }
  bool lasting() const override { return lasting_; }
  std::string_view schema() const override { return "varve.cancelled/1"; }
  Json ResultJson() const override { return Json(); }

 private:
  std::shared_ptr<Job>& job_;
  const bool lasting_;
};

TEST_CASE("a job that was cancelled too late is done") {
  for (const bool lasting : {true, false}) {
    Jobs jobs(*NativeEnvironment().clock);
    std::shared_ptr<Job> job;
    job = *jobs.Start({.kind = "late"}, std::make_unique<CancelledTask>(&job, lasting));
    REQUIRE(jobs.Step(kForever));
    CHECK(job->state() == (lasting ? Job::State::kDone : Job::State::kCancelled));
  }
}

TEST_CASE("a job that finds no memory fails alone") {
  Jobs jobs(*NativeEnvironment().clock);
  const auto without = jobs.Start({.kind = "quick"}, std::make_unique<QuickTask>(0));
  const auto other = jobs.Start({.kind = "quick"}, std::make_unique<QuickTask>(1));
  REQUIRE((without.ok() && other.ok()));
  while (jobs.Step(kForever)) {
  }
  CHECK((*without)->state() == Job::State::kFailed);
  CHECK((*other)->state() == Job::State::kDone);
}

TEST_CASE("closing a target forgets its jobs") {
  FixtureService fixture({kDb});
  Started(&fixture, {{"kind", "digest"}});
  CHECK(fixture.service().Close("t1"));
  CHECK(!fixture.service().jobs().Step(kForever));
}

}  // namespace
}  // namespace varve::api
