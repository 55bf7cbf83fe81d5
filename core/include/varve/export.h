// SPDX-License-Identifier: Apache-2.0
// VARVE_EXPORT marks the symbols that the shared library exports; all others are hidden.
#pragma once

// For functions and classes that programs call or derive from.
#define VARVE_EXPORT [[gnu::visibility("default")]]
