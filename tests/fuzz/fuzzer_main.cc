// SPDX-License-Identifier: Apache-2.0
// One target (VARVE_FUZZ_TARGET) for libFuzzer, whose main() calls these functions.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/targets.h"

// What is freed while an input runs stays in quarantine; 256 MiB of it, the default, would hold
// what hundreds of inputs freed, and each of them pay for fresh pages: most of its time.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=16"; }

// libFuzzer's own changes.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max);

namespace {

const varve::fuzz::Target& ThisTarget() { return varve::fuzz::VARVE_FUZZ_TARGET; }

size_t AnyChange(char* data, size_t size, size_t room) {
  return LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(data), size, room);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const double seconds =
      varve::fuzz::RunMeasured(ThisTarget(), {reinterpret_cast<const char*>(data), size});
  varve::fuzz::Must(seconds <= varve::fuzz::kCpuSecondsMax, "an input takes little CPU time");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max,
                                          unsigned int seed) {
  if (ThisTarget().change == nullptr) return LLVMFuzzerMutate(data, size, size_max);
  std::string input(reinterpret_cast<const char*>(data), size);
  ThisTarget().change(&input, size_max, seed, AnyChange);
  const size_t changed = std::min(input.size(), size_max);
  std::copy_n(input.data(), changed, data);
  return changed;
}
