// SPDX-License-Identifier: Apache-2.0
// PrefixChecksums computes the checksum that a block starting at a known place would have for each
// possible end: one pass over the bytes for all ends, where separate checksums would take quadratic
// time. Used to search for blocks without an index. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "varve/options.h"

namespace varve {

class PrefixChecksums {
 public:
  explicit PrefixChecksums(ChecksumType type);
  PrefixChecksums(PrefixChecksums&&) noexcept;
  PrefixChecksums& operator=(PrefixChecksums&&) noexcept;
  ~PrefixChecksums();

  // `bytes` begin with the block, and must stay valid for the calls of Of().
  void Begin(std::string_view bytes);
  // ComputeStringChecksum() without a context, of `payload` bytes and the type byte behind them.
  // Requires that the bytes contain both, and that `payload` does not decrease from call to call.
  uint32_t Of(size_t payload);

 private:
  struct State;
  void ExtendTo(size_t size);

  ChecksumType type_;
  std::unique_ptr<State> state_;
  std::string_view bytes_;
  size_t done_ = 0;  // How many bytes are in the state.
};

}  // namespace varve
