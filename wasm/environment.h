// SPDX-License-Identifier: Apache-2.0
// The environment in a browser or in node: clocks, random device, one thread, and one file system
// composed of three:
//
//   /dropped/…   files that the page was handed, read in place        dropped_files.h
//   /stored/…    the origin private file system, once it is mounted   access_handles.h
//   everything else                                                   memory
//
// NativeEnvironment() returns this one.
#pragma once

#include "core/base/threads/inline_executor.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "wasm/dropped_files.h"

namespace varve::wasm {

inline constexpr char kDroppedRoot[] = "/dropped";
inline constexpr char kStoredRoot[] = "/stored";

DroppedFiles& TheDroppedFiles();
InlineExecutor& TheExecutor();

// Mounts the slots that JavaScript has opened (Module.slots) and their files.
Status MountStored();
uint32_t FreeSlots();  // 0 if nothing is mounted.

}  // namespace varve::wasm
