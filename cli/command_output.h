// SPDX-License-Identifier: Apache-2.0
// The output of every command: the formats of -F, and the schemas of its JSON documents. Those are
// documents of the API, or are described beside the command (output/command_documents.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "webview/api/json/json.h"

namespace varve::cli {

// The names of the documents that --json prints: the usual one first, then those for some targets
// or flags. None: the command prints no document of its own, and takes no format.
std::vector<std::string_view> SchemasOf(const Command& command);
std::vector<std::string> FormatsOf(const Command& command);
bool PrintsFormat(const Command& command, std::string_view format);

// The JSON Schemas of all commands' documents, by name.
api::Json AllSchemas();

}  // namespace varve::cli
