// SPDX-License-Identifier: Apache-2.0
// What the verifier says of an input, held against what reading it gave: the rules are in
// answers_test.cc. For tests that change inputs, and for fuzzers. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/inspect/verify/verify.h"
#include "varve/status.h"

namespace varve {

// The first failure of a row of questions, and whether some feature kept one from being answered.
struct Answers {
  std::string wrong = {};  // Two answers differ, or a read failed.
  bool unsupported = false;

  void Fail(const std::string& what) {
    if (wrong.empty()) wrong = what;
  }
  // True: go on.
  bool Take(const Status& status, const std::string& what) {
    if (status.ok()) return true;
    if (status.code() == Code::kNotSupported) {
      unsupported = true;
    } else {
      Fail(what + ": " + status.ToString());
    }
    return false;
  }
};

class Judge {
 public:
  // `failures_shown`: how many failures are printed in all.
  explicit Judge(uint64_t failures_shown) : failures_shown_(failures_shown) {}

  // What is asked about from now on, for messages.
  void Begin(std::string name) {
    here_ = 0;
    name_ = std::move(name);
  }
  // The verifier's word against what reading gave.
  void Compare(const VerifyReport& report, const Answers& reads);
  void Fail(const std::string& what);

  uint64_t compared() const { return compared_; }
  uint64_t damaged() const { return damaged_; }
  uint64_t failures() const { return failures_; }

 private:
  const uint64_t failures_shown_;
  std::string name_;
  uint64_t here_ = 0;  // Failures of the subject at hand.
  uint64_t compared_ = 0, damaged_ = 0, failures_ = 0;
};

}  // namespace varve
