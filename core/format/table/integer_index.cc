// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/integer_index.h"

#include <algorithm>
#include <bit>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {
namespace {

constexpr uint64_t kNumberBitsMax = uint64_t{1} << 40;

void AppendWords(std::string* out, const std::vector<uint64_t>& words, uint64_t bytes) {
  DCHECK_OP(bytes, <=, words.size() * sizeof(uint64_t));
  out->append(reinterpret_cast<const char*>(words.data()), bytes);
}

std::vector<uint64_t> ToWords(std::string_view bytes, size_t more) {
  std::vector<uint64_t> words((bytes.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t) + more);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

uint64_t BytesOfBits(uint64_t bits) { return bits / 8 + (bits % 8 != 0); }

class IntegerIndexDecoder {
 public:
  explicit IntegerIndexDecoder(std::string_view bytes) : in_(bytes) {}

  Result<IntegerIndex> Run() {
    RETURN_IF_ERROR(ReadHead());
    if (const std::string_view wrong = ReadPointPlaces(&in_, &index_); !wrong.empty()) {
      return Broken(wrong);
    }
    RETURN_IF_ERROR(ReadForm());
    if (!in_.ok() || !in_.empty()) return Broken("it is not as long as it says");
    return std::move(index_);
  }

 private:
  Status Broken(std::string_view why) const {
    return Status::Corruption("integer index, byte " + std::to_string(in_.offset()) + ": " +
                              std::string(why));
  }

  Status ReadHead() {
    uint8_t version = 0, form = 0;
    if (in_.ReadByte(&version) && version != IntegerIndex::kVersion) {
      return Status::NotSupported("integer index of version " + std::to_string(version));
    }
    in_.ReadByte(&form);
    if (form > static_cast<uint8_t>(IntegerIndex::Form::kPiecewise)) return Broken("unknown form");
    index_.form = static_cast<IntegerIndex::Form>(form);
    in_.ReadVarint32(&index_.key_size);
    if (index_.key_size > IntegerIndex::kIntegerSize) {
      std::string_view prefix;
      in_.ReadBytes(index_.key_size - IntegerIndex::kIntegerSize, &prefix);
      index_.prefix = prefix;
    }
    in_.ReadFixed64(&index_.smallest);
    in_.ReadVarint64(&index_.span);
    in_.ReadVarint32(&index_.entries);
    in_.ReadVarint32(&index_.keys);
    if (!in_.ok()) return Broken("it ends too early");
    const uint64_t largest = LargestInteger();
    if (index_.smallest > largest || index_.span > largest - index_.smallest) {
      return Broken("its integers do not fit its keys");
    }
    if (index_.keys == 0 || index_.keys > index_.entries || index_.span < index_.keys - 1 ||
        (index_.keys == 1 && index_.span != 0)) {
      return Broken("it has an impossible number of keys");
    }
    return Status::Ok();
  }
  uint64_t LargestInteger() const {
    const uint32_t size = index_.key_size;
    return size >= IntegerIndex::kIntegerSize ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
  }

  Status ReadForm() {
    switch (index_.form) {
      case IntegerIndex::Form::kAllOne:
        return index_.span == index_.keys - 1 ? Status::Ok() : Broken("not all integers are keys");
      case IntegerIndex::Form::kDense:
        return ReadBits();
      case IntegerIndex::Form::kPiecewise:
        break;
    }
    return ReadSegments();
  }

  Status ReadBits() {
    const uint64_t last = index_.span % 8;
    std::string_view bytes;
    if (!in_.ReadBytes(index_.span / 8 + 1, &bytes)) return Broken("it ends too early");
    uint64_t keys = 0;
    index_.bits = ToWords(bytes, 0);
    for (const uint64_t word : index_.bits) keys += static_cast<uint64_t>(std::popcount(word));
    const auto last_byte = static_cast<uint8_t>(bytes.back());
    if (keys != index_.keys || (bytes.front() & 1) == 0 || last_byte >> last != 1) {
      return Broken("its bits are not those of its keys");
    }
    return Status::Ok();
  }

  Status ReadSegments() {
    const uint32_t count = (index_.keys - 1) / IntegerIndex::kSegmentKeys + 1;
    constexpr size_t kSegmentBytesMin = 3;
    if (count > in_.rest().size() / kSegmentBytesMin) return Broken("it ends too early");
    index_.segments.reserve(count);
    uint64_t first = 0;
    for (uint32_t i = 0; i < count; ++i) {
      IntegerIndex::Segment segment;
      uint64_t distance = 0;
      in_.ReadVarint64(&distance);
      in_.ReadVarint64(&segment.bias);
      in_.ReadByte(&segment.width);
      if (!in_.ok() || segment.width > IntegerIndex::kWidthMax ||
          segment.bias >> IntegerIndex::kWidthMax != 0 || (distance == 0) != (i == 0) ||
          distance > index_.span - first) {
        return Broken("a segment cannot be");
      }
      segment.first = first += distance;
      index_.segments.push_back(segment);
    }
    const std::optional<std::vector<uint64_t>> offsets = index_.NumberOffsets();
    std::string_view numbers;
    if (!offsets || !in_.ReadBytes(BytesOfBits(offsets->back()), &numbers)) {
      return Broken("its numbers do not fit");
    }
    const uint64_t last = offsets->back() % 8;
    if (last != 0 && static_cast<uint8_t>(numbers.back()) >> last != 0) {
      return Broken("bits follow its numbers");
    }
    index_.bits = ToWords(numbers, 1);
    return Status::Ok();
  }

  ByteReader in_;
  IntegerIndex index_;
};

}  // namespace

std::optional<std::vector<uint64_t>> IntegerIndex::NumberOffsets() const {
  std::vector<uint64_t> offsets;
  offsets.reserve(segments.size() + 1);
  uint64_t offset = 0;
  for (size_t i = 0; i < segments.size(); ++i) {
    offsets.push_back(offset);
    const uint64_t keys_left = keys - (uint64_t{i} << kSegmentShift);
    offset += std::min<uint64_t>(keys_left, kSegmentKeys) * segments[i].width;
    if (offset > kNumberBitsMax) return std::nullopt;
  }
  offsets.push_back(offset);
  return offsets;
}

std::string_view IntegerFormName(IntegerIndex::Form form) {
  switch (form) {
    case IntegerIndex::Form::kAllOne:
      return "all_one";
    case IntegerIndex::Form::kDense:
      return "dense";
    case IntegerIndex::Form::kPiecewise:
      break;
  }
  return "piecewise";
}

std::string EncodeIntegerIndex(const IntegerIndex& index) {
  std::string out;
  out.push_back(static_cast<char>(IntegerIndex::kVersion));
  out.push_back(static_cast<char>(index.form));
  AppendVarint32(&out, index.key_size);
  out.append(index.prefix);
  AppendFixed64(&out, index.smallest);
  AppendVarint64(&out, index.span);
  AppendVarint32(&out, index.entries);
  AppendVarint32(&out, index.keys);
  AppendPointPlaces(&out, index);
  if (index.form == IntegerIndex::Form::kDense) AppendWords(&out, index.bits, index.span / 8 + 1);
  if (index.form == IntegerIndex::Form::kPiecewise) {
    uint64_t first = 0;
    for (const IntegerIndex::Segment& segment : index.segments) {
      AppendVarint64(&out, segment.first - first);
      AppendVarint64(&out, segment.bias);
      out.push_back(static_cast<char>(segment.width));
      first = segment.first;
    }
    AppendWords(&out, index.bits, BytesOfBits(index.NumberOffsets()->back()));
  }
  return out;
}

Result<IntegerIndex> DecodeIntegerIndex(std::string_view bytes) {
  return IntegerIndexDecoder(bytes).Run();
}

}  // namespace varve
