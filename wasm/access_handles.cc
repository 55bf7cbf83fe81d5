// SPDX-License-Identifier: Apache-2.0
#include "wasm/access_handles.h"

#include <emscripten.h>

#include <string>

// Implemented by package/store.mjs. Each returns -1 if the browser throws.
EM_JS(int32_t, varve_slot_count, (), { return Module.slots.count(); });
EM_JS(double, varve_slot_read, (uint32_t slot, double offset, uint32_t size, char* to),
      { return Module.slots.read(slot, offset, size, to); });
EM_JS(double, varve_slot_write, (uint32_t slot, double offset, uint32_t size, const char* from),
      { return Module.slots.write(slot, offset, size, from); });
EM_JS(double, varve_slot_size, (uint32_t slot), { return Module.slots.size(slot); });
EM_JS(double, varve_slot_resize, (uint32_t slot, double size),
      { return Module.slots.resize(slot, size); });
EM_JS(double, varve_slot_flush, (uint32_t slot), { return Module.slots.flush(slot); });
// The last error message; true if there was no space.
EM_JS(bool, varve_slot_trouble, (char* to, int32_t room), {
  stringToUTF8(Module.slots.trouble(), to, room);
  return Module.slots.full();
});

namespace varve::wasm {
namespace {

Status Trouble(uint32_t slot, const char* what) {
  char words[300] = "";
  const bool full = varve_slot_trouble(words, sizeof(words));
  std::string message =
      "slot " + std::to_string(slot) + ": " + what + ": the browser says: " + words;
  return full ? Status::NoSpace(std::move(message)) : Status::IoError(std::move(message));
}

}  // namespace

uint32_t AccessHandles::slots() const { return static_cast<uint32_t>(varve_slot_count()); }

Result<size_t> AccessHandles::Read(uint32_t slot, uint64_t offset, size_t size, char* buffer) {
  const double got =
      varve_slot_read(slot, static_cast<double>(offset), static_cast<uint32_t>(size), buffer);
  if (got < 0) return Trouble(slot, "read");
  return static_cast<size_t>(got);
}

Status AccessHandles::Write(uint32_t slot, uint64_t offset, std::string_view bytes) {
  const double put = varve_slot_write(slot, static_cast<double>(offset),
                                      static_cast<uint32_t>(bytes.size()), bytes.data());
  if (put < 0) return Trouble(slot, "write");
  if (put < static_cast<double>(bytes.size())) {
    return Status::NoSpace("slot " + std::to_string(slot) + ": the browser wrote only a part");
  }
  return Status::Ok();
}

Result<uint64_t> AccessHandles::Size(uint32_t slot) {
  const double size = varve_slot_size(slot);
  if (size < 0) return Trouble(slot, "size");
  return static_cast<uint64_t>(size);
}

Status AccessHandles::Resize(uint32_t slot, uint64_t size) {
  return varve_slot_resize(slot, static_cast<double>(size)) < 0 ? Trouble(slot, "truncate")
                                                                : Status::Ok();
}

Status AccessHandles::Flush(uint32_t slot) {
  return varve_slot_flush(slot) < 0 ? Trouble(slot, "flush") : Status::Ok();
}

}  // namespace varve::wasm
