// SPDX-License-Identifier: Apache-2.0
// RecordReader takes records out of the formats that `varve load` and `varve sst build` read:
// tsv, csv, jsonl, dump, nul, from a file or standard input, plain, gzip or zstd (by magic), and
// table files.
//
// A record that cannot be used is rejected with its line number and reason; reading goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input_format.h"
#include "cli/literal.h"
#include "varve/result.h"

namespace varve::cli {

struct InputOptions {
  InputFormat format = InputFormat::kAuto;  // kAuto: see GuessFormat().
  std::string key_column = "key";           // csv, jsonl: by name.
  std::string value_column = "value";
  std::optional<Encoding> key_encoding;  // Default: as each format writes it.
  std::optional<Encoding> value_encoding;
  std::string family = "default";  // Of records that do not say.
};

// Views into the reader, valid until the next call.
struct InputRecord {
  std::string_view family;
  std::string_view key;
  std::string_view value;
};

// What an input was taken for.
struct InputKind {
  InputFormat format = InputFormat::kTsv;
  std::string_view compression = "none";
  std::string_view why = "as said";
  std::string hint = {};  // FormatHint() for it.
};

class RecordReader {
 public:
  // "-" is standard input.
  static Result<std::unique_ptr<RecordReader>> Open(const std::string& path,
                                                    const InputOptions& options);
  virtual ~RecordReader() = default;

  // kFamily: a dump says that there is a column family, record->family, whose keys are in the order
  // of comparator(); its records follow, if there are any.
  enum class Event { kRecord, kRejected, kFamily, kEnd, kFailed };
  virtual Event Next(InputRecord* record) = 0;

  virtual uint64_t line() const = 0;              // Where the last event began, from 1.
  virtual const std::string& reason() const = 0;  // kRejected.
  virtual const Status& status() const = 0;       // kFailed.
  virtual uint64_t bytes_read() const = 0;        // Of the input as stored.
  // What was rejected, as it stands in the input; empty where that says nothing. What begins every
  // input of this format (a header line) is in preamble(). Both with their last newline.
  virtual std::string raw() const { return {}; }
  virtual std::string preamble() const { return {}; }
  virtual std::string comparator() const { return {}; }  // kFamily.

  const InputKind& kind() const { return kind_; }

 private:
  InputKind kind_;
};

}  // namespace varve::cli
