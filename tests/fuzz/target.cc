// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace varve::fuzz {

double RunMeasured(const Target& target, std::string_view input) {
  const std::clock_t before = std::clock();
  target.run(input);
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

void Must(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void MustBeOk(const Status& status, std::string_view what) {
  if (!status.ok()) Must(false, std::string(what) + ": " + status.ToString());
}

uint8_t Input::Byte() {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

uint64_t Input::Any64() {
  uint64_t number = 0;
  for (int i = 0; i < 8 && !rest_.empty(); ++i) number |= uint64_t{Byte()} << (8 * i);
  return number;
}

uint64_t Input::Number(uint64_t below) {
  uint64_t number = 0;
  for (uint64_t most = below - 1; most > 0; most >>= 8) number = number << 8 | Byte();
  return number % below;
}

std::string_view Input::Bytes(size_t size_max) {
  const uint64_t wanted = Number(uint64_t{size_max} + 1);  // Consumes bytes.
  const size_t size = std::min<size_t>(wanted, rest_.size());
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

void ChangePart(std::string* input, size_t offset, size_t size, const AnyChange& any) {
  std::string part = input->substr(offset, size);
  const size_t changed = any(part.data(), size, size);
  input->replace(offset, std::min(changed, size), part, 0, std::min(changed, size));
}

void ChangeAll(std::string* input, size_t size_max, const AnyChange& any) {
  const size_t size = input->size();
  input->resize(std::max(size_max, size));
  input->resize(any(input->data(), size, input->size()));
}

}  // namespace varve::fuzz
