// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/ldb/text.h"
#include "cli/ldb/time_range.h"
#include "cli/ldb/verbs.h"
#include "core/base/try.h"

namespace varve::cli::ldb {
namespace {

// Of Get(): the user's value.
Result<std::optional<std::string>> ReadValue(Call& call, const std::string& key) {
  const Result<std::optional<Value>> found = call.db().Get({}, key, call.family());
  if (!found.ok()) return found.status();
  if (!*found) return std::optional<std::string>();
  if (!call.ttl) return std::optional<std::string>((*found)->view());
  ASSIGN_OR_RETURN(const Call::Unstamped part, Call::Unstamp((*found)->view()));
  return std::optional<std::string>(part.value);
}

std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  size_t begin = 0;
  for (size_t space = line.find(' '); space != std::string::npos; space = line.find(' ', begin)) {
    words.push_back(line.substr(begin, space - begin));
    begin = space + 1;
  }
  words.push_back(line.substr(begin));
  return words;
}

Status QueryGet(Call& call, const std::string& word) {
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(word));
  const auto value = ReadValue(call, key);
  if (!value.ok()) return Failed("get " + key + " error: ", value.status());
  if (!*value) {
    call.Print("Not found " + word + "\n");
    return Failed("");  // ldb ends, too.
  }
  const std::string line = call.ShownKey(key) + " ==> " + call.ShownValue(**value);
  call.Print(std::string(AsCString(line)) + "\n");
  return Status::Ok();
}

Status QueryPut(Call& call, const std::string& key_word, const std::string& value_word) {
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(key_word));
  ASSIGN_OR_RETURN(const std::string value, call.ValueOf(value_word));
  const Status put = call.db().Put({}, key, call.Stored(value), call.family());
  if (!put.ok()) return Failed("put " + key + "=>" + value + " failed: ", put);
  call.Print("Successfully put " + key_word + " " + value_word + "\n");
  return Status::Ok();
}

Status QueryDelete(Call& call, const std::string& word) {
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(word));
  const Status deleted = call.db().Delete({}, key, call.family());
  if (!deleted.ok()) return Failed("delete " + key + " failed: ", deleted);
  call.Print("Successfully deleted " + word + "\n");
  return Status::Ok();
}

}  // namespace

Status Get(Call& call) {
  if (call.line.arguments.size() != 1) {
    return Failed("<key> must be specified for the get command");
  }
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(call.line.arguments[0]));
  RETURN_IF_ERROR(call.Open(Access::kRead));
  const auto value = ReadValue(call, key);
  if (!value.ok()) return Failed("Get failed: ", value.status());
  if (!*value) return Failed("Get failed: NotFound: ");
  call.Print(std::string(AsCString(call.ShownValue(**value))) + "\n");
  return Status::Ok();
}

Status MultiGet(Call& call) {
  if (call.line.arguments.empty()) {
    return Failed("At least one <key> must be specified for multi_get.");
  }
  std::vector<std::string> keys;
  for (const std::string& word : call.line.arguments) {
    ASSIGN_OR_RETURN(keys.emplace_back(), call.KeyOf(word));
  }
  RETURN_IF_ERROR(call.Open(Access::kRead));
  Status failed;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto value = ReadValue(call, keys[i]);
    if (!value.ok()) {
      call.Say("Status for key " + call.ShownKey(keys[i]) + ": " + InRocksDbWords(value.status()));
      failed = Failed("one or more keys had non-okay status");
    } else if (*value) {
      const std::string line = call.ShownKey(keys[i]) + " ==> " + call.ShownValue(**value);
      call.Print(std::string(AsCString(line)) + "\n");
    } else {
      call.Print("Key not found: " + std::string(AsCString(call.ShownKey(keys[i]))) + "\n");
    }
  }
  return failed;
}

Status Scan(Call& call) {
  ASSIGN_OR_RETURN(const std::optional<std::string> from, call.KeyOption("from"));
  ASSIGN_OR_RETURN(const std::optional<std::string> to, call.KeyOption("to"));
  ASSIGN_OR_RETURN(const std::optional<int> max_keys, call.line.Number("max_keys"));
  RETURN_IF_ERROR(call.Open(Access::kRead));
  Result<TimeRange> times = TimeRange::Of(call);
  if (!times.ok()) return times.status();
  if (times->end < times->begin) {
    call.Say("Error: End time can't be less than start time");
    return Status::Ok();
  }
  const bool shows_times = call.ttl && call.line.Has("timestamp");
  if (shows_times) {
    call.Print("Scanning key-values from " + TimeText(times->begin) + " to " +
               TimeText(times->end) + "\n");
  }
  ReadOptions reading;
  if (to) reading.upper_bound = *to;
  Result<Iterator> it = call.db().NewIterator(reading, call.family());
  if (!it.ok()) return Failed("", it.status());
  int count = 0;
  for (from ? it->Seek(*from) : it->SeekToFirst(); it->Valid(); it->Next()) {
    std::string line;
    std::string_view value = it->value();
    if (call.ttl) {
      ASSIGN_OR_RETURN(const Call::Unstamped part, Call::Unstamp(value));
      if (!times->Has(part.seconds)) continue;
      if (shows_times) line = TimeText(part.seconds) + " ";
      value = part.value;
    }
    line += AsCString(call.ShownKey(it->key()));
    if (!call.line.Has("no_value")) line += " : " + std::string(AsCString(call.ShownValue(value)));
    call.Print(line + "\n");
    if (max_keys && *max_keys >= 0 && ++count >= *max_keys) break;
  }
  return it->status().ok() ? Status::Ok() : Failed("", it->status());
}

Status ApproximateSize(Call& call) {
  for (const std::string_view name : {"from", "to"}) {
    if (!call.line.Value(name)) {
      return Failed(std::string(name) + " must be specified for approxsize command");
    }
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> from, call.KeyOption("from"));
  ASSIGN_OR_RETURN(const std::optional<std::string> to, call.KeyOption("to"));
  RETURN_IF_ERROR(call.Open(Access::kRead));
  const Result<uint64_t> size = call.db().ApproximateSize(*from, *to, call.family());
  if (!size.ok()) return Failed("ApproximateSize failed: ", size.status());
  call.Print(std::to_string(*size) + "\n");
  return Status::Ok();
}

Status Query(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::vector<std::string> words = Words(line);
    if (words[0] == "help") {
      call.Print("get <key>\nput <key> <value>\ndelete <key>\n");
    } else if (words[0] == "delete" && words.size() == 2) {
      RETURN_IF_ERROR(QueryDelete(call, words[1]));
    } else if (words[0] == "put" && words.size() == 3) {
      RETURN_IF_ERROR(QueryPut(call, words[1], words[2]));
    } else if (words[0] == "get" && words.size() == 2) {
      RETURN_IF_ERROR(QueryGet(call, words[1]));
    } else {
      call.Print("Unknown command " + std::string(AsCString(line)) + "\n");
    }
  }
  return Status::Ok();
}

}  // namespace varve::cli::ldb
