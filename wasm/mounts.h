// SPDX-License-Identifier: Apache-2.0
// One file system made of two: what was dropped below /dropped, everything else in memory.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve::wasm {

inline constexpr char kDroppedRoot[] = "/dropped";

// Both must outlive it.
std::unique_ptr<FileSystem> NewMounts(FileSystem& dropped, FileSystem& memory);

}  // namespace varve::wasm
