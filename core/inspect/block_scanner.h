// SPDX-License-Identifier: Apache-2.0
// BlockScanner finds the blocks of a table without its index: a block ends where the five bytes of
// a trailer match everything in front of them.
//
//   start -> | payload ... | type | checksum |   tried for each end that could be one: a known
//   codec
//                                                in the type byte, an outline or raw size that fits
//
// Finding the first byte of the next block behind a damaged one means trying every start, so what
// is cheap to refuse is refused before a checksum is computed. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/block_handle.h"
#include "core/format/footer.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class BlockScanner {
 public:
  // `footer` says how blocks are checked; see GuessFooter().
  BlockScanner(const RandomAccessFile& file, uint64_t file_size, const Footer& footer)
      : file_(file), file_size_(file_size), footer_(footer) {}

  // The block that begins at `start`, if one does. `reach`: the largest stored block to try.
  Result<std::optional<BlockHandle>> BlockAt(uint64_t start, uint64_t reach);
  // All blocks in [from, to), ascending. `go_on` is asked now and then with the place reached.
  Result<std::vector<BlockHandle>> BlocksIn(uint64_t from, uint64_t to,
                                            const std::function<bool(uint64_t)>& go_on);

  // Can blocks be recognised at all? Not if they have no checksums.
  static bool CanScan(const Footer& footer) {
    return footer.checksum != ChecksumType::kNone || footer.base_context_checksum != 0;
  }

  // For a file whose footer is broken or cut off: what its first block verifies with, and decodes
  // with if that is possible at all. Nullopt if nothing fits. The handles in it are null.
  using DecodesFn = std::function<bool(const Footer&, BlockHandle)>;
  static Result<std::optional<Footer>> GuessFooter(const RandomAccessFile& file, uint64_t file_size,
                                                   const DecodesFn& decodes);

 private:
  static Result<std::optional<Footer>> BaseFromFirstBlock(const RandomAccessFile& file,
                                                          uint64_t file_size);
  Result<std::string_view> Window(uint64_t start, uint64_t size);

  const RandomAccessFile& file_;
  const uint64_t file_size_;
  const Footer footer_;
  std::string buffer_;
  uint64_t buffer_start_ = 0;
};

}  // namespace varve
