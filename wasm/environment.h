// SPDX-License-Identifier: Apache-2.0
// The outside world in a browser or in node: its clocks, its random device, one thread, and one
// file system made of three:
//
//   /dropped/…   files that the page was handed, read in place        dropped_files.h
//   /stored/…    the origin private file system, once it is mounted   access_handles.h
//   everything else                                                   memory
//
// NativeEnvironment() is this one here.
#pragma once

#include "core/base/inline_executor.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "wasm/dropped_files.h"

namespace varve::wasm {

inline constexpr char kDroppedRoot[] = "/dropped";
inline constexpr char kStoredRoot[] = "/stored";

DroppedFiles& TheDroppedFiles();
InlineExecutor& TheExecutor();

// Takes the slots that JavaScript has opened (Module.slots) and the files in them.
Status MountStored();
uint32_t FreeSlots();  // 0 if nothing is mounted.

}  // namespace varve::wasm
