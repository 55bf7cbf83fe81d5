// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/block_scanner.h"

#include <algorithm>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/block_view.h"

namespace varve {
namespace {

// The largest stored block that is searched for, and the search limit for the end of a block whose
// first bytes are ambiguous: within damage, every byte may start a block.
constexpr uint64_t kReach = 256 << 10;
constexpr uint64_t kVagueReach = 32 << 10;
constexpr uint64_t kWindowBytes = 1 << 20;
// Number of starts tried before a file without a footer is given up.
constexpr uint64_t kGuessStartsMax = 8 << 10;
// Number of blocks decoded to determine the checksum type of a file.
constexpr int kGuessDecodesMax = 64;

// Work is measured in hashed bytes; the cost of other operations relative to that was measured. A
// search may do this much work per byte of its file: some 2 us.
constexpr uint64_t kEndWork = 8;
constexpr uint64_t kDigestWork = 128;
constexpr uint64_t kStartWork = 64;
constexpr uint64_t kWorkPerByte = 8 << 10;
constexpr uint64_t kWorkLeast = uint64_t{256} << 20;

constexpr std::array kChecksums = {ChecksumType::kXxh3, ChecksumType::kCrc32c, ChecksumType::kXxh64,
                                   ChecksumType::kXxh32};

// Of the footer since format_version 6.
constexpr size_t kBaseContextAt = 9;

constexpr size_t kCodecs = 8;
enum : uint8_t { kRaw, kSnappy, kZlib, kBzip2, kLz4, kLz4hc, kXpress, kZstd };
bool IsCodec(uint8_t type) { return type < kCodecs && type != kXpress; }

Footer Guess(ChecksumType checksum, uint32_t format_version, uint32_t base) {
  Footer footer;
  footer.checksum = checksum;
  footer.format_version = format_version;
  footer.legacy_magic = format_version == 0;
  footer.base_context_checksum = base;
  return footer;
}

uint64_t WorkFor(uint64_t file_size) {
  return std::max(kWorkLeast, kWorkPerByte * std::min(file_size, uint64_t{1} << 40));
}

uint8_t ByteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

// The first entry of a block has no shared prefix and is not empty.
bool MayBeginRaw(std::string_view window) {
  return window.size() >= 3 && window[0] == 0 && (window[1] != 0 || window[2] != 0);
}

// A block without entries, such as the index of a table with only range deletions: its only
// restart.
constexpr std::string_view kEmptyBlock("\0\0\0\0\1\0\0\0", 8);

}  // namespace

// For each codec, the possible payload sizes of a block that begins with certain bytes. `most` is 0
// if they cannot be that codec's.
struct BlockScanner::Clues {
  std::array<uint64_t, kCodecs> least{}, most{};
  uint64_t reach = 0;  // The largest of `most`.

