// SPDX-License-Identifier: Apache-2.0
// What all JSON of the HTTP API, the browser engine and `--json` is made of. Rules: members in the
// order in which they are read; numbers that can pass 2^53 are decimal strings; bytes are objects;
// no formatted numbers, no HTML.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/inspect/table/table_report.h"

namespace varve::api {

using Json = nlohmann::ordered_json;

// {"hex":"6b31","text":"k1","len":2}; "text" only when it is UTF-8 without control characters.
Json BytesJson(std::string_view bytes);

// {"key":{…},"value":{…}}, with "cf" in front if given; without "value" if nullopt.
Json RecordJson(std::optional<std::string_view> family, std::string_view key,
                std::optional<std::string_view> value);
// {"key":{…},"seq":"17","type":"put","value":{…}}
Json EntryJson(const StoredEntry& entry);
// The last line of a JSON lines stream, so that a cut one shows.
Json EndOfStreamJson(uint64_t count, bool complete);

// What is read of foreign JSON: nothing (is_discarded()) if it is none, or nested deeper than what
// may safely be written out again. A member that is there twice is read differently by different
// readers: the last one counts, or none of it does.
enum class Members : uint8_t { kLastCounts, kOnce };
Json ParseJson(std::string_view text, Members members = Members::kLastCounts);

// Every number in it is one that JavaScript reads exactly: at most 2^53.
bool NumbersAreExact(const Json& json);
// Makes decimal strings of those that are not: for JSON that others wrote.
void QuoteLargeNumbers(Json* json);

// One line, no spaces; bytes that are not UTF-8 cannot occur in it.
std::string Dump(const Json& json);

}  // namespace varve::api
