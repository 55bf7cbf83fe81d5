// SPDX-License-Identifier: Apache-2.0
// A SlotDevice in memory that can lose what was not flushed.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/fs/slot_fs.h"

namespace varve {

class MemorySlots : public SlotDevice {
 public:
  explicit MemorySlots(size_t slots) : now(slots), flushed(slots) {}

  uint32_t slots() const override { return static_cast<uint32_t>(now.size()); }
  Result<size_t> Read(uint32_t slot, uint64_t offset, size_t size, char* buffer) override {
    const std::string& bytes = now[slot];
    if (offset >= bytes.size()) return size_t{0};
    const size_t count = std::min<uint64_t>(size, bytes.size() - offset);
    std::memcpy(buffer, bytes.data() + offset, count);
    return count;
  }
  Status Write(uint32_t slot, uint64_t offset, std::string_view bytes) override {
    if (full && slot < 2) return Status::NoSpace("no room for the catalogue");
    std::string& to = now[slot];
    if (to.size() < offset + bytes.size()) to.resize(offset + bytes.size());
    to.replace(offset, bytes.size(), bytes);
    return Status::Ok();
  }
  Result<uint64_t> Size(uint32_t slot) override { return now[slot].size(); }
  Status Resize(uint32_t slot, uint64_t size) override {
    now[slot].resize(size);
    return Status::Ok();
  }
  Status Flush(uint32_t slot) override {
    flushed[slot] = now[slot];
    return Status::Ok();
  }

  std::vector<std::string> now, flushed;
  bool full = false;  // The catalogue cannot be written.
};

}  // namespace varve
