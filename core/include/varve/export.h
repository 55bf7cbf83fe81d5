// SPDX-License-Identifier: Apache-2.0
// VARVE_EXPORT marks what the shared library shows; everything else is hidden in it.
#pragma once

// Before what a program may call or derive from.
#define VARVE_EXPORT [[gnu::visibility("default")]]
