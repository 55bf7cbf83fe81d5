// SPDX-License-Identifier: Apache-2.0
// What concurrent commits may leave, whoever looks and whenever.
//
// Each commit appends its name to the value of one key, by a merge: the database itself says which
// commits it holds, and in which order they came. What it should hold then is what they make in
// that order, and the order must be one that is allowed:
//
//   "1:1,2:1,1:2"   commit 1 of writer 1, commit 1 of writer 2, commit 2 of writer 1
//
// Writers of different families may do so at a key of each: two lines, which are in order each.
//
//   - each writer's commits in the order in which it issued them;
//   - a commit comes after all that were acknowledged before it was issued (the order is that of
//     real time: with reads at one sequence number, this is linearizability); if it is of another
//     line, then both are there;
//   - all that had to be there by then are, and none is there that had not been issued;
//   - any two orders that are seen are the same as far as the shorter one goes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/mix/database.h"
#include "tests/mix/model.h"

namespace varve::simulator {

// How many of its commits each writer has issued, or seen acknowledged.
using Progress = std::vector<uint64_t>;

// One thread at a time.
class CommitOrder {
 public:
  static constexpr char kKey[] = "order";  // Where a line is. After all other keys.

  // `make`: what commit `number` of `writer` consists of, besides its name.
  using Make = std::function<mix::Group(size_t writer, uint64_t number)>;
  // `lines`: by writer, the family whose key kKey has its commits. No other line's commits change
  // the same families.
  CommitOrder(std::vector<std::string> lines, Make make);

  // The next commit of `writer`, its name included.
  mix::Group Issue(size_t writer);
  // The one that was issued last.
  void Acknowledge(size_t writer, bool durable);
  // All commits that were acknowledged by `then` are durable.
  void Durable(const Progress& then);

  const Progress& issued() const { return issued_; }
  const Progress& acknowledged() const { return acknowledged_; }
  const Progress& durable() const { return durable_; }

  // `found`: what was read at one sequence number; it has the commits of `at_least` and none beyond
  // `at_most`.
  mix::Trouble Check(const mix::Moment& found, const Progress& at_least, const Progress& at_most);
  // The same of a line that was read alone: `found` is what kKey of `family` had, if it was there.
  mix::Trouble CheckAlone(const std::string& family, const std::optional<std::string>& found,
                          const Progress& at_least, const Progress& at_most);

 private:
  using Name = std::pair<size_t, uint64_t>;  // Writer, and which of its commits.
  using Line = std::vector<Name>;
  using Lines = std::map<std::string, Line>;  // By family.

  static mix::Trouble Parse(const std::string& text, Line* line);
  mix::Trouble CheckNames(const std::string& family, const Line& line,
                          const Progress& at_most) const;
  mix::Trouble CheckLine(const std::string& family, const Line& line, Progress seen) const;
  static mix::Trouble CheckCounts(const Progress& counts, const Progress& at_least);
  mix::Trouble CompareWithSeen(const std::string& family, const Line& line);
  mix::Trouble CheckContents(const Lines& lines, const mix::Moment& found) const;

  const std::vector<std::string> line_of_;  // By writer.
  Progress issued_, acknowledged_, durable_;
  std::vector<std::vector<Progress>> before_;  // By writer and commit: acknowledged when issued.
  const Make make_;
  Lines longest_;  // That were seen.
};

}  // namespace varve::simulator
