// SPDX-License-Identifier: Apache-2.0
// What the verifiers share: one report being filled, bounded, with progress.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/format/file_description.h"
#include "core/inspect/verify.h"
#include "varve/comparator.h"

namespace varve {

class Findings {
 public:
  Findings(VerifyReport* report, const VerifyProgressFn& progress)
      : report_(report), progress_(progress) {}

  void Add(Finding finding) {
    if (report_->findings.size() < kFindingsMax) {
      report_->findings.push_back(std::move(finding));
    } else if (!full_) {
      full_ = true;
      report_->findings.push_back({.layer = "report", .what = "more findings than are kept"});
    }
  }
  void Error(std::string layer, std::string file, std::optional<uint64_t> offset,
             std::string what) {
    Add({.layer = std::move(layer),
         .file = std::move(file),
         .offset = offset,
         .what = std::move(what)});
  }
  void Warn(std::string layer, std::string file, std::string what) {
    Add({.severity = Finding::Severity::kWarning,
         .layer = std::move(layer),
         .file = std::move(file),
         .what = std::move(what)});
  }
  void NotChecked(std::string layer, std::string file, std::string what) {
    Add({.severity = Finding::Severity::kNotChecked,
         .layer = std::move(layer),
         .file = std::move(file),
         .what = std::move(what)});
  }
  // A failure whose message begins with "name@offset: ": the place goes into the finding's fields.
  void AddFailure(std::string layer, std::string file, const Status& failure);

  VerifyReport& report() { return *report_; }
  // False: stop.
  bool Continue() { return progress_ == nullptr || progress_({report_->bytes, bytes_total}); }

  uint64_t bytes_total = 0;

 private:
  VerifyReport* report_;
  const VerifyProgressFn& progress_;
  bool full_ = false;
};

// What the MANIFEST says about a table, to be held against the table itself.
struct ExpectedTable {
  const FileDescription* description = nullptr;  // Null: a table on its own.
  const Comparator* comparator = nullptr;
};

// verify_table.cc. Reads all of it. NotFound is returned; everything else is a finding.
Status VerifyTableFile(FileSystem& fs, const std::string& path, const std::string& name,
                       const ExpectedTable& expected, Findings* findings);

}  // namespace varve
