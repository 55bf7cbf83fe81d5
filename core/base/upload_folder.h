// SPDX-License-Identifier: Apache-2.0
// The folder of a database's directory for tables that clients of a server upload. What is in it
// belongs to the process that has the database open for writing: whoever opens it next removes it.
#pragma once

#include <string_view>

namespace varve {

inline constexpr std::string_view kUploadFolderName = "uploads";

}  // namespace varve
