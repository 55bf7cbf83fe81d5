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

struct CommandOutput {
  std::string_view command;
  // Schemas of what --json prints: the normal one first, then those for some targets or flags.
  // Separated by blanks. Empty: the command prints no document of its own.
  std::string_view schemas;
  // Formats besides table, text, json, jsonl, csv and tsv, separated by blanks.
  std::string_view formats = {};
};

std::string_view SchemasOf(const Command& command);

std::vector<std::string> WordsOf(std::string_view text);
// All formats that it prints, separated by blanks; empty: none.
std::string FormatsOf(const Command& command);

// Whether the command prints `format`.
bool PrintsFormat(const Command& command, std::string_view format);

// The JSON Schemas of all commands' documents, by name.
api::Json AllSchemas();

}  // namespace varve::cli
