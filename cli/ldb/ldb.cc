// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/ldb.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/ldb/call.h"
#include "cli/ldb/text.h"
#include "cli/ldb/verbs.h"
#include "cli/output/console.h"
#include "cli/output/plain_text.h"

namespace varve::cli::ldb {
namespace {

std::string HelpText() {
  std::string text =
      "varve ldb: the command line of RocksDB's ldb\n\n"
      "ldb --db=DIRECTORY VERB [ARGUMENT]... [OPTION]...\n\n"
      "  varve ldb --db=./db scan --from=a --max_keys=10\n\n"
      "Of all verbs: --column_family=NAME; --hex, --key_hex, --value_hex: keys and values are 0x and\n"
      "hexadecimal digits. `varve help ldb` says more.\n\n";
  for (const Verb& verb : VerbTable()) {
    if (verb.run == Refused) continue;
    text += "  " + std::string(verb.name);
    if (!verb.arguments.empty()) text += " " + std::string(verb.arguments);
    std::string_view options = verb.options;
    while (!options.empty()) {
      const size_t space = std::min(options.find(' '), options.size());
      text += " [--" + std::string(options.substr(0, space)) + "]";
      options.remove_prefix(std::min(space + 1, options.size()));
    }
    text += "\n";
  }
  return text;
}

Status Run(const Verb& verb, Call& call) {
  Status ended = call.Begin();
  if (ended.ok()) ended = verb.run(call);
  const Status closed = call.Close();
  if (ended.ok()) ended = closed;
  // ldb says so of every database with a time to live, and does what it was asked for all the same.
  if (ended.ok() && call.ttl) {
    ended = Failed("ldb doesn't support TTL DB with multiple column families");
  }
  return ended;
}

int Fail(std::string_view text) {
  std::cerr << PlainText(std::string(text) + "\n");
  return 1;
}

int RunProgram(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--version") {
    std::cout << "ldb from RocksDB 7.8.3\n";
    return 0;
  }
  if (words.size() == 1 && words[0] == "--help") {
    std::cout << HelpText();
    return 0;
  }
  if (words.size() < 2) return Fail(HelpText());
  const CommandLine line = ReadCommandLine(words);
  const Verb* const verb = FindVerb(line.verb);
  if (verb == nullptr) return Fail("Unknown command\n" + HelpText());
  if (const std::string why = WhyNotTaken(*verb, line); !why.empty()) return Fail(why);

  const Result<std::unique_ptr<Console>> console = Console::Create(OutputOptions());
  if (!console.ok()) return Fail(InRocksDbWords(console.status()));
  Call call(line, **console);
  Status ended = Run(*verb, call);
  const Status written = (*console)->Finish();
  if (ended.ok() && !written.ok()) ended = Failed("", written);
  return ended.ok() ? 0 : Fail("Failed: " + std::string(ended.message()));
}

}  // namespace
}  // namespace varve::cli::ldb

namespace varve::cli {

int RunLdb(const std::vector<std::string>& words) { return ldb::RunProgram(words); }

}  // namespace varve::cli
