// SPDX-License-Identifier: Apache-2.0
// The published results that `varve bench claims` reproduces: each a workload, the points at which
// it was published, and the engine options of its three grades.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace varve::cli::bench {

using Words = std::vector<std::string>;  // Flags of `bench run`.

struct Claim {
  struct Point {
    std::string label;
    Words flags;
  };
  struct Size {
    uint64_t records = 0, operations = 0;
  };

  std::string_view name;
  std::string_view source;    // Where it was published.
  std::string_view workload;  // Of bench list.
  std::string_view scaled;    // What differs from the publication, and why; empty: nothing.
  Size size, short_size;
  Words flags;  // Of all points and grades.
  std::vector<Point> points;
  std::array<Words, 3> grades;  // Engine options: off, published, beyond.
  // Measured before anything is flushed: a peer loads and reads in one process, whose --ops holds
  // for both, so operations must be as many as records.
  bool in_memtable = false;
  bool warm = false;  // Everything is read once before each measurement.
};

inline constexpr std::array<std::string_view, 3> kGradeNames = {"off", "published", "beyond"};

std::span<const Claim> ClaimTable();

}  // namespace varve::cli::bench
