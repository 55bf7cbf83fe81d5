// SPDX-License-Identifier: Apache-2.0
// A checkpoint is a complete database in a new directory, as of one moment: tables and blob files
// hard-linked, the synced part of the WALs copied, and a fresh MANIFEST that says what was live.
//
//   <path>.checkpoint/  links and copies -> MANIFEST, synced -> CURRENT   rename-->  <path>/
//
// The directory appears under its name complete and durable, or not at all.
#pragma once

#include <string>

#include "core/engine/engine.h"
#include "varve/status.h"

namespace varve {

// InvalidArgument if something is at `path`, or it is empty. Writes go on meanwhile.
Status WriteCheckpoint(Engine* engine, const std::string& path);

}  // namespace varve
