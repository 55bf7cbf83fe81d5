// SPDX-License-Identifier: Apache-2.0
// InputStream is a file or standard input as uncompressed bytes: gzip and zstd are recognised by
// their magic numbers and decompressed. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve::cli {

class InputStream {
 public:
  // "-" is standard input.
  static Result<std::unique_ptr<InputStream>> Open(const std::string& path);
  ~InputStream();

  // Reads up to `delimiter`, which is removed; valid until the next call. False at the end or on
  // error; a last piece without delimiter counts.
  bool ReadUntil(char delimiter, std::string_view* out);
  // The next bytes without consuming them: at least `size` bytes, or a whole line, or all that are
  // left. Valid until the next call.
  std::string_view Peek(size_t size);
  // Consumes `size` bytes; valid until the next call. False, and nothing is consumed, if there are
  // not as many.
  bool Read(uint64_t size, std::string_view* out);
  // Consumes bytes that Peek() returned.
  void Skip(size_t size) { plain_at_ += size; }

  const Status& status() const { return status_; }
  uint64_t bytes_read() const { return stored_bytes_; }
  std::string_view compression() const { return compression_; }  // "gzip", "zstd" or "none".
  const std::string& name() const { return name_; }

 private:
  class Decoder;
  class GzipDecoder;
  class ZstdDecoder;

  InputStream() = default;
  bool Fill();        // More plain bytes into plain_; false at the end or on failure.
  bool ReadStored();  // One read(2) into stored_, of which nothing may be left.

  int fd_ = -1;
  std::string name_;
  std::string_view compression_ = "none";
  std::string stored_;     // As read.
  std::string_view rest_;  // The part of stored_ that is not decompressed yet.
  std::string plain_;      // Decompressed; from plain_at_ on not returned yet.
  size_t plain_at_ = 0;
  std::unique_ptr<Decoder> decoder_;
  Status status_;
  uint64_t stored_bytes_ = 0;
  bool stored_end_ = false;
};

}  // namespace varve::cli
