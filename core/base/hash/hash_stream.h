// SPDX-License-Identifier: Apache-2.0
// The XXH hashes of hash.h for input in pieces, with a digest after any of them. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace varve {

class HashStream {
 public:
  enum class Kind : uint8_t { kXxh32, kXxh64, kXxh3 };

  explicit HashStream(Kind kind);
  HashStream(HashStream&&) noexcept;
  HashStream& operator=(HashStream&&) noexcept;
  ~HashStream();

  void Reset();
  void Add(std::string_view bytes);
  // Of all bytes since Reset().
  uint64_t Digest() const;

 private:
  struct State;
  Kind kind_;
  std::unique_ptr<State> state_;
};

}  // namespace varve
