// SPDX-License-Identifier: Apache-2.0
// The published results that `varve bench claims` reproduces: each a workload, the points at which
// it was published, and the engine options of its grades.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::cli::bench {

using Words = std::vector<std::string>;  // Flags of `bench run`.

struct Claim {
  struct Point {
    std::string label;
    Words flags;
  };
  struct Grade {
    std::string_view name;
    Words options;  // Of the engine: NAME=VALUE.
  };
  struct Size {
    uint64_t records = 0, operations = 0;
  };
  // The result of a measurement.
  struct Outcome {
    double rate = 0;  // Operations a second.
    uint64_t found = 0;
    std::string checksum = {};  // Empty: not asked for.
    uint64_t table_bytes = 0;   // Of the table that was built; 0: none was.
  };
  // A measurement that needs no database.
  using Trial = Result<Outcome> (*)(const Point& point, const Grade& grade, const Size& size,
                                    uint64_t round);

  std::string_view name;
  std::string_view source;    // Where it was published.
  std::string_view workload;  // Of bench list, or what the trial does.
  std::string_view scaled;    // What differs from the publication, and why; empty: nothing.
  // The meaning of the grades, if names such as "off" are not enough.
  std::string_view grades_are = {};
  std::string_view records_are = "records";  // What `size` counts.
  Size size, short_size;
  uint64_t records_per_file =
      0;             // Where files are small: what a limit of open files is held against.
  Words flags = {};  // Of all points and grades.
  // How the records are loaded; in_memtable: only the first of these steps.
  Words load = {"filluniquerandom", "flush", "waitforcompaction"};
  std::vector<Point> points;
  std::vector<Grade> grades;  // One of them is "off", the baseline.
  Words peer_flags = {};      // For RocksDB only: the options that it recommends for this workload.
  Trial trial = nullptr;
  bool in_memtable = false;  // Measured before anything is flushed.
  bool warm = false;         // Everything is read once before each measurement.
};

std::span<const Claim> ClaimTable();

// Measures finding the file of a level, without any reads (file_search_trial.cc). The point's flags
// are the length of the common prefix and the number of keys searched together.
Result<Claim::Outcome> SearchFiles(const Claim::Point& point, const Claim::Grade& grade,
                                   const Claim::Size& size, uint64_t round);

// Measures the CPU time of writing a table of integer keys (table_build_trial.cc); an operation is
// a record. The point's flags are the mean distance of the keys, and the form of the point index
// that such a table has.
Result<Claim::Outcome> BuildTable(const Claim::Point& point, const Claim::Grade& grade,
                                  const Claim::Size& size, uint64_t round);

}  // namespace varve::cli::bench
