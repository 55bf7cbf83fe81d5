// SPDX-License-Identifier: Apache-2.0
// What every command answers with: which formats of -F it prints, and the schemas of its JSON
// documents. Those that the API answers with are the API's; those of the commands that change
// something, or that are about varve itself, are described here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct CommandOutput {
  std::string_view command;
  // Of what --json prints: the first as a rule, the others with some targets or flags. Separated by
  // blanks. Empty: there is nothing of its own to print.
  std::string_view schemas;
  // Formats beside table, text, json, jsonl, csv and tsv, separated by blanks.
  std::string_view formats = {};
};

std::string_view SchemasOf(const Command& command);

std::vector<std::string> WordsOf(std::string_view text);
// All formats that it prints, separated by blanks; empty: none.
std::string FormatsOf(const Command& command);

// InvalidArgument with the formats there are, if `format` is none of the command's.
Status CheckFormat(const Command& command, std::string_view format);

// The JSON Schemas that the documents of all commands follow, by name.
api::Json AllSchemas();

}  // namespace varve::cli
