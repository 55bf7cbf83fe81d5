// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/machine.h"

#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace varve::cli::bench {
namespace {

std::string FirstLine(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string CpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

// "always [madvise] never" -> "madvise".
std::string Chosen(const std::string& line) {
  const size_t open = line.find('['), close = line.find(']');
  return open == std::string::npos || close == std::string::npos
             ? line
             : line.substr(open + 1, close - open - 1);
}

// Of a directory that is still to be made as well.
std::string FileSystemName(const std::string& directory) {
  const std::string around = (std::filesystem::path(directory) / "..").lexically_normal().string();
  struct statfs info;
  if (statfs(directory.c_str(), &info) != 0 && statfs(around.c_str(), &info) != 0) return "unknown";
  switch (static_cast<unsigned long>(info.f_type)) {  // The magic numbers of statfs(2).
    case 0xef53:
      return "ext4";
    case 0x01021994:
      return "tmpfs";
    case 0x58465342:
      return "xfs";
    case 0x9123683e:
      return "btrfs";
    case 0x794c7630:
      return "overlayfs";
    case 0x2fc12fc1:
      return "zfs";
    case 0x6969:
      return "nfs";
    default:
      break;
  }
  char text[32];
  std::snprintf(text, sizeof(text), "0x%lx", static_cast<unsigned long>(info.f_type));
  return text;
}

}  // namespace

Machine DescribeMachine(const std::string& directory) {
  Machine machine;
  machine.cpu = CpuModel();
  machine.cpus = static_cast<uint64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  machine.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  machine.page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  utsname name;
  if (uname(&name) == 0) machine.kernel = std::string(name.sysname) + " " + name.release;
  machine.file_system = FileSystemName(directory);
  machine.transparent_huge_pages = Chosen(FirstLine("/sys/kernel/mm/transparent_hugepage/enabled"));
  machine.governor = FirstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (getloadavg(&machine.load_average, 1) != 1) machine.load_average = 0;
#if defined(__clang__)
  machine.compiler = "clang " __clang_version__;
#else
  machine.compiler = "gcc " __VERSION__;
#endif
#if defined(VARVE_DEBUG_CHECKS)
  machine.assertions = true;
#endif
  return machine;
}

}  // namespace varve::cli::bench
