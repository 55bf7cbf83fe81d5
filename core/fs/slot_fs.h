// SPDX-License-Identifier: Apache-2.0
// A file system on numbered slots, for devices that open files asynchronously but read and write
// them synchronously: a browser's origin private file system hands out access handles only by
// promise, so they are opened ahead, as many as are wanted, and named here.
//
//   slot 0, 1   catalogue, written in turn whenever a name changes: the newer whole one counts
//   slot 2..    contents, one file each
//
//   catalogue   | crc32c of what follows, masked (fixed32) | size of what follows (fixed32)
//               | generation (fixed64)
//               | directories: count (varint), names (length-prefixed)
//               | files: count (varint), { name (length-prefixed), slot (varint32) }...
//
// A slot whose file is gone is used again only after a catalogue without it is durable, so a crash
// leaves either the old names with the old bytes or the new names with the new ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "varve/file_system.h"

namespace varve {

// Called by one thread at a time.
class SlotDevice {
 public:
  virtual ~SlotDevice() = default;
  virtual uint32_t slots() const = 0;  // May grow.
  // Fewer bytes than asked only at the end of the slot.
  virtual Result<size_t> Read(uint32_t slot, uint64_t offset, size_t size, char* buffer) = 0;
  virtual Status Write(uint32_t slot, uint64_t offset, std::string_view bytes) = 0;
  virtual Result<uint64_t> Size(uint32_t slot) = 0;
  virtual Status Resize(uint32_t slot, uint64_t size) = 0;  // Extends with zeros.
  virtual Status Flush(uint32_t slot) = 0;
};

class SlotFileSystem {
 public:
  virtual ~SlotFileSystem() = default;
  virtual FileSystem& files() = 0;
  // Slots that new files can have now; a device that can grow should when it gets low. Thread-safe.
  virtual uint32_t free_slots() = 0;
};

// With the files of the newest catalogue; empty on a device that has none. kCorruption if there is
// a catalogue, but none that is whole. The device must outlive it and every file opened through it.
Result<std::unique_ptr<SlotFileSystem>> MountSlots(SlotDevice& device);

}  // namespace varve