  void Allow(uint8_t codec, uint64_t least_payload, uint64_t most_payload) {
    DCHECK(IsCodec(codec));
    least[codec] = least_payload;
    most[codec] = most_payload;
    reach = std::max(reach, most_payload);
  }
};

BlockScanner::Clues BlockScanner::CluesAt(uint32_t format_version, std::string_view window,
                                          bool in_damage) {
  Clues clues;
  const uint64_t vague = in_damage ? kVagueReach : kReach;
  if (MayBeginRaw(window)) clues.Allow(kRaw, 1, kReach);
  if (window.starts_with(kEmptyBlock)) clues.Allow(kRaw, kEmptyBlock.size(), kEmptyBlock.size());
  // Old formats have other raw sizes in front, or none.
  if (format_version < 2) {
    clues.Allow(kZlib, 9, vague);
    if (window.starts_with("BZh")) clues.Allow(kBzip2, 1, kReach);
  }
  const auto allow_of_size = [&](uint8_t codec, uint64_t raw, uint64_t reach) {
    if (raw == 0 || raw > kBlockRawSizeMax) return;
    const uint64_t least = raw <= kBlockExpansionFree ? 1 : raw / kBlockExpansionMax;
    clues.Allow(codec, least, std::min(reach, raw + raw / 8 + 64));
  };
  uint64_t raw = 0;
  ByteReader in(window);
  if (format_version < 2 && in.ReadFixed64(&raw)) {
    allow_of_size(kLz4, raw, kReach);
    allow_of_size(kLz4hc, raw, kReach);
  }
  ByteReader sized(window);
  if (!sized.ReadVarint64(&raw) || sized.empty()) return clues;
  const std::string_view packed = sized.rest();
  // The first element of a Snappy stream is a literal.
  if ((ByteAt(packed, 0) & 3) == 0) allow_of_size(kSnappy, raw, vague);
  if (packed.starts_with("\x28\xB5\x2F\xFD")) allow_of_size(kZstd, raw, kReach);
  if (format_version < 2) return clues;
  if ((ByteAt(packed, 0) & 6) != 6) allow_of_size(kZlib, raw, vague);  // A kind of deflate block.
  if (packed.starts_with("BZh")) allow_of_size(kBzip2, raw, kReach);
  allow_of_size(kLz4, raw, vague);  // With a dictionary it may begin with anything.
  allow_of_size(kLz4hc, raw, vague);
  return clues;
}

// For the possible type byte of a raw block: `before` are the bytes in front of it. Returns the
// minimum size of the payload; nullopt if they are not valid restart offsets beginning with 0.
std::optional<uint32_t> BlockScanner::LeastRawPayload(std::string_view before) {
  if (before.size() < 8) return std::nullopt;
  const uint32_t word = LoadFixed32(before.data() + before.size() - 4);
  const uint64_t count = word & kBlockRestartsMax;
  uint64_t behind = 4;
  constexpr uint32_t kReserved = 1u << 30, kSeparated = 1u << 28, kHashIndex = 1u << 31;
  if ((word & kReserved) != 0 || count == 0) return std::nullopt;
  if ((word & kSeparated) != 0) behind += 4;
  if ((word & kHashIndex) != 0) {
    if (behind + 2 > before.size()) return std::nullopt;
    const char* const buckets = before.data() + before.size() - behind - 2;
    behind += 2 + (ByteAt({buckets, 2}, 0) | ByteAt({buckets, 2}, 1) << 8);
  }
  const uint64_t least = behind + 4 * count;
  if (least > before.size() || least > kReach) return std::nullopt;
  if (LoadFixed32(before.data() + before.size() - least) != 0) return std::nullopt;
  return static_cast<uint32_t>(least);
}

BlockScanner::BlockScanner(const RandomAccessFile& file, uint64_t file_size, const Footer& footer)
    : file_(file),
      file_size_(file_size),
      footer_(footer),
      work_left_(WorkFor(file_size)),
      checksums_(footer.checksum) {
  CHECK(CanScan(footer));
}

bool BlockScanner::Spend(uint64_t work) {
  if (work > work_left_) work_left_ = 0;
  if (work_left_ == 0) return false;
  work_left_ -= work;
  return true;
}

Result<std::string_view> BlockScanner::Window(uint64_t start, uint64_t size) {
  CHECK_OP(start, <=, file_size_);
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
    ListEnds();
  }
  return std::string_view(buffer_).substr(start - buffer_start_, size);
}

void BlockScanner::ListEnds() {
  ends_.clear();
  if (buffer_.size() < kBlockTrailerSize) return;
  const std::string_view bytes = buffer_;
  for (size_t at = 1; at + kBlockTrailerSize <= bytes.size(); ++at) {
    const uint8_t codec = ByteAt(bytes, at);
    if (!IsCodec(codec)) continue;
    const auto least =
        codec == kRaw ? LeastRawPayload(bytes.substr(0, at)) : std::optional<uint32_t>(1);
    if (least) ends_.push_back({static_cast<uint32_t>(at), *least, codec});
  }
}

template <typename Use>
void BlockScanner::VisitEnds(uint64_t start, std::string_view window, const Clues& clues,
                             const Use& use) {
  if (clues.reach == 0 || window.size() < kBlockTrailerSize) return;
  CHECK_OP(buffer_start_, <=, start);
  const uint64_t base = start - buffer_start_;
  const uint64_t last = base + std::min<uint64_t>(clues.reach, window.size() - kBlockTrailerSize);
  auto end = std::upper_bound(ends_.begin(), ends_.end(), base,
                              [](uint64_t at, const End& e) { return at < e.at; });
  for (; end != ends_.end() && end->at <= last; ++end) {
    if (!Spend(kEndWork)) return;
    const uint64_t payload = end->at - base;
    if (payload < std::max<uint64_t>(clues.least[end->codec], end->least)) continue;
    if (payload > clues.most[end->codec]) continue;
    DCHECK_OP(payload + kBlockTrailerSize, <=, window.size());
    if (!use(static_cast<size_t>(payload))) return;
  }
}

