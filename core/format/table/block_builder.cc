// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "core/base/hash/hash.h"
#include "core/format/limits.h"
#include "core/format/table/block_view.h"

namespace varve {

namespace {

constexpr uint64_t kWordSize = sizeof(uint32_t);
constexpr uint32_t kHashIndexBit = 1u << 31;
// Keys with a suffix up to this size are assembled together with the sizes before them.
constexpr size_t kShortSuffix = 32;

// The length of the common prefix, eight bytes at a time.
uint32_t SharedSize(std::string_view a, std::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    const uint64_t difference = LoadFixed64(a.data() + i) ^ LoadFixed64(b.data() + i);
    if (difference != 0) {
      return static_cast<uint32_t>(i) + static_cast<uint32_t>(std::countr_zero(difference)) / 8;
    }
  }
  while (i < size && a[i] == b[i]) ++i;
  return static_cast<uint32_t>(i);
}

}  // namespace

BlockBuilder::BlockBuilder(const BlockBuilderOptions& options)
    : options_(options), hash_index_fits_(options.hash_index_ratio > 0) {
  CHECK_OP(options.restart_interval, >=, 1);
  CHECK(options.hash_index_ratio >= 0);
  restarts_.push_back(0);
}

void BlockBuilder::Reset() {
  buffer_.clear();
  restarts_.assign(1, 0);
  since_restart_ = 0;
  entries_ = 0;
  finished_ = false;
  last_key_.clear();
  last_handle_ = {};
  hashed_.clear();
  hash_index_fits_ = options_.hash_index_ratio > 0;
}

// Returns how much key_ shares with the previous key; starts a new restart interval if one is due.
uint32_t BlockBuilder::SharedWithLast() {
  DCHECK(!finished_);
  if (since_restart_ < options_.restart_interval) {
    DCHECK(entries_ > 0 || last_key_.empty());
    return entries_ == 0 ? 0 : SharedSize(last_key_, key_);
  }
  restarts_.push_back(static_cast<uint32_t>(buffer_.size()));
  since_restart_ = 0;
  return 0;
}

void BlockBuilder::FinishEntry() {
  last_key_.swap(key_);
  ++since_restart_;
  ++entries_;
}

void BlockBuilder::AppendEntry(std::string_view value) {
  const uint32_t shared = SharedWithLast();
  const std::string_view suffix = std::string_view(key_).substr(shared);
  char front[3 * kMaxVarint64Size + kShortSuffix];
  char* end = StoreVarint64(front, shared);
  end = StoreVarint64(end, suffix.size());
  end = StoreVarint64(end, value.size());
  const bool is_short = suffix.size() <= kShortSuffix;
  if (is_short) {
    CopyShort(end, suffix.data(), suffix.size());
    end += suffix.size();
  }
  buffer_.append(front, static_cast<size_t>(end - front));
  if (!is_short) buffer_.append(suffix);
  buffer_.append(value);
}

void BlockBuilder::Add(const InternalKey& key, std::string_view value) {
  const size_t user_size = key.user_key.size();
  if (key_.size() != user_size + kPackedSize) key_.resize(user_size + kPackedSize);
  CopyShort(key_.data(), key.user_key.data(), user_size);
  StoreFixed64(key_.data() + user_size, key.packed());
  AppendEntry(value);
  if (hash_index_fits_) NoteHash(key.user_key);
  FinishEntry();
}

void BlockBuilder::Add(std::string_view key, std::string_view value) {
  key_.assign(key);
  AppendEntry(value);
  FinishEntry();
}

void BlockBuilder::AddIndex(std::string_view key, BlockHandle handle, std::string_view first_key) {
  key_.assign(key);
  if (!options_.delta_encode_index_values) {
    index_value_.clear();
    AppendBlockHandle(&index_value_, handle);
    if (!first_key.empty()) AppendLengthPrefixed(&index_value_, first_key);
    AppendEntry(index_value_);
    FinishEntry();
    return;
  }
  uint32_t shared = SharedWithLast();
  // For readers, shared > 0 means "directly behind the previous block": see ParseIndexValue().
  if (handle.offset != last_handle_.end()) shared = 0;
  AppendVarint64(&buffer_, shared);
  AppendVarint64(&buffer_, key_.size() - shared);
  buffer_.append(key_, shared);
  if (shared == 0) {
    AppendBlockHandle(&buffer_, handle);
  } else {
    AppendSignedVarint64(&buffer_, static_cast<int64_t>(handle.size - last_handle_.size));
  }
  if (!first_key.empty()) AppendLengthPrefixed(&buffer_, first_key);
  last_handle_ = handle;
  FinishEntry();
}

