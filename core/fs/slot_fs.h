// SPDX-License-Identifier: Apache-2.0
// A file system on numbered slots, for devices that open files asynchronously but read and write
// them synchronously: a browser's origin private file system only opens access handles
// asynchronously, so a number of them is opened in advance and assigned to names here.
//
//   slot 0, 1   catalogue, written alternately on each change of names: the newer valid one counts
//   slot 2..    contents, one file each
//
//   catalogue   | crc32c of what follows, masked (fixed32) | size of what follows (fixed32)
//               | generation (fixed64)
//               | directories: count (varint), names (length-prefixed)
//               | files: count (varint), { name (length-prefixed), slot (varint32) }...
//
// The slot of a deleted file is reused only after a catalogue without it is durable, so a crash
// leaves either the old names with the old bytes or the new names with the new ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "varve/file_system.h"

namespace varve {

// Used by one thread at a time.
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
  // Free slots for new files; a device that can grow should do so when there are few. Thread-safe.
  virtual uint32_t free_slots() = 0;
};

// Mounts the files of the newest catalogue; empty if the device has none. kCorruption if there are
// catalogues but none is valid, or the names in the newest do not form a tree. The device must
// outlive it and every file opened through it.
Result<std::unique_ptr<SlotFileSystem>> MountSlots(SlotDevice& device);

}  // namespace varve
