// SPDX-License-Identifier: Apache-2.0
// The tables of an open database, as c.h describes them.
#pragma once

#include <string>

#include "core/c/handles.h"

namespace varve::c {

// "000012.sst"
std::string NameOf(const LiveFile& file);

}  // namespace varve::c
