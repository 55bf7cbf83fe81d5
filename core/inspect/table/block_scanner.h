// SPDX-License-Identifier: Apache-2.0
// BlockScanner finds the blocks of a table without its index: a block ends where the five bytes of
// a trailer match all bytes since its start.
//
//   start -> | payload ... | type | checksum |   tried for each end that could be one: a known
//                                                codec in the type byte that suits the start, and
//                                                for a raw block an outline
//
// The possible ends of blocks do not depend on their starts: they are listed once for each window
// of the file. A start is checked against the ends in its reach with one pass of the checksum
// (format/table/prefix_checksums.h).
//
// Finding the next block behind a damaged one requires trying every start, and hostile files may
// make every start fit every end. So the work is bounded by the file's size: hashed bytes and tried
// ends are counted, and the search ends when the limit is reached. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/block_handle.h"
#include "core/format/table/footer.h"
#include "core/format/table/prefix_checksums.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class BlockScanner {
 public:
  // `footer` determines the checksum type; see GuessFooter(). Requires CanScan(footer).
  BlockScanner(const RandomAccessFile& file, uint64_t file_size, const Footer& footer);

  // All blocks in [from, to), ascending. `go_on` is called now and then with the current offset.
  Result<std::vector<BlockHandle>> BlocksIn(uint64_t from, uint64_t to,
                                            const std::function<bool(uint64_t)>& go_on);
  // The offset at which the search was given up, if it was; nothing after it is found.
  std::optional<uint64_t> given_up_at() const { return given_up_at_; }

  // Whether blocks can be recognised at all: not without checksums.
  static bool CanScan(const Footer& footer) {
    return footer.checksum != ChecksumType::kNone || footer.base_context_checksum != 0;
  }

  // For a file whose footer is damaged or missing: a footer with which its first block verifies
  // and, if possible, decodes. Nullopt if there is none. Its handles are null.
  using DecodesFn = std::function<bool(const Footer&, BlockHandle)>;
  static Result<std::optional<Footer>> GuessFooter(const RandomAccessFile& file, uint64_t file_size,
                                                   const DecodesFn& decodes);

 private:
  // A byte that may be the type byte of a trailer.
  struct End {
    uint32_t at = 0;     // In buffer_.
    uint32_t least = 0;  // Minimum size of the payload.
    uint8_t codec = 0;
  };
  struct Clues;
  class Guesser;

  static Clues CluesAt(uint32_t format_version, std::string_view window, bool in_damage);
  static std::optional<uint32_t> LeastRawPayload(std::string_view before);
  Result<std::string_view> Window(uint64_t start, uint64_t size);
  void ListEnds();
  // Calls `use` for each matching end in the window, ascending, until it returns false.
  template <typename Use>
  void VisitEnds(uint64_t start, std::string_view window, const Clues& clues, const Use& use);
  Result<std::optional<BlockHandle>> BlockAt(uint64_t start, uint64_t reach, bool in_damage);
  // False if less than that is left.
  bool Spend(uint64_t work);

  const RandomAccessFile& file_;
  const uint64_t file_size_;
  Footer footer_;
  uint64_t work_left_;
  std::optional<uint64_t> given_up_at_;
  std::string buffer_;
  uint64_t buffer_start_ = 0;
  std::vector<End> ends_;      // In buffer_, ascending.
  PrefixChecksums checksums_;  // Of footer_.checksum.
};

}  // namespace varve
