// SPDX-License-Identifier: Apache-2.0
// How the program gets large buffers from the system, and what happens when there is no memory.
// Only in the program: the library leaves both to the program that embeds it.
#pragma once

namespace varve::cli {

// Call once, before threads begin.
void TuneAllocation();
// From now on, a program without memory removes what it left unfinished, says so, and ends with
// exit code 3, except where OutOfMemoryThrows is in force (core/base/out_of_memory.h).
void EndWithoutMemory();

}  // namespace varve::cli
