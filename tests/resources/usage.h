// SPDX-License-Identifier: Apache-2.0
// What this process has of the system at this moment, as /proc tells it.
#pragma once

#include <cstdint>
#include <string>

namespace varve::resources {

struct Usage {
  uint64_t descriptors = 0;
  uint64_t rings = 0;  // Of those, io_urings.
  uint64_t threads = 0;
  uint64_t file_mappings = 0;  // Of files of a directory; not of libraries.
  uint64_t resident_bytes = 0;
  uint64_t directory_bytes = 0;  // Of all files in the directory, and their number.
  uint64_t directory_files = 0;
};

// `directory`: the one whose files and mappings are counted.
Usage UsageNow(const std::string& directory);
uint64_t ResidentBytes();
uint64_t OpenDescriptors();

// Whether this run was asked to take long (--long): soaks, rather than CI.
bool IsLong();
// `usual` in CI, `when_long` in a soak.
inline uint64_t Amount(uint64_t usual, uint64_t when_long) { return IsLong() ? when_long : usual; }

}  // namespace varve::resources
