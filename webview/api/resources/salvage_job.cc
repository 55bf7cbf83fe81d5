// SPDX-License-Identifier: Apache-2.0
// The job that reports what could be saved of a damaged table. It writes nothing: `varve sst
// salvage` makes the new file.
#include "core/base/try.h"
#include "core/inspect/salvage/salvage.h"
#include "webview/api/json/salvage_json.h"
#include "webview/api/resources/job_kinds.h"

namespace varve::api {
namespace {

class NoSink : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin&) override { return Status::Ok(); }
  Status Add(const InternalKey&, std::string_view) override { return Status::Ok(); }
  Status AddRangeDeletion(std::string_view, std::string_view, Sequence) override {
    return Status::Ok();
  }
};

class SalvageTask : public JobTask {
 public:
  SalvageTask(std::shared_ptr<Target> target, std::string file, bool unverified)
      : target_(std::move(target)), file_(std::move(file)), unverified_(unverified) {}

  Result<bool> Step(JobControl& control) override {
    const SalvageOptions options{
        .take_unverified = unverified_, .progress = [&](const VerifyProgress& p) {
          control.report({.done = p.bytes_done, .total = p.bytes_total, .unit = "bytes"});
          return !control.cancelled();
        }};
    NoSink sink;
    ASSIGN_OR_RETURN(report_, SalvageTable(target_->fs(), file_, options, &sink));
    return true;
  }

  std::string_view schema() const override { return kSalvageDocument.name; }
  Json ResultJson() const override { return SalvageJson(report_); }
  int exit_code() const override {
    if (report_.entries + report_.range_deletions == 0 && !report_.losses.empty()) return 4;
    return report_.complete() ? 0 : 7;
  }

 private:
  const std::shared_ptr<Target> target_;
  const std::string file_;
  const bool unverified_;
  SalvageReport report_;
};

struct SalvageBody {
  std::optional<std::string> file = {};
  bool unverified = false;
};

Answer<std::vector<Right>> NeedsOfSalvage(const Call& call, const SalvageBody& body) {
  return std::vector{body.file ? call.OnFile(Access::kRead, *body.file)
                               : call.OnTarget(Access::kRead)};
}

Answer<std::unique_ptr<JobTask>> MakeSalvageJob(const Call& call, const SalvageBody& body) {
  std::string file = call.target().path();
  if (call.target().kind() == TargetKind::kDatabase) {
    if (!body.file)
      return BodyProblem("bad_request", "/file", "is missing: a table of the database");
    ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
    ASSIGN_OR_RETURN(const TableFile table, call.target().FindTable(lsm.get(), *body.file));
    file = table.path;
  }
  return std::unique_ptr<JobTask>(
      std::make_unique<SalvageTask>(call.shared_target(), file, body.unverified));
}

}  // namespace

JobKind SalvageJob() {
  return NewJobKind<SalvageBody>(
      "salvage", "what could be saved of a damaged table; writes nothing",
      ObjectShape<SalvageBody>()
          .Text("file", &SalvageBody::file, "number of the table, of a database")
          .Flag("unverified", &SalvageBody::unverified,
                "entries of blocks that do not verify as well", kOptional)
          .shape(),
      NeedsOfSalvage, MakeSalvageJob);
}

constexpr DocumentSchema kSalvageDocument = {
    .name = "varve.salvage/1",
    .make = [](std::string_view name) { return Document(name, SalvageFields().Members()); }};

}  // namespace varve::api
