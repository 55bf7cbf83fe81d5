// SPDX-License-Identifier: Apache-2.0
// PrefixChecksums tells what the trailer of a block that begins at a known place must say if the
// block ends here, or there: one pass over the bytes for all ends, where a checksum of each would
// take their square. For whoever looks for blocks without an index. One thread.
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

  // `bytes` begin with the block, and outlive the calls of Of().
  void Begin(std::string_view bytes);
  // ComputeStringChecksum() without a context, of `payload` bytes and the type byte behind them.
  // Requires that the bytes hold both, and that `payload` is not less than in the call before.
  uint32_t Of(size_t payload);

 private:
  struct State;
  void ExtendTo(size_t size);

  ChecksumType type_;
  std::unique_ptr<State> state_;
  std::string_view bytes_;
  size_t done_ = 0;  // So many of them are in the state.
};

}  // namespace varve
