// SPDX-License-Identifier: Apache-2.0
#include "tests/resources/usage.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace varve::resources {
namespace {

namespace fs = std::filesystem;

// Without the descriptor that the listing itself needs.
template <typename See>
void ForEachDescriptor(See see) {
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/fd";
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = fs::read_symlink(entry.path(), gone).string();
    if (!gone && target != own) see(target);
  }
}

uint64_t CountEntries(const char* directory) {
  uint64_t count = 0;
  for (const auto& entry : fs::directory_iterator(directory)) count += entry.exists() ? 1 : 0;
  return count;
}

}  // namespace

uint64_t OpenDescriptors() {
  uint64_t count = 0;
  ForEachDescriptor([&](const std::string&) { ++count; });
  return count;
}

uint64_t ResidentBytes() {
  std::ifstream in("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

Usage UsageNow(const std::string& directory) {
  Usage usage;
  ForEachDescriptor([&](const std::string& target) {
    ++usage.descriptors;
    usage.rings += target.find("[io_uring]") != std::string::npos ? 1 : 0;
  });
  usage.threads = CountEntries("/proc/self/task");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    usage.file_mappings += line.find(directory) != std::string::npos ? 1 : 0;
  }
  usage.resident_bytes = ResidentBytes();
  if (!fs::exists(directory)) return usage;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    ++usage.directory_files;
    usage.directory_bytes += entry.file_size();
  }
  return usage;
}

}  // namespace varve::resources
