// SPDX-License-Identifier: Apache-2.0
// Every target over its checked-in corpus: what fuzzing found once stays mended, with any compiler.
//
//   fuzz_corpus CORPUS [TARGET...]
//
// Prints the name of each input before it is run: the last one printed is the one that failed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/targets.h"
#include "varve/environment.h"

namespace varve::fuzz {
namespace {

// False: it took too long.
bool Run(const Target& target, const std::string& folder, const std::string& name) {
  std::printf("%.*s/%s\n", static_cast<int>(target.name.size()), target.name.data(), name.c_str());
  std::fflush(stdout);
  const std::string input = ReadFile(*NativeEnvironment().file_system, folder + "/" + name);
  const double seconds = RunMeasured(target, input);
  if (seconds <= kCpuSecondsMax) return true;
  std::printf("took %.1f s of CPU time, at most are %.0f\n", seconds, kCpuSecondsMax);
  return false;
}

bool IsWanted(const Target& target, const std::vector<std::string_view>& only) {
  return only.empty() || std::find(only.begin(), only.end(), target.name) != only.end();
}

int Main(const std::string& corpus, const std::vector<std::string_view>& only) {
  bool passed = true;
  for (const Target* target : kTargets) {
    if (!IsWanted(*target, only)) continue;
    const std::string folder = corpus + "/" + std::string(target->name);
    auto entries = NativeEnvironment().file_system->List(folder);
    MustBeOk(entries.status(), folder);
    Must(!entries->empty(), folder + " has inputs");
    std::sort(entries->begin(), entries->end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const DirectoryEntry& entry : *entries) {
      passed = Run(*target, folder, entry.name) && passed;
    }
  }
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace varve::fuzz

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: fuzz_corpus CORPUS [TARGET...]\n");
    return 2;
  }
  return varve::fuzz::Main(argv[1], {argv + 2, argv + argc});
}
