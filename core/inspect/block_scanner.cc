// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/block_scanner.h"

#include <algorithm>
#include <array>

#include "core/base/byte_reader.h"
#include "core/base/try.h"
#include "core/format/block_trailer.h"
#include "core/format/block_view.h"
#include "core/format/limits.h"

namespace varve {
namespace {

// A block right behind another one is looked for in a large window; in the middle of damage, where
// every byte may be the first of one, in a small one.
constexpr uint64_t kReachAfterBlock = 256 << 10;
constexpr uint64_t kReachInDamage = 32 << 10;
constexpr uint64_t kWindowBytes = 1 << 20;
// Starts tried before a file without a footer is given up.
constexpr uint64_t kGuessStartsMax = 8 << 10;

constexpr std::array kChecksums = {ChecksumType::kXxh3, ChecksumType::kCrc32c, ChecksumType::kXxh64,
                                   ChecksumType::kXxh32};

// Of the footer since format_version 6.
constexpr size_t kBaseContextAt = 9;

Footer Guess(ChecksumType checksum, uint32_t format_version, uint32_t base) {
  Footer footer;
  footer.checksum = checksum;
  footer.format_version = format_version;
  footer.legacy_magic = format_version == 0;
  footer.base_context_checksum = base;
  return footer;
}

bool IsCodec(uint8_t type) { return type <= 7 && type != 6; }

// An outline without the work of ParseBlock(): the restart offsets begin with 0 and fit.
bool MayBeRaw(std::string_view payload) {
  if (payload.size() < 8) return false;
  const uint32_t word = LoadFixed32(payload.data() + payload.size() - 4);
  if ((word >> 28) != 0) return ParseBlock(payload).ok();  // The rarer forms.
  const uint64_t restarts = uint64_t{4} * word + 4;
  return word > 0 && restarts <= payload.size() &&
         LoadFixed32(payload.data() + payload.size() - restarts) == 0;
}

// Could a block with a payload of that size begin `window`?
bool MayEndAt(uint32_t format_version, std::string_view window, size_t payload) {
  const auto type = static_cast<uint8_t>(window[payload]);
  if (!IsCodec(type)) return false;
  if (type == 0) return MayBeRaw(window.substr(0, payload));
  ByteReader in(window);
  uint64_t raw = 0;
  if (format_version < 2) {  // Other raw sizes in front, or none.
    if (type == 2) return payload > 8;
    if (type == 3) return window.starts_with("BZh");
    if (type == 4 || type == 5) {
      return in.ReadFixed64(&raw) && raw > 0 && IsPlausibleRawSize(raw, payload);
    }
  }
  return in.ReadVarint64(&raw) && raw > 0 && IsPlausibleRawSize(raw, payload) &&
         payload < raw + raw / 8 + 64;
}

bool Matches(const Footer& footer, std::string_view window, size_t payload, uint64_t start) {
  const uint32_t stored = LoadFixed32(window.data() + payload + 1);
  return ComputeStringChecksum(footer.checksum, window.substr(0, payload + 1),
                               footer.base_context_checksum, start) == stored;
}

}  // namespace

Result<std::string_view> BlockScanner::Window(uint64_t start, uint64_t size) {
  size = std::min(size, file_size_ - start);
  const uint64_t buffered = buffer_start_ + buffer_.size();
  if (start < buffer_start_ || start + size > buffered) {
    buffer_.resize(std::min(std::max(size, kWindowBytes), file_size_ - start));
    buffer_start_ = start;
    ASSIGN_OR_RETURN(const std::string_view got, file_.Read(start, buffer_.size(), buffer_.data()));
    if (got.data() != buffer_.data()) {
      buffer_.assign(got);
    } else {
      buffer_.resize(got.size());
    }
  }
  return std::string_view(buffer_).substr(start - buffer_start_, size);
}

Result<std::optional<BlockHandle>> BlockScanner::BlockAt(uint64_t start, uint64_t reach) {
  ASSIGN_OR_RETURN(const std::string_view window, Window(start, reach + kBlockTrailerSize));
  for (size_t payload = 1; payload + kBlockTrailerSize <= window.size(); ++payload) {
    if (MayEndAt(footer_.format_version, window, payload) &&
        Matches(footer_, window, payload, start)) {
      return std::optional(BlockHandle{start, payload});
    }
  }
  return std::optional<BlockHandle>();
}

Result<std::vector<BlockHandle>> BlockScanner::BlocksIn(
    uint64_t from, uint64_t to, const std::function<bool(uint64_t)>& go_on) {
  std::vector<BlockHandle> found;
  uint64_t reach = kReachAfterBlock;
  for (uint64_t at = from; at + kBlockTrailerSize < to;) {
    if (at % 1024 == 0 && !go_on(at)) break;
    ASSIGN_OR_RETURN(const auto block, BlockAt(at, std::min(reach, to - at - kBlockTrailerSize)));
    if (block) found.push_back(*block);
    at = block ? block->end() : at + 1;
    reach = block ? kReachAfterBlock : kReachInDamage;
  }
  return found;
}

// From format_version 6 on a checksum includes a number of the file's own, and the first block's
// place adds nothing to it: each end that block may have gives a number, and the block behind
// proves it.
Result<std::optional<Footer>> BlockScanner::BaseFromFirstBlock(const RandomAccessFile& file,
                                                               uint64_t file_size) {
  BlockScanner first(file, file_size, Guess(ChecksumType::kXxh3, 6, 0));
  ASSIGN_OR_RETURN(const std::string_view view,
                   first.Window(0, kReachInDamage + kBlockTrailerSize));
  const std::string window(view);
  for (size_t payload = 1; payload + kBlockTrailerSize <= window.size(); ++payload) {
    if (!MayEndAt(6, window, payload)) continue;
    for (const ChecksumType checksum : kChecksums) {
      const uint32_t plain = ComputeStringChecksum(
          checksum, std::string_view(window).substr(0, payload + 1), /*base_context=*/0, 0);
      const Footer guess = Guess(checksum, 6, LoadFixed32(window.data() + payload + 1) - plain);
      BlockScanner second(file, file_size, guess);
      const uint64_t behind = payload + kBlockTrailerSize;
      if (guess.base_context_checksum == 0 || behind >= file_size) continue;
      ASSIGN_OR_RETURN(const auto block, second.BlockAt(behind, kReachInDamage));
      if (block) return std::optional(guess);
    }
  }
  return std::optional<Footer>();
}

Result<std::optional<Footer>> BlockScanner::GuessFooter(const RandomAccessFile& file,
                                                        uint64_t file_size,
                                                        const DecodesFn& decodes) {
  std::vector<Footer> guesses;
  std::string buffer(std::min(file_size, kFooterSize), '\0');
  ASSIGN_OR_RETURN(const std::string_view tail,
                   file.Read(file_size - buffer.size(), buffer.size(), buffer.data()));
  if (tail.size() == kFooterSize) {  // What is left of a broken footer may still say it.
    for (const ChecksumType checksum : kChecksums) {
      guesses.push_back(Guess(checksum, 6, LoadFixed32(tail.data() + kBaseContextAt)));
    }
  }
  for (const ChecksumType checksum : kChecksums) guesses.push_back(Guess(checksum, 5, 0));
  // The same checksums, but no raw sizes in front of payloads.
  guesses.push_back(Guess(ChecksumType::kCrc32c, 1, 0));
  guesses.push_back(Guess(ChecksumType::kXxh32, 1, 0));
  guesses.push_back(Guess(ChecksumType::kCrc32c, 0, 0));
  BlockScanner reader(file, file_size, {});
  for (uint64_t start = 0; start + kBlockTrailerSize < std::min(file_size, kGuessStartsMax);
       ++start) {
    ASSIGN_OR_RETURN(const std::string_view window,
                     reader.Window(start, kReachInDamage + kBlockTrailerSize));
    std::optional<Footer> verified;
    for (size_t payload = 1; payload + kBlockTrailerSize <= window.size(); ++payload) {
      const bool may_old = MayEndAt(1, window, payload), may_new = MayEndAt(6, window, payload);
      if (!may_old && !may_new) continue;
      for (const Footer& guess : guesses) {
        if (guess.format_version < 2 ? !may_old : !may_new) continue;
        if (!Matches(guess, window, payload, start)) continue;
        if (decodes(guess, {start, payload})) return std::optional(guess);
        if (!verified) verified = guess;
      }
    }
    if (verified) return verified;  // It may need a dictionary.
    if (start > 0) continue;
    ASSIGN_OR_RETURN(const auto based, BaseFromFirstBlock(file, file_size));
    if (based) return based;
  }
  return std::optional<Footer>();
}

}  // namespace varve
