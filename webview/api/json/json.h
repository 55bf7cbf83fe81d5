// SPDX-License-Identifier: Apache-2.0
// The JSON of the HTTP API, the browser engine and `--json`. Rules: members in reading order;
// sequence numbers, file numbers and other ids, which may exceed 2^53 in sound files, are decimal
// strings; sizes and counts are numbers, written exactly even where a damaged file has one above
// 2^53 (JavaScript rounds it); names of any bytes have escapes; bytes are objects; no formatted
// numbers, no HTML.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace varve::api {

using Json = nlohmann::ordered_json;

// {"hex":"6b31","text":"k1","len":2}; "text" only when it is UTF-8 without control characters.
Json BytesJson(std::string_view bytes);

// The last line of a JSON lines stream, so that truncation is detected.
Json EndOfStreamJson(uint64_t count, bool complete);

// Parses untrusted JSON: is_discarded() if it is invalid, or nested too deeply to be written again
// safely. Parsers differ for duplicate members: here either the last one counts, or the whole text
// is rejected.
enum class Members : uint8_t { kLastCounts, kOnce };
Json ParseJson(std::string_view text, Members members = Members::kLastCounts);

// Whether JavaScript reads every number exactly: at most 2^53.
bool NumbersAreExact(const Json& json);
// Turns larger numbers into decimal strings, in JSON from other programs.
void QuoteLargeNumbers(Json* json);

// One line, no spaces; all strings must be valid UTF-8.
std::string Dump(const Json& json);

}  // namespace varve::api
