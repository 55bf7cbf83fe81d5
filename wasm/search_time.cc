// SPDX-License-Identifier: Apache-2.0
#include "wasm/search_time.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/options/grades.h"
#include "core/base/try.h"
#include "core/inspect/explain/level_search.h"
#include "wasm/environment.h"

namespace varve::wasm {
namespace {

constexpr int kRounds = 7;
constexpr size_t kSearches = size_t{1} << 16;
constexpr size_t kStride = 40503;  // Odd, so that the targets come in no order.

}  // namespace

Result<double> SearchNanoseconds(const DB& db, std::string_view grade) {
  Grades grades;
  const GradeRow* const row = FindGrade("file_search");
  CHECK(row != nullptr);
  RETURN_IF_ERROR(row->set(&grades, grade));
  ASSIGN_OR_RETURN(const std::vector<LiveFile> files, db.LiveFiles());
  if (files.empty()) return Status::InvalidArgument("there is no table to search among");
  std::vector<std::string> largest;
  for (const LiveFile& file : files) largest.push_back(file.largest_key);
  std::sort(largest.begin(), largest.end());
  largest.erase(std::unique(largest.begin(), largest.end()), largest.end());
  std::vector<std::string> targets;
  for (size_t i = 0; i < kSearches; ++i) targets.push_back(largest[i * kStride % largest.size()]);
  const LevelSearch search(largest, std::move(targets), grades.file_search);

  Clock& clock = *NativeEnvironment().clock;
  uint64_t best = std::numeric_limits<uint64_t>::max(), found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t begin = clock.NowMicros();
    for (size_t i = 0; i < kSearches; ++i) found += search.Find(i);
    best = std::min(best, clock.NowMicros() - begin);
  }
  CHECK_OP(found, <=, uint64_t{kRounds} * kSearches * largest.size());  // Keeps the searches.
  return static_cast<double>(best) * 1000 / static_cast<double>(kSearches);
}

}  // namespace varve::wasm
