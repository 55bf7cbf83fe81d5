// SPDX-License-Identifier: Apache-2.0
// RecordReader takes records out of the formats that `varve load` and `varve sst build` read:
// tsv, csv, jsonl, dump, nul, from a file or standard input, plain, gzip or zstd (by magic).
//
// A record that cannot be used is rejected with its line number and reason; reading goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/literal.h"
#include "varve/result.h"

namespace varve::cli {

enum class InputFormat { kAuto, kTsv, kCsv, kJsonl, kDump, kNul };

struct InputOptions {
  InputFormat format = InputFormat::kAuto;   // kAuto: a dump by its first line, else tsv.
  std::string key_column = "key";            // csv, jsonl: by name.
  std::string value_column = "value";
  std::optional<Encoding> key_encoding;      // Default: as each format writes it.
  std::optional<Encoding> value_encoding;
  std::string family = "default";            // Of records that do not say.
};

// Views into the reader, valid until the next call.
struct InputRecord {
  std::string_view family;
  std::string_view key;
  std::string_view value;
};

class RecordReader {
 public:
  // "-" is standard input.
  static Result<std::unique_ptr<RecordReader>> Open(const std::string& path,
                                                    const InputOptions& options);
  virtual ~RecordReader() = default;

  enum class Event { kRecord, kRejected, kEnd, kFailed };
  virtual Event Next(InputRecord* record) = 0;

  virtual uint64_t line() const = 0;                // Of the last event, from 1.
  virtual const std::string& reason() const = 0;    // kRejected.
  virtual const Status& status() const = 0;         // kFailed.
  virtual uint64_t bytes_read() const = 0;          // Of the input as stored.
};

}  // namespace varve::cli
