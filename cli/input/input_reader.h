// SPDX-License-Identifier: Apache-2.0
// InputReader reads records in the input formats of `varve load` and `varve sst build`: tsv, csv,
// jsonl, dump, nul, arrow, from a file or standard input, uncompressed, gzip or zstd (detected),
// and table files.
//
// An invalid record is rejected with its line number and reason; reading continues.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments/literal.h"
#include "cli/input/input_format.h"
#include "core/arrow/record_shape.h"
#include "varve/result.h"

namespace varve::cli {

struct InputOptions {
  InputFormat format = InputFormat::kAuto;  // kAuto: see GuessFormat().
  std::string key_column = "key";           // csv, jsonl, arrow: by name.
  std::string value_column = "value";
  arrow::RecordShape shape = {};         // arrow: of the parts of keys and values, if there are.
  std::optional<Encoding> key_encoding;  // Default: as each format writes it.
  std::optional<Encoding> value_encoding;
  std::string family = "default";  // Of records without a family.
};

// Views into the reader, valid until the next call.
struct InputRecord {
  std::string_view family;
  std::string_view key;
  std::string_view value;
};

// The detected format of an input.
struct InputKind {
  InputFormat format = InputFormat::kTsv;
  std::string_view compression = "none";
  std::string_view why = "as said";
  std::string hint = {};  // FormatHint() for it.
};

class InputReader {
 public:
  // "-" is standard input.
  static Result<std::unique_ptr<InputReader>> Open(const std::string& path,
                                                   const InputOptions& options);
  virtual ~InputReader() = default;

  // kFamily: a dump declares a column family, record->family, with the order comparator(); its
  // records follow, if there are any.
  enum class Event { kRecord, kRejected, kFamily, kEnd, kFailed };
  virtual Event Next(InputRecord* record) = 0;

  virtual uint64_t line() const = 0;              // Where the last event began, counted from 1.
  virtual const std::string& reason() const = 0;  // kRejected.
  virtual const Status& status() const = 0;       // kFailed.
  virtual uint64_t bytes_read() const = 0;        // Of the input as stored.
  // The rejected input, unchanged; empty if that would not help. preamble() has what begins every
  // input of this format (a header line). Both include their last newline.
  virtual std::string raw() const { return {}; }
  virtual std::string preamble() const { return {}; }
  virtual std::string comparator() const { return {}; }  // kFamily.

  const InputKind& kind() const { return kind_; }

 private:
  InputKind kind_;
};

}  // namespace varve::cli