void BlockBuilder::NoteHash(std::string_view user_key) {
  if (restarts_.size() > kHashIndexRestartsMax) {
    hash_index_fits_ = false;
    return;
  }
  hashed_.push_back({Hash32(user_key, kHashIndexSeed), static_cast<uint8_t>(restarts_.size() - 1)});
}

uint32_t BlockBuilder::HashBuckets() const {
  DCHECK(options_.hash_index_ratio > 0);
  const double wanted = static_cast<double>(hashed_.size()) / options_.hash_index_ratio;
  // An odd number, so that the remainder depends on all bits of the hash.
  return std::max(static_cast<uint32_t>(std::min(wanted, double{kHashIndexBlockSizeMax})), 1u) | 1u;
}

uint64_t BlockBuilder::HashIndexSize() const {
  return hash_index_fits_ && !hashed_.empty() ? HashBuckets() + sizeof(uint16_t) : 0;
}

// Between the restarts and the last word: a byte per bucket, then their number.
void BlockBuilder::AppendHashIndex() {
  const uint32_t count = HashBuckets();
  CHECK_OP(count, <, kHashIndexBlockSizeMax);
  const size_t start = buffer_.size();
  buffer_.append(count, static_cast<char>(kBucketEmpty));
  for (const HashedEntry& entry : hashed_) {
    char& bucket = buffer_[start + entry.hash % count];
    const auto held = static_cast<uint8_t>(bucket);
    if (held == entry.restart) continue;
    bucket = static_cast<char>(held == kBucketEmpty ? entry.restart : kBucketCollision);
  }
  AppendFixed16(&buffer_, static_cast<uint16_t>(count));
}

Status BlockBuilder::CheckSize() const {
  const uint64_t size = CurrentSizeEstimate();
  if (size > kBlockRawSizeMax) {
    return Status::NotSupported("a block of " + std::to_string(size) + " bytes, of at most " +
                                std::to_string(kBlockRawSizeMax));
  }
  if (restarts_.size() > kBlockRestartsMax) {
    return Status::NotSupported("a block with " + std::to_string(restarts_.size()) +
                                " restarts, of at most " + std::to_string(kBlockRestartsMax));
  }
  return Status::Ok();
}

std::string_view BlockBuilder::Finish() {
  CHECK(!finished_);
  finished_ = true;
  const uint64_t plain_size = buffer_.size() + kWordSize * (restarts_.size() + 1);
  const uint64_t hash_size = HashIndexSize();
  const bool with_hash = hash_size != 0 && plain_size + hash_size < kHashIndexBlockSizeMax;
  CHECK(plain_size <= kBlockRawSizeMax);
  CHECK(restarts_.size() <= kBlockRestartsMax);
  buffer_.reserve(plain_size + (with_hash ? hash_size : 0));
  buffer_.append(reinterpret_cast<const char*>(restarts_.data()), kWordSize * restarts_.size());
  if (with_hash) AppendHashIndex();
  const auto count = static_cast<uint32_t>(restarts_.size());
  AppendFixed32(&buffer_, with_hash ? count | kHashIndexBit : count);
  CHECK_OP(buffer_.size(), ==, plain_size + (with_hash ? hash_size : 0));
  return buffer_;
}

uint64_t BlockBuilder::EstimateSizeAfter(uint64_t key_size, uint64_t value_size) const {
  const uint64_t restart = since_restart_ >= options_.restart_interval ? kWordSize : 0;
  const uint64_t bucket =
      hash_index_fits_ ? static_cast<uint64_t>(1 / options_.hash_index_ratio) + 4 : 0;
  return CurrentSizeEstimate() + VarintSize(key_size) * 2 + VarintSize(value_size) + key_size +
         value_size + restart + bucket;
}

}  // namespace varve
