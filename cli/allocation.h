// SPDX-License-Identifier: Apache-2.0
// Tunes how malloc gets large buffers from the system. Only in the program: the library leaves this
// to the program that embeds it.
#pragma once

namespace varve::cli {

// Call once, before threads begin.
void TuneAllocation();

}  // namespace varve::cli
