// SPDX-License-Identifier: Apache-2.0
// Shared by the commands that show the parts of a file.
#pragma once

#include <cstddef>
#include <string>

#include "cli/output/console.h"
#include "cli/output/text_table.h"
#include "cli/process/exit_code.h"
#include "core/inspect/table/table_layout.h"
#include "core/inspect/table/table_report.h"
#include "varve/file_system.h"

namespace varve::cli {

inline constexpr auto kRight = TextTable::Align::kRight;
// Columns that a key and a bar take in a table.
inline constexpr size_t kKeyWidth = 40, kShareBarWidth = 20;

FileSystem& Files();

// The exit code for a table layout: kDone, or that of damage or of an unsupported format.
ExitCode ExitOf(const TableLayout& layout);

// Prints a part and everything in it, one line each, indented by `depth`.
void PrintTree(Sink& out, const LayoutNode& node, size_t depth);

}  // namespace varve::cli
