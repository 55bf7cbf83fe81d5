// SPDX-License-Identifier: Apache-2.0
// The slots of core/fs/slot_fs.h in a browser: FileSystemSyncAccessHandle objects, opened by
// package/store.mjs and listed in Module.slots.
#pragma once

#include "core/fs/slot_fs.h"

namespace varve::wasm {

// One thread.
class AccessHandles : public SlotDevice {
 public:
  uint32_t slots() const override;
  Result<size_t> Read(uint32_t slot, uint64_t offset, size_t size, char* buffer) override;
  Status Write(uint32_t slot, uint64_t offset, std::string_view bytes) override;
  Result<uint64_t> Size(uint32_t slot) override;
  Status Resize(uint32_t slot, uint64_t size) override;
  Status Flush(uint32_t slot) override;
};

}  // namespace varve::wasm
