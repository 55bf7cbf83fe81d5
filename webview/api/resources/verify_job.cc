// SPDX-License-Identifier: Apache-2.0
// The job that verifies a database or one table.
#include "core/base/try.h"
#include "core/inspect/verify/verify.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr size_t kFindingsInResult = 1000;  // All of them: …/findings.

std::string_view SeverityName(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::kWarning:
      return "warning";
    case Finding::Severity::kNotChecked:
      return "not_checked";
    case Finding::Severity::kUnreadable:
      return "unreadable";
    case Finding::Severity::kError:
      break;
  }
  return "error";
}

Json FindingJson(const Finding& finding) {
  Json json = {{"severity", std::string(SeverityName(finding.severity))},
               {"layer", finding.layer},
               {"file", finding.file},
               {"what", finding.what}};
  if (finding.offset) json["offset"] = *finding.offset;
  if (finding.key_from || finding.key_to) {
    Json range = Json::object();
    if (finding.key_from) range["from"] = BytesJson(*finding.key_from, BytesStyle(), "");
    if (finding.key_to) range["to"] = BytesJson(*finding.key_to, BytesStyle(), "");
    json["lost_range"] = std::move(range);
  }
  return json;
}

class VerifyTask : public JobTask {
 public:
  // `file`: of that table only; empty: of the whole target.
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

  std::string_view schema() const override { return "varve.verify/1"; }
  Json ResultJson() const override {
    Json findings = Json::array();
    for (const Finding& finding : report_.findings) {
      if (findings.size() == kFindingsInResult) break;
      findings.push_back(FindingJson(finding));
    }
    return {{"clean", report_.clean()},
            {"files", report_.files},
            {"blocks", report_.blocks},
            {"bytes", report_.bytes},
            {"entries", report_.entries},
            {"wal_records", report_.wal_records},
            {"findings_total", report_.findings.size()},
            {"findings", std::move(findings)}};
  }
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
    for (const Finding& finding : report_.findings) rows.push_back(FindingJson(finding));
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
  JobControl* control_ = nullptr;  // Of the step that is being done.
  std::unique_ptr<Verification> verification_;
  VerifyReport report_;
};

}  // namespace

Answer<std::unique_ptr<JobTask>> MakeVerifyJob(const Call& call, const Json& body) {
  std::string file;
  if (call.target().kind() != TargetKind::kDatabase) {
    file = call.target().path();
  } else if (body.contains("file")) {
    if (!body["file"].is_string()) return Problem("bad_request", "file must be a string");
    ASSIGN_OR_RETURN(const auto lsm, call.target().Lsm());
    ASSIGN_OR_RETURN(const TableFile table,
                     call.target().FindTable(lsm.get(), body["file"].get<std::string>()));
    file = table.path;
  }
  return std::unique_ptr<JobTask>(
      std::make_unique<VerifyTask>(call.shared_target(), std::move(file)));
}

Json VerifySchema() {
  return Document("varve.verify/1", {{"clean", Boolean()},
                                     {"files", Number()},
                                     {"blocks", Number()},
                                     {"bytes", Number()},
                                     {"entries", Number()},
                                     {"wal_records", Number()},
                                     {"findings_total", Number()},
                                     {"findings", ArrayOf(FindingRef())}});
}

}  // namespace varve::api
