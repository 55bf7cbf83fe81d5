// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/prefix_checksums.h"

#include "core/base/check.h"
#include "core/base/hash/crc32c.h"
#include "core/base/hash/hash_stream.h"
#include "core/format/table/block_trailer.h"

namespace varve {

struct PrefixChecksums::State {
  explicit State(ChecksumType type)
      : hash(type == ChecksumType::kXxh32   ? HashStream::Kind::kXxh32
             : type == ChecksumType::kXxh64 ? HashStream::Kind::kXxh64
                                            : HashStream::Kind::kXxh3) {}
  Crc32c crc = ComputeCrc32c("");
  HashStream hash;
};

PrefixChecksums::PrefixChecksums(ChecksumType type)
    : type_(type), state_(std::make_unique<State>(type)) {}
PrefixChecksums::PrefixChecksums(PrefixChecksums&&) noexcept = default;
PrefixChecksums& PrefixChecksums::operator=(PrefixChecksums&&) noexcept = default;
PrefixChecksums::~PrefixChecksums() = default;

void PrefixChecksums::Begin(std::string_view bytes) {
  bytes_ = bytes;
  done_ = 0;
  state_->crc = ComputeCrc32c("");
  state_->hash.Reset();
}

void PrefixChecksums::ExtendTo(size_t size) {
  const std::string_view more = bytes_.substr(done_, size - done_);
  if (type_ == ChecksumType::kCrc32c) {
    state_->crc = ExtendCrc32c(state_->crc, more);
  } else {
    state_->hash.Add(more);
  }
  done_ = size;
}

uint32_t PrefixChecksums::Of(size_t payload) {
  CHECK(payload < bytes_.size());
  if (type_ == ChecksumType::kNone) return 0;
  if (type_ == ChecksumType::kXxh3) {
    CHECK(payload >= done_);
    ExtendTo(payload);
    return FoldTypeIntoXxh3(state_->hash.Digest(), static_cast<uint8_t>(bytes_[payload]));
  }
  CHECK(payload + 1 >= done_);
  ExtendTo(payload + 1);
  if (type_ == ChecksumType::kCrc32c) return Mask(state_->crc).value;
  return static_cast<uint32_t>(state_->hash.Digest());
}

}  // namespace varve
