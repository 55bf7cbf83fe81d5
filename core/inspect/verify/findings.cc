// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/findings.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text/quantity.h"
#include "core/inspect/verify/reported_key.h"

namespace varve {
namespace {

Finding::Severity SeverityOf(Code code) {
  if (code == Code::kNotSupported) return Finding::Severity::kNotChecked;
  return code == Code::kIoError ? Finding::Severity::kUnreadable : Finding::Severity::kError;
}

}  // namespace

void Findings::Add(Finding finding) {
  if (report_->findings.size() < kFindingsMax) {
    if (finding.what.size() > kFindingTextMax) finding.what.resize(kFindingTextMax);
    if (finding.key_from) finding.key_from = ReportedFrom(*finding.key_from);
    if (finding.key_to) finding.key_to = ReportedTo(*finding.key_to);
    report_->findings.push_back(std::move(finding));
  } else if (!full_) {
    full_ = true;
    report_->findings.push_back({.layer = "report", .what = "more findings than are kept"});
  }
}

void Findings::AddFailure(std::string layer, std::string file, const Status& failure,
                          std::optional<std::string> key_from, std::optional<std::string> key_to) {
  Finding finding = FromFailure(std::move(layer), std::move(file), failure);
  finding.key_from = std::move(key_from);
  finding.key_to = std::move(key_to);
  Add(std::move(finding));
}

void Findings::AddFailureOf(std::string_view part, std::string layer, std::string file,
                            const Status& failure) {
  Finding finding = FromFailure(std::move(layer), std::move(file), failure);
  finding.what = std::string(part).append(": ").append(finding.what);
  Add(std::move(finding));
}

Finding Findings::FromFailure(std::string layer, std::string file, const Status& failure) {
  CHECK(!failure.ok());
  const std::string_view message = failure.message();
  Finding finding{.severity = SeverityOf(failure.code()),
                  .layer = std::move(layer),
                  .file = std::move(file),
                  .offset = std::nullopt,
                  .what = std::string(message)};
  const size_t at = message.find('@'), colon = message.find(": ");
  if (at < colon && colon != std::string_view::npos) {
    finding.offset = ParseDecimal(message.substr(at + 1, colon - at - 1));
    if (finding.offset) finding.what = message.substr(colon + 2);
  }
  return finding;
}

Finding::Severity VerifyReport::worst() const {
  Finding::Severity worst = Finding::Severity::kWarning;
  for (const Finding& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

uint64_t VerifyReport::Count(Finding::Severity severity) const {
  return static_cast<uint64_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

}  // namespace varve
