// SPDX-License-Identifier: Apache-2.0
// The job that verifies a database or one table.
#include <algorithm>
#include <span>

#include "core/base/try.h"
#include "core/inspect/verify/verify.h"
#include "webview/api/json/finding_json.h"
#include "webview/api/resources/job_kinds.h"

namespace varve::api {
namespace {

constexpr size_t kFindingsInResult = 1000;  // All of them are in …/findings.

const Fields<VerifyReport>& VerifyFields() {
  static const auto fields =
      Fields<VerifyReport>()
          .Flag("clean", &VerifyReport::clean, "everything was checked and is sound")
          .Number("files", Unit::kCount, &VerifyReport::files, "looked at")
          .Number("blocks", Unit::kCount, &VerifyReport::blocks, "of tables, looked at")
          .Number("bytes", Unit::kBytes, &VerifyReport::bytes, "looked at")
          .Number("entries", Unit::kCount, &VerifyReport::entries, "of tables, looked at")
          .Number("wal_records", Unit::kCount, &VerifyReport::wal_records, "looked at")
          .Number(
              "findings_total", Unit::kCount,
              [](const VerifyReport& report) { return report.findings.size(); },
              "all of them are in the list of the job's findings")
          .List(
              "findings",
              [](const VerifyReport& report) {
                return std::span(report.findings)
                    .first(std::min(report.findings.size(), kFindingsInResult));
              },
              FindingFields(), "the first thousand");
  return fields;
}

class VerifyTask : public JobTask {
 public:
  // `file`: verify only that table; empty: the whole target.
  VerifyTask(std::shared_ptr<Target> target, std::string file)
      : target_(std::move(target)), file_(std::move(file)) {}

  Result<bool> Step(JobControl& control) override {
    control_ = &control;
    if (verification_ == nullptr) {
      verification_ = file_.empty()
                          ? NewDatabaseVerification(target_->fs(), target_->path(), Progress())
                          : NewTableVerification(target_->fs(), file_, Progress());
    }
    do {
      ASSIGN_OR_RETURN(const bool more, verification_->Step());
      if (more) continue;
      report_ = verification_->report();
      verification_.reset();
      return true;
    } while (!control.ShouldPause());
    return false;
  }

  std::string_view schema() const override { return kVerifyDocument.name; }
  Json ResultJson() const override { return VerifyFields().ToJson(report_); }
  int exit_code() const override {
    switch (report_.worst()) {
      case Finding::Severity::kWarning:
        return 0;
      case Finding::Severity::kNotChecked:
        return 6;
      case Finding::Severity::kUnreadable:
        return 3;
      case Finding::Severity::kError:
        break;
    }
    return 4;
  }
  Json Findings() const override {
    Json rows = Json::array();
    for (const Finding& finding : report_.findings) rows.push_back(FindingFields().ToJson(finding));
    return rows;
  }

 private:
  VerifyProgressFn Progress() {
    return [this](const VerifyProgress& p) {
      control_->report({.done = p.bytes_done, .total = p.bytes_total, .unit = "bytes"});
      return !control_->cancelled();
    };
  }

  const std::shared_ptr<Target> target_;
  const std::string file_;
  JobControl* control_ = nullptr;  // Of the current step.
  std::unique_ptr<Verification> verification_;
  VerifyReport report_;
};

struct VerifyBody {
  std::optional<std::string> file = {};
};

Answer<std::vector<Right>> NeedsOfVerify(const Call& call, const VerifyBody& body) {
  return std::vector{body.file ? call.OnFile(Access::kRead, *body.file)
                               : call.OnTarget(Access::kRead)};
}

Answer<std::unique_ptr<JobTask>> MakeVerifyJob(const Call& call, const VerifyBody& body) {
  std::string file;
  if (call.target().kind() != TargetKind::kDatabase) {
    file = call.target().path();
  } else if (body.file) {
    ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
    ASSIGN_OR_RETURN(const TableFile table, call.target().FindTable(lsm.get(), *body.file));
    file = table.path;
  }
  return std::unique_ptr<JobTask>(
      std::make_unique<VerifyTask>(call.shared_target(), std::move(file)));
}

}  // namespace

JobKind VerifyJob() {
  return NewJobKind<VerifyBody>(
      "verify", "check every checksum, order, count, level and directory invariant",
      ObjectShape<VerifyBody>()
          .Text("file", &VerifyBody::file, "number of the table to verify; everything if not given")
          .shape(),
      NeedsOfVerify, MakeVerifyJob);
}

constexpr DocumentSchema kVerifyDocument = {
    .name = "varve.verify/1",
    .make = [](std::string_view name) { return Document(name, VerifyFields().Members()); }};

}  // namespace varve::api
