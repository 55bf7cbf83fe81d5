// SPDX-License-Identifier: Apache-2.0
// Measures one claim: its grades and a peer in turn, point by point, and compares their answers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/bench/claims.h"
#include "cli/commands/bench/runner.h"
#include "cli/output/console.h"
#include "cli/process/leftovers.h"

namespace varve::cli::bench {

using Rates = std::vector<double>;  // Operations a second, round by round.

struct PointResult {
  std::string label;
  std::vector<Rates> grades;          // As the claim's.
  std::vector<uint64_t> table_bytes;  // Likewise, of the last round; 0: no table was built.
  Rates peer;
};

struct ClaimResult {
  const Claim* claim;
  Claim::Size size;
  std::string scaled;  // By the claim, and by --num.
  std::string peer;    // Its name and version; empty: there was none.
  uint64_t files = 0;  // Table files in the database of the best grade after loading.
  std::vector<PointResult> points;
};

struct ClaimPlan {
  uint64_t rounds = 3;
  Claim::Size size;
  std::string peer;       // Its executable; empty: none.
  bool checksum = false;  // Compare every answered byte with the others'.
};

class ClaimRun {
 public:
  ClaimRun(Console& console, const Claim& claim, const ClaimPlan& plan)
      : console_(console), claim_(claim), plan_(plan) {}

  Result<ClaimResult> Run();

 private:
  // The first answer, with which others are compared.
  class Agreement;

  Words SizeWords() const;
  Words LoadWorkloads() const;
  Words GradeWords(size_t grade, const Words& point) const;
  Status Load(size_t grade, ClaimResult* result);
  Status Measure(const Claim::Point& point, PointResult* at, std::string* peer);
  Result<Claim::Outcome> MeasureGrade(size_t grade, const Claim::Point& point, uint64_t round);
  Result<Claim::Outcome> MeasurePeer(const Claim::Point& point, std::string* name);

  Console& console_;
  const Claim& claim_;
  const ClaimPlan plan_;
  TemporaryDirectory peer_home_;
  bool peer_loaded_ = false;
  std::vector<std::unique_ptr<Runner>> runners_;
};

}  // namespace varve::cli::bench
