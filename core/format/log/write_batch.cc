// SPDX-License-Identifier: Apache-2.0
#include "varve/write_batch.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

constexpr size_t kCountOffset = sizeof(uint64_t);

// The tags of one kind of change: for the default family, without a family field, and for others.
struct TagPair {
  uint8_t plain;
  uint8_t with_family;
};
constexpr TagPair kPut = {0x01, 0x05};
constexpr TagPair kDelete = {0x00, 0x04};
constexpr TagPair kSingleDelete = {0x07, 0x08};
constexpr TagPair kMerge = {0x02, 0x06};
constexpr TagPair kDeleteRange = {0x0F, 0x0E};

char* StoreLength(char* out, size_t size) {
  CHECK(size <= std::numeric_limits<uint32_t>::max());
  if (size < 0x80) {  // True for nearly every key and many values.
    *out = static_cast<char>(size);
    return out + 1;
  }
  return StoreVarint64(out, size);
}

void AddCount(std::string* bytes, uint32_t more) {
  const uint32_t count = LoadFixed32(bytes->data() + kCountOffset);
  CHECK(more <= std::numeric_limits<uint32_t>::max() - count);
  StoreFixed32(bytes->data() + kCountOffset, count + more);
}

// A moved-from batch, as after Write(options, std::move(batch)), has no bytes: it is empty.
void HaveHeader(std::string* bytes) {
  if (bytes->empty()) bytes->assign(kWriteBatchHeaderSize, '\0');
  CHECK(bytes->size() >= kWriteBatchHeaderSize, "the caller validates encoded bytes");
}

// Room for `more` bytes, growing by doubling: a change is appended in pieces, of which each could
// otherwise move the bytes.
void HaveRoom(std::string* bytes, size_t more) {
  const size_t capacity = bytes->capacity();
  if (capacity - bytes->size() >= more) return;
  bytes->reserve(std::max(bytes->size() + more, 2 * capacity));
}

// Counts a change and appends everything that precedes the key's own bytes.
void BeginChange(std::string* bytes, TagPair tags, ColumnFamilyId family, std::string_view key) {
  HaveHeader(bytes);
  AddCount(bytes, 1);
  char head[1 + 2 * kMaxVarint32Size];
  char* end = head;
  if (family == kDefaultColumnFamilyId) {
    *end++ = static_cast<char>(tags.plain);
  } else {
    *end++ = static_cast<char>(tags.with_family);
    end = StoreVarint64(end, family);
  }
  end = StoreLength(end, key.size());
  DCHECK(end <= head + sizeof(head));
  bytes->append(head, static_cast<size_t>(end - head));
}

void AppendChange(std::string* bytes, TagPair tags, ColumnFamilyId family, std::string_view key) {
  BeginChange(bytes, tags, family, key);
  bytes->append(key);
}

void AppendChange(std::string* bytes, TagPair tags, ColumnFamilyId family, std::string_view key,
                  std::string_view value) {
  constexpr size_t kHeadsMax = kWriteBatchHeaderSize + 1 + 3 * kMaxVarint32Size;
  HaveRoom(bytes, kHeadsMax + key.size() + value.size());
  AppendChange(bytes, tags, family, key);
  char head[kMaxVarint32Size];
  bytes->append(head, static_cast<size_t>(StoreLength(head, value.size()) - head));
  bytes->append(value);
}

std::string Stored(std::string_view key, std::string_view timestamp) {
  return std::string(key).append(timestamp);
}

}  // namespace

WriteBatch::WriteBatch() : bytes_(kWriteBatchHeaderSize, '\0') {}

void WriteBatch::Put(std::string_view key, std::string_view value, ColumnFamilyId family) {
  AppendChange(&bytes_, kPut, family, key, value);
}

void WriteBatch::Delete(std::string_view key, ColumnFamilyId family) {
  AppendChange(&bytes_, kDelete, family, key);
}

void WriteBatch::SingleDelete(std::string_view key, ColumnFamilyId family) {
  AppendChange(&bytes_, kSingleDelete, family, key);
}

