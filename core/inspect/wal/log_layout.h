// SPDX-License-Identifier: Apache-2.0
// The layout of a file of log records, a WAL or a MANIFEST, record by record (layout.h).
//
//   record   @0 +57                         record @32700 +120, in two fragments
//     header   crc | length | type            header | payload
//     payload  sequence | count | put ...     header | payload
//
// A fragmented payload is decoded as a whole; a field across a fragment boundary becomes two
// leaves. Compressed payloads are shown as bytes. Zeros at a block's end and invalid bytes are
// parts of their own. Reads 32 KiB at a time; memory for one record. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/inspect/layout.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

enum class LogKind : uint8_t { kWal, kManifest };

class LogLayout {
 public:
  static Result<std::unique_ptr<LogLayout>> Open(FileSystem& fs, const std::string& path,
                                                 LogKind kind);

  uint64_t file_size() const { return file_size_; }
  // The next part: "record", "padding" or "undecoded". They tile the file. Nullopt at its end.
  // Not to be called after an error.
  Result<std::optional<LayoutNode>> Next();

 private:
  LogLayout() = default;
  Status FillBlock();
  LayoutNode CutFragment(std::string* payload, std::vector<uint64_t>* sizes);
  void AddPayload(const std::string& payload, const std::vector<uint64_t>& sizes, bool decode,
                  LayoutNode* record) const;

  std::unique_ptr<RandomAccessFile> file_;
  uint64_t file_size_ = 0;
  LogKind kind_ = LogKind::kWal;
  std::string buffer_;         // Of the block,
  std::string_view block_;     // its bytes
  uint64_t block_offset_ = 0;  // and where it begins.
  bool compressed_ = false;    // Later records form one compressed stream.
  uint64_t at_ = 0;            // In the file.
};

// The contents of a batch, or of a version edit, as children of *parent.
void LayOutBatch(std::string_view batch, uint64_t offset, LayoutNode* parent);
void LayOutEdit(std::string_view edit, uint64_t offset, LayoutNode* parent);

}  // namespace varve
