// SPDX-License-Identifier: Apache-2.0
// How the program gets large buffers from the system. The library leaves that to whoever embeds it.
#pragma once

namespace varve::cli {

// Call once, before threads begin.
void TuneAllocation();

}  // namespace varve::cli