void WriteBatch::DeleteRange(std::string_view begin, std::string_view end, ColumnFamilyId family) {
  AppendChange(&bytes_, kDeleteRange, family, begin, end);
}

void WriteBatch::Merge(std::string_view key, std::string_view operand, ColumnFamilyId family) {
  AppendChange(&bytes_, kMerge, family, key, operand);
}

void WriteBatch::CountTimestamp(ColumnFamilyId family, size_t timestamp_size, uint32_t changes) {
  for (Timestamped& known : timestamped_) {
    if (known.family != family || known.timestamp_size != timestamp_size) continue;
    known.changes += changes;
    return;
  }
  timestamped_.push_back({family, timestamp_size, changes});
}

void WriteBatch::PutAt(std::string_view key, std::string_view timestamp, std::string_view value,
                       ColumnFamilyId family) {
  Put(Stored(key, timestamp), value, family);
  CountTimestamp(family, timestamp.size(), 1);
}

void WriteBatch::DeleteAt(std::string_view key, std::string_view timestamp, ColumnFamilyId family) {
  Delete(Stored(key, timestamp), family);
  CountTimestamp(family, timestamp.size(), 1);
}

void WriteBatch::SingleDeleteAt(std::string_view key, std::string_view timestamp,
                                ColumnFamilyId family) {
  SingleDelete(Stored(key, timestamp), family);
  CountTimestamp(family, timestamp.size(), 1);
}

void WriteBatch::MergeAt(std::string_view key, std::string_view timestamp, std::string_view operand,
                         ColumnFamilyId family) {
  Merge(Stored(key, timestamp), operand, family);
  CountTimestamp(family, timestamp.size(), 1);
}

void WriteBatch::Append(const WriteBatch& other) {
  if (other.bytes_.empty()) return;
  for (size_t i = 0, count = other.timestamped_.size(); i < count; ++i) {
    const Timestamped added = other.timestamped_[i];  // `other` may be *this.
    CountTimestamp(added.family, added.timestamp_size, added.changes);
  }
  HaveHeader(&bytes_);
  CHECK(other.bytes_.size() >= kWriteBatchHeaderSize);
  const std::vector<Encoded> parts = other.encoded_;  // `other` may be *this.
  for (const Encoded& part : parts) AddEncoded(part, bytes_.size());
  const size_t added = other.bytes_.size() - kWriteBatchHeaderSize;  // `other` may be *this.
  AddCount(&bytes_, other.count());
  bytes_.append(other.bytes_, kWriteBatchHeaderSize, added);
}

// `part` is of a batch whose changes are added at `end`. Neighbours become one: the batches of a
// log are put together of parts.
void WriteBatch::AddEncoded(const Encoded& part, size_t end) {
  const auto moved = [end](size_t at) {
    return end + at - std::min<size_t>(at, kWriteBatchHeaderSize);
  };
  const Encoded added{moved(part.begin), moved(part.end)};
  if (!encoded_.empty() && encoded_.back().end == added.begin) {
    encoded_.back().end = added.end;
  } else {
    encoded_.push_back(added);
  }
}

void WriteBatch::Clear() {
  bytes_.assign(kWriteBatchHeaderSize, '\0');
  timestamped_.clear();
  encoded_.clear();
}

void WriteBatch::CutTimestamped(std::vector<Timestamped> before) {
  timestamped_ = std::move(before);
  for (Encoded& part : encoded_) {
    part.begin = std::min(part.begin, bytes_.size());
    part.end = std::min(part.end, bytes_.size());
  }
}

void WriteBatch::TakeTimestampedOf(const WriteBatch& of) {
  timestamped_ = of.timestamped_;
  encoded_.clear();
  // What was added behind encoded bytes is not told apart in the copy.
  const bool all = of.encoded_.size() == 1 && of.encoded_[0].begin <= kWriteBatchHeaderSize &&
                   of.encoded_[0].end == of.bytes_.size();
  if (all) encoded_.push_back({0, bytes_.size()});
}

uint32_t WriteBatch::count() const {
  if (bytes_.size() < kWriteBatchHeaderSize) return 0;
  return LoadFixed32(bytes_.data() + kCountOffset);
}

}  // namespace varve
