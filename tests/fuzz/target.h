// SPDX-License-Identifier: Apache-2.0
// A fuzz target: a function that is given any bytes. Whatever they are, it returns within a second
// of CPU time and bounded memory, and what it states by Must() holds. Each target is a source of
// its own and a line in targets.h; README.md has the list.
//
//   fuzzer_main.cc   one target as a program of libFuzzer (preset fuzz)
//   corpus_test.cc   all targets, each over its checked-in corpus, in every build
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tests/test_files.h"
#include "varve/file_system.h"
#include "varve/status.h"

namespace varve::fuzz {

// Changes `size` bytes at `data`, of which there is room for `room`; returns how many they are now.
using AnyChange = std::function<size_t(char* data, size_t size, size_t room)>;

struct Target {
  std::string_view name;  // Of its source, program and corpus.
  void (*run)(std::string_view input);
  // Changes *input such that it gets past checksums, by `any` where any change will do; `seed` is
  // random. Null: `any` alone does.
  void (*change)(std::string* input, size_t size_max, uint32_t seed,
                 const AnyChange& any) = nullptr;
};

// What an input may cost: a second, of which sanitizers and all checks make ten. Not of the time
// that passes, of which other programs may take any part.
#if defined(VARVE_DEBUG_CHECKS)
inline constexpr double kCpuSecondsMax = 10;
#else
inline constexpr double kCpuSecondsMax = 1;
#endif

// Runs the target; returns the CPU time that it took, in seconds.
double RunMeasured(const Target& target, std::string_view input);

// Ends the process if a property does not hold.
void Must(bool holds, std::string_view what);
void MustBeOk(const Status& status, std::string_view what);

// Takes an input apart from front to back. Where it has ended, all that is taken is 0 or empty.
class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  uint8_t Byte();
  bool Flag() { return (Byte() & 1) != 0; }
  uint64_t Number(uint64_t below);  // Requires below > 0.
  uint64_t Any64();
  std::string_view Bytes(size_t size_max);  // At most so many: the first byte or two say how many.

 private:
  std::string_view rest_;
};

// Applies `any` to some of the bytes of *input and leaves the others where they are: the part keeps
// its size. Requires that the part is within *input.
void ChangePart(std::string* input, size_t offset, size_t size, const AnyChange& any);
// Applies `any` to all of *input.
void ChangeAll(std::string* input, size_t size_max, const AnyChange& any);

}  // namespace varve::fuzz
