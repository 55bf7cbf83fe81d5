// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <set>

#include "cli/commands/bench/claims.h"
#include "cli/commands/bench/records.h"
#include "cli/commands/bench/settings.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/inspect/explain/level_search.h"

namespace varve::cli::bench {
namespace {

constexpr uint64_t kSeed = 42;
constexpr size_t kKeyBytes = 8, kTargets = 1 << 16;

std::string RandomKey(RandomSource& random, size_t shared) {
  KeyBuffer key(kKeyBytes);
  return std::string(shared, 'p').append(key.Of(random.Next()));
}

}  // namespace

Result<Claim::Outcome> SearchFiles(const Claim::Point& point, const Claim::Grade& grade,
                                   const Claim::Size& size, uint64_t round) {
  const size_t shared = std::stoul(point.flags.at(0)), batch = std::stoul(point.flags.at(1));
  std::vector<std::string> words = grade.options;
  ASSIGN_OR_RETURN(const Grades grades, TakeGrades(&words));
  CHECK(words.empty());
  RandomSource random(kSeed);
  std::set<std::string> bounds;
  while (bounds.size() < size.records) bounds.insert(RandomKey(random, shared));
  const std::vector<std::string> largest(bounds.begin(), bounds.end());
  std::vector<std::string> targets;
  RandomSource choice(kSeed + 1 + round);
  while (targets.size() < kTargets) targets.push_back(RandomKey(choice, shared));
  const LevelSearch search(largest, std::move(targets), grades.file_search);

  Claim::Outcome outcome;
  std::vector<uint32_t> found(batch);
  const auto begin = std::chrono::steady_clock::now();
  uint64_t done = 0;
  while (done < size.operations) {
    const size_t at = done % kTargets;
    if (batch == 1) {
      outcome.found += search.Find(at);
      ++done;
      continue;
    }
    const size_t now = std::min(batch, kTargets - at);
    search.FindMany(at, std::span(found).first(now));
    for (size_t i = 0; i < now; ++i) outcome.found += found[i];
    done += now;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  outcome.rate = static_cast<double>(done) / took.count();
  return outcome;
}

}  // namespace varve::cli::bench
