// SPDX-License-Identifier: Apache-2.0
// VARVE_EXPORT marks what the shared library shows; everything else is hidden in it.
#pragma once

#define VARVE_EXPORT [[gnu::visibility("default")]]
