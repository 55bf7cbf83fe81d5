// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash_stream.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace varve {

struct HashStream::State {
  XXH3_state_t xxh3;
  XXH64_state_t xxh64;
  XXH32_state_t xxh32;
};

HashStream::HashStream(Kind kind) : kind_(kind), state_(std::make_unique<State>()) { Reset(); }
HashStream::HashStream(HashStream&&) noexcept = default;
HashStream& HashStream::operator=(HashStream&&) noexcept = default;
HashStream::~HashStream() = default;

void HashStream::Reset() {
  switch (kind_) {
    case Kind::kXxh32:
      XXH32_reset(&state_->xxh32, 0);
      break;
    case Kind::kXxh64:
      XXH64_reset(&state_->xxh64, 0);
      break;
    case Kind::kXxh3:
      XXH3_64bits_reset(&state_->xxh3);
      break;
  }
}

void HashStream::Add(std::string_view bytes) {
  switch (kind_) {
    case Kind::kXxh32:
      XXH32_update(&state_->xxh32, bytes.data(), bytes.size());
      break;
    case Kind::kXxh64:
      XXH64_update(&state_->xxh64, bytes.data(), bytes.size());
      break;
    case Kind::kXxh3:
      XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
      break;
  }
}

uint64_t HashStream::Digest() const {
  switch (kind_) {
    case Kind::kXxh32:
      return XXH32_digest(&state_->xxh32);
    case Kind::kXxh64:
      return XXH64_digest(&state_->xxh64);
    case Kind::kXxh3:
      break;
  }
  return XXH3_64bits_digest(&state_->xxh3);
}

}  // namespace varve
