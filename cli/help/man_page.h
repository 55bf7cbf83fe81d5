// SPDX-License-Identifier: Apache-2.0
// Pages for man(1), in the macros of man(7), made from the command table: varve(1), and
// varve-sst-info(1) for `varve sst info`.
#pragma once

#include <string>

#include "cli/command.h"

namespace varve::cli {

std::string ManPage();
std::string ManPage(const Command& command);

}  // namespace varve::cli
