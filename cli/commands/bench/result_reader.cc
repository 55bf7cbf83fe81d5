// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/result_reader.h"

#include <fstream>

#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli::bench {
namespace {

using api::Json;

constexpr std::string_view kSchema = "varve.bench/1", kAnySchema = "varve.bench/";

Status NoResult(const std::string& why) {
  return Status::InvalidArgument("is not a result of bench run --json: " + why);
}

// A member that may be missing. False if it is of another type.
bool Take(const Json& object, const char* name, std::string* out) {
  const auto member = object.find(name);
  if (member == object.end() || member->is_null()) return true;
  if (!member->is_string()) return false;
  *out = *member;
  return true;
}
bool Take(const Json& object, const char* name, uint64_t* out) {
  const auto member = object.find(name);
  if (member == object.end()) return true;
  if (!member->is_number_unsigned()) return false;
  *out = *member;
  return true;
}

bool TakeSeconds(const Json& object, double* out) {
  const auto member = object.find("seconds");
  if (member == object.end()) return true;
  if (!member->is_number()) return false;
  *out = *member;
  return *out == 0 || (*out >= 1e-9 && *out <= 1e12);
}

Result<ReadRun> ReadRunJson(const Json& json) {
  ReadRun run;
  if (!json.is_object()) return NoResult("a workload is no object");
  if (!Take(json, "name", &run.workload)) return NoResult("the name of a workload is no text");
  if (!Take(json, "operations", &run.operations) || !Take(json, "found", &run.found)) {
    return NoResult("a count of operations is no whole number");
  }
  if (!TakeSeconds(json, &run.seconds)) return NoResult("a workload has impossible seconds");
  if (!Take(json, "checksum", &run.checksum)) return NoResult("a checksum is no text");
  return run;
}

}  // namespace

Result<ReadResult> ReadResultJson(std::string_view text) {
  const Json json = api::ParseJson(text);
  if (!json.is_object()) return NoResult("no JSON object");
  ReadResult result;
  std::string schema;
  if (!Take(json, "schema", &schema)) return NoResult("its schema is no text");
  if (schema != kSchema && schema.starts_with(kAnySchema)) {
    return NoResult("it is " + schema + ", of another version of varve, which has " +
                    std::string(kSchema) + " here");
  }
  if (schema != kSchema) return NoResult("its schema is not " + std::string(kSchema));
  if (!Take(json, "store", &result.store)) return NoResult("its store is no text");
  const auto runs = json.find("workloads");
  if (runs == json.end()) return result;
  if (!runs->is_array()) return NoResult("its workloads are no list");
  for (const Json& one : *runs) {
    ASSIGN_OR_RETURN(ReadRun run, ReadRunJson(one));
    result.runs.push_back(std::move(run));
  }
  return result;
}

Result<ReadResult> ReadResultFile(const std::string& path) {
  constexpr size_t kBytesMax = size_t{1} << 30;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status::NotFound(path + ": cannot be read");
  std::string text, piece(size_t{1} << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece, 0, static_cast<size_t>(file.gcount()));
    if (text.size() > kBytesMax) return Status::InvalidArgument(path + ": more than 1 GiB");
  }
  if (file.bad()) return Status::IoError(path + ": cannot be read");
  Result<ReadResult> result = ReadResultJson(text);
  if (!result.ok())
    return Status::InvalidArgument(path + " " + std::string(result.status().message()));
  return result;
}

}  // namespace varve::cli::bench
