// SPDX-License-Identifier: Apache-2.0
// What may be found after a loss of power: the state after some commit, in the order of commits,
// that is not before the last durable one and not after the last one issued.
//
//   commit   0 ... 41  [42  43  44]  45     42 acknowledged as durable, 44 under way
//                       legal states
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mix/model.h"

namespace varve::simulator {

using Digest = uint64_t;  // Of the names of all families and what they hold.

Digest DigestOf(const mix::Moment& moment);

class History {
 public:
  // The next commit, which makes the state that of `moment`.
  void Issue(const mix::Moment& moment) { states_.push_back(DigestOf(moment)); }
  // All commits that were issued are durable.
  void AllDurable() { durable_ = states_.size() - 1; }

  bool IsLegal(Digest found) const;
  // For people: which commit the state belongs to, if any, and which would have been legal.
  std::string Describe(Digest found) const;

 private:
  std::vector<Digest> states_ = {DigestOf({{"default", {}}})};  // By number of the last commit.
  size_t durable_ = 0;
};

}  // namespace varve::simulator
