// SPDX-License-Identifier: Apache-2.0
// The JSON of everything the HTTP API, the browser engine and `--json` say: one function per
// struct, members in the order in which they are read. Rules (api.md): numbers that can pass 2^53
// are decimal strings, bytes are objects, no formatted numbers, no HTML.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/inspect/lsm_report.h"
#include "core/inspect/table_report.h"
#include "core/inspect/verify.h"
#include "varve/status.h"

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

Json DatabaseJson(const LsmReport& report);   // varve.db/1
Json FileJson(const TableReport& report);     // varve.file/1
Json VerifyJson(const VerifyReport& report);  // varve.verify/1

// RFC 9457 problem of a failed request; `exit_code` as the command line would return.
Json ProblemJson(const Status& status, int exit_code);

// One line, no spaces; bytes that are not UTF-8 cannot occur in it.
std::string Dump(const Json& json);

}  // namespace varve::api
