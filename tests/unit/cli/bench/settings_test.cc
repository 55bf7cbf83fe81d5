// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/settings.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "cli/arguments/parser.h"

namespace varve::cli::bench {
namespace {

Settings SettingsOf(const std::vector<std::string>& words) {
  SettingsFlags flags;
  Parameters parameters;
  flags.Declare(parameters);
  REQUIRE(ParseWords(parameters, words).ok());
  const Result<Settings> settings = flags.Make();
  REQUIRE_MESSAGE(settings.ok(), settings.status().ToString());
  return *settings;
}

std::map<std::string, std::string> ToldOf(const std::vector<std::string>& words) {
  std::map<std::string, std::string> told;
  for (const NamedValue& option : ToldOptions(SettingsOf(words))) {
    told[option.name] = option.value;
  }
  return told;
}

TEST_CASE("ToldOptions: what matters to every figure, whether it is the default or not") {
  auto plain = ToldOf({});
  CHECK(plain["compression"] == "kNoCompression");
  CHECK(plain["block_size"] == "4096");
  CHECK(plain["use_direct_reads"] == "false");
  CHECK(plain.contains("block_cache_bytes"));
  CHECK(plain.contains("write_buffer_size"));
  CHECK(plain.contains("filter_bits_per_key"));
  CHECK(plain.size() == 6);
  CHECK(ToldOf({"--compression", "lz4"})["compression"] == "kLZ4Compression");
}

TEST_CASE("ToldOptions: what is changed, and what was given with its default") {
  const auto told = ToldOf({"--option", "block_restart_interval=16", "--option", "num_levels=5",
                            "--option", "multiget=pipeline", "--option", "block_form=disk"});
  CHECK(told.size() == 6 + 4);
  CHECK(told.at("block_restart_interval") == "16");
  CHECK(told.at("num_levels") == "5");
  CHECK(told.at("multiget") == "pipeline");
  CHECK(told.at("block_form") == "disk");
  CHECK(ChangedOptions(SettingsOf({"--option", "block_restart_interval=16"})).size() == 1);
}

}  // namespace
}  // namespace varve::cli::bench