Result<std::optional<BlockHandle>> BlockScanner::BlockAt(uint64_t start, uint64_t reach,
                                                         bool in_damage) {
  ASSIGN_OR_RETURN(const std::string_view window,
                   Window(start, std::min(reach, kReach) + kBlockTrailerSize));
  std::optional<BlockHandle> found;
  size_t hashed = 0;
  const auto matches = [&](size_t payload) {
    DCHECK_OP(hashed, <=, payload, "payloads ascend: each byte is hashed once");
    if (hashed == 0) checksums_.Begin(window);
    if (!Spend(payload - hashed + kDigestWork)) return false;
    hashed = payload;
    const uint32_t modifier = ChecksumModifier(footer_.base_context_checksum, start);
    const uint32_t stored = LoadFixed32(window.data() + payload + 1);
    if (checksums_.Of(payload) + modifier == stored) found = BlockHandle{start, payload};
    return !found;
  };
  VisitEnds(start, window, CluesAt(footer_.format_version, window, in_damage), matches);
  return found;
}

Result<std::vector<BlockHandle>> BlockScanner::BlocksIn(
    uint64_t from, uint64_t to, const std::function<bool(uint64_t)>& go_on) {
  constexpr uint64_t kAskEvery = 1024;
  CHECK_OP(to, <=, file_size_);
  std::vector<BlockHandle> found;
  bool in_damage = false;
  uint64_t next_question = from;
  for (uint64_t at = from; at + kBlockTrailerSize < to;) {
    if (at >= next_question && !go_on(at)) break;
    if (at >= next_question) next_question = at + kAskEvery;
    if (!Spend(kStartWork)) {
      if (!given_up_at_) given_up_at_ = at;
      break;
    }
    ASSIGN_OR_RETURN(const auto block, BlockAt(at, to - at - kBlockTrailerSize, in_damage));
    if (block) found.push_back(*block);
    DCHECK(!block || (block->offset == at && block->end() > at));
    at = block ? block->end() : at + 1;
    in_damage = !block;
  }
  return found;
}

// Determines the checksum type of a file's blocks.
class BlockScanner::Guesser {
 public:
  Guesser(const RandomAccessFile& file, uint64_t file_size, const DecodesFn& decodes)
      : scanner_(file, file_size, Guess(ChecksumType::kXxh3, 6, 0)), decodes_(decodes) {
    for (const ChecksumType checksum : kChecksums) running_.emplace_back(checksum);
  }

  Result<std::optional<Footer>> Run() {
    RETURN_IF_ERROR(AddGuesses());
    const uint64_t starts = std::min(scanner_.file_size_, kGuessStartsMax);
    for (uint64_t start = 0; start + kBlockTrailerSize < starts; ++start) {
      if (!scanner_.Spend(kStartWork)) break;
      ASSIGN_OR_RETURN(const auto fits, TryStart(start));
      if (fits) return fits;
      if (start > 0) continue;
      ASSIGN_OR_RETURN(const auto based, BaseFromFirstBlock());
      if (based) return based;
    }
    return std::optional<Footer>();
  }

 private:
  Status AddGuesses() {
    const uint64_t size = scanner_.file_size_;
    std::string buffer(std::min(size, kFooterSize), '\0');
    ASSIGN_OR_RETURN(const std::string_view tail,
                     scanner_.file_.Read(size - buffer.size(), buffer.size(), buffer.data()));
    if (tail.size() == kFooterSize) {  // The rest of a damaged footer may still have it.
      const uint32_t base = LoadFixed32(tail.data() + kBaseContextAt);
      for (const ChecksumType checksum : kChecksums) guesses_.push_back(Guess(checksum, 6, base));
    }
    for (const ChecksumType checksum : kChecksums) guesses_.push_back(Guess(checksum, 5, 0));
    // The same checksums, but payloads without raw sizes.
    guesses_.push_back(Guess(ChecksumType::kCrc32c, 1, 0));
    guesses_.push_back(Guess(ChecksumType::kXxh32, 1, 0));
    guesses_.push_back(Guess(ChecksumType::kCrc32c, 0, 0));
    return Status::Ok();
  }

