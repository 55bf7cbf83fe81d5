// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/hash_index.h"

#include <cstring>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {
namespace {

class HashIndexDecoder {
 public:
  explicit HashIndexDecoder(std::string_view bytes) : in_(bytes) {}

  Result<HashIndex> Run() {
    uint32_t lines = 0;
    RETURN_IF_ERROR(ReadHead(&lines));
    if (const std::string_view wrong = ReadPointPlaces(&in_, &index_); !wrong.empty()) {
      return Broken(wrong);
    }
    RETURN_IF_ERROR(ReadLines(lines));
    RETURN_IF_ERROR(CheckLines());
    return std::move(index_);
  }

 private:
  Status Broken(std::string_view why) const {
    return Status::Corruption("hash index, byte " + std::to_string(in_.offset()) + ": " +
                              std::string(why));
  }

  Status ReadHead(uint32_t* lines) {
    uint8_t version = 0;
    if (in_.ReadByte(&version) && version != HashIndex::kVersion) {
      return Status::NotSupported("hash index of version " + std::to_string(version));
    }
    in_.ReadByte(&index_.slot_size);
    in_.ReadVarint32(&index_.entries);
    in_.ReadVarint32(&index_.keys);
    in_.ReadVarint32(&index_.homes);
    in_.ReadVarint32(lines);
    if (!in_.ok()) return Broken("it ends too early");
    if (index_.slot_size != 4 && index_.slot_size != 5) return Broken("unknown size of slots");
    if (index_.keys == 0 || index_.keys > index_.entries ||
        index_.entries > HashIndex::kEntriesMax) {
      return Broken("it has an impossible number of keys");
    }
    if (index_.homes == 0 || *lines < index_.homes ||
        *lines - index_.homes > HashIndex::kFullRunMax) {
      return Broken("it has an impossible number of lines");
    }
    return Status::Ok();
  }

  Status ReadLines(uint32_t count) {
    const std::string_view bytes = in_.rest();
    if (bytes.size() != uint64_t{count} * HashIndex::kLineSize) {
      return Broken("it is not as long as it says");
    }
    index_.lines.resize(count);
    std::memcpy(index_.lines.data(), bytes.data(), bytes.size());
    return Status::Ok();
  }

  // What a search relies on: that it ends, and soon; and that what it finds is an entry.
  Status CheckLines() const {
    const uint32_t capacity = index_.capacity();
    uint64_t keys = 0;
    uint32_t full_run = 0;
    for (const HashIndex::Line& line : index_.lines) {
      if (!IsSound(line, capacity)) return Broken("a line cannot be");
      keys += line.used();
      full_run = line.used() == capacity ? full_run + 1 : 0;
      if (full_run > HashIndex::kFullRunMax) return Broken("too many lines in a row are full");
    }
    if (full_run != 0) return Broken("its last line is full");
    return keys == index_.keys ? Status::Ok() : Broken("its lines do not have its keys");
  }
  bool IsSound(const HashIndex::Line& line, uint32_t capacity) const {
    for (uint32_t group = 0; group < HashIndex::kGroups; ++group) {
      if (line.begin(group) > line.end(group) || line.end(group) > capacity) return false;
    }
    const uint64_t entry_mask = (uint64_t{1} << index_.entry_bits()) - 1;
    const uint32_t bits = index_.entry_bits() + index_.fingerprint_bits();
    for (uint32_t i = 0; i < capacity; ++i) {
      const uint64_t slot = line.slot(i, index_.slot_size);
      if (i >= line.used() ? slot != 0
                           : slot >> bits != 0 || (slot & entry_mask) >= index_.entries) {
        return false;
      }
    }
    return true;
  }

  ByteReader in_;
  HashIndex index_;
};

}  // namespace

std::string EncodeHashIndex(const HashIndex& index) {
  std::string out;
  out.push_back(static_cast<char>(HashIndex::kVersion));
  out.push_back(static_cast<char>(index.slot_size));
  AppendVarint32(&out, index.entries);
  AppendVarint32(&out, index.keys);
  AppendVarint32(&out, index.homes);
  AppendVarint32(&out, static_cast<uint32_t>(index.lines.size()));
  AppendPointPlaces(&out, index);
  out.reserve(out.size() + index.lines.size() * HashIndex::kLineSize);
  for (const HashIndex::Line& line : index.lines) out.append(line.bytes.data(), line.bytes.size());
  return out;
}

Result<HashIndex> DecodeHashIndex(std::string_view bytes) { return HashIndexDecoder(bytes).Run(); }

}  // namespace varve
