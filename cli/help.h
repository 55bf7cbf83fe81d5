// SPDX-License-Identifier: Apache-2.0
// Everything said about commands rather than by them: help, the list as JSON, failures. All of it is made from the command table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "varve/status.h"

namespace varve::cli {

// -F, --json, -o, --color, --quiet: every command takes them.
void DeclareOutput(Parameters& parameters, OutputOptions* output);

void PrintOverview(bool as_usage_error);
void PrintCommandHelp(const Command& command, const Parameters& parameters);
void PrintCommandsAsJson();
void PrintManPage();  // troff, for man(1).
// Is it the first word of several commands ("sst")?
bool IsGroup(std::string_view word);
void PrintGroupHelp(std::string_view group);
// One line with the nearest command; returns kUsage. A group ("varve db") lists its commands.
int ReportUnknownCommand(const std::vector<std::string>& words, bool as_json);
// "varve get: no such directory ./x" on standard error, or the problem object of the JSON API;
// `advice`, if there is some, behind it.
void ReportFailure(std::string_view verb, const Status& status, bool as_json,
                   const std::string& advice = "");

// What must not be done, so: exit code 8.
void ReportRefusal(std::string_view verb, const std::string& why, bool as_json);

}  // namespace varve::cli