  // The checksum of a block that ends at `payload` in the window, without a context, for each of
  // kChecksums. False: that would be too much work.
  bool Compute(std::string_view window, size_t payload) {
    DCHECK_OP(hashed_, <=, payload);
    if (hashed_ == 0) {
      for (PrefixChecksums& running : running_) running.Begin(window);
    }
    if (!scanner_.Spend(kChecksums.size() * (payload - hashed_ + kDigestWork))) return false;
    hashed_ = payload;
    for (size_t i = 0; i < kChecksums.size(); ++i) plain_[i] = running_[i].Of(payload);
    return true;
  }
  uint32_t Plain(ChecksumType checksum) const {
    const auto found = std::find(kChecksums.begin(), kChecksums.end(), checksum);
    DCHECK(found != kChecksums.end());
    return plain_[found - kChecksums.begin()];
  }

  Result<std::optional<Footer>> TryStart(uint64_t start) {
    ASSIGN_OR_RETURN(const std::string_view window,
                     scanner_.Window(start, kReach + kBlockTrailerSize));
    std::optional<Footer> decoded, verified;
    const auto try_version = [&](bool old) {
      hashed_ = 0;
      const Clues clues = CluesAt(old ? 1 : 6, window, /*in_damage=*/true);
      scanner_.VisitEnds(start, window, clues, [&](size_t payload) {
        if (!Compute(window, payload)) return false;
        const uint32_t stored = LoadFixed32(window.data() + payload + 1);
        for (const Footer& guess : guesses_) {
          if ((guess.format_version < 2) != old) continue;
          const uint32_t modifier = ChecksumModifier(guess.base_context_checksum, start);
          if (Plain(guess.checksum) + modifier != stored) continue;
          if (!verified) verified = guess;
          if (decodes_left_ == 0) continue;
          --decodes_left_;
          if (!decodes_(guess, {start, payload})) continue;
          decoded = guess;
          return false;
        }
        return true;
      });
    };
    try_version(false);
    if (!decoded) try_version(true);
    return decoded ? decoded : verified;  // A block that only verified may need a dictionary.
  }

  // From format_version 6 on a checksum includes a number of the file, to which the first block's
  // offset adds nothing: each possible end of that block gives a candidate number, and the next
  // block confirms it.
  Result<std::optional<Footer>> BaseFromFirstBlock() {
    ASSIGN_OR_RETURN(const std::string_view view, scanner_.Window(0, kReach + kBlockTrailerSize));
    const std::string window(view);  // Reading the next block moves the scanner's window.
    std::vector<std::pair<size_t, Footer>> bases;
    hashed_ = 0;
    scanner_.VisitEnds(0, window, CluesAt(6, window, /*in_damage=*/true), [&](size_t payload) {
      if (payload + kBlockTrailerSize >= scanner_.file_size_) return false;
      if (!Compute(window, payload)) return false;
      const uint32_t stored = LoadFixed32(window.data() + payload + 1);
      for (const ChecksumType checksum : kChecksums) {
        const uint32_t base = stored - Plain(checksum);
        if (base != 0) bases.emplace_back(payload, Guess(checksum, 6, base));
      }
      return bases.size() < kBasesMax;
    });
    for (const auto& [payload, guess] : bases) {
      scanner_.footer_ = guess;
      scanner_.checksums_ = PrefixChecksums(guess.checksum);
      ASSIGN_OR_RETURN(const auto block,
                       scanner_.BlockAt(payload + kBlockTrailerSize, kReach, /*in_damage=*/true));
      if (block) return std::optional(guess);
    }
    return std::optional<Footer>();
  }

  static constexpr size_t kBasesMax = 64 << 10;

  BlockScanner scanner_;
  const DecodesFn& decodes_;
  int decodes_left_ = kGuessDecodesMax;
  std::vector<Footer> guesses_;
  std::vector<PrefixChecksums> running_;  // As kChecksums.
  std::array<uint32_t, kChecksums.size()> plain_{};
  size_t hashed_ = 0;
};

Result<std::optional<Footer>> BlockScanner::GuessFooter(const RandomAccessFile& file,
                                                        uint64_t file_size,
                                                        const DecodesFn& decodes) {
  return Guesser(file, file_size, decodes).Run();
}

}  // namespace varve
