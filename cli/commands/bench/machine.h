// SPDX-License-Identifier: Apache-2.0
// The machine, system and build of a measurement, stored with its results.
#pragma once

#include <cstdint>
#include <string>

namespace varve::cli::bench {

struct Machine {
  std::string cpu;
  uint64_t cpus = 0;
  uint64_t memory_bytes = 0, page_bytes = 0;
  std::string kernel;
  std::string file_system;  // Of the database: "ext4", "tmpfs", or its magic number.
  std::string transparent_huge_pages, governor;  // Empty if the kernel does not say.
  double load_average = 0;                       // Of the last minute, before the run.
  std::string compiler;
  bool assertions = false;  // Built with VARVE_DEBUG_CHECKS: its figures say nothing about speed.
};

Machine DescribeMachine(const std::string& directory);

}  // namespace varve::cli::bench
