// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_writer.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/table/block_trailer.h"

namespace varve {
namespace {

// As in other implementations: sst-format 5.2.
constexpr uint64_t kCompressibleMax = (uint64_t{1} << 31) - 2;

}  // namespace

Result<BlockHandle> BlockWriter::Write(std::string_view raw, Compressor* compressor,
                                       CompressionType codec) {
  std::string_view payload = raw;
  auto type = CompressionType::kNone;
  if (compressor != nullptr && raw.size() <= kCompressibleMax &&
      compressor->Compress(raw, &compressed_)) {
    payload = compressed_;
    if (codec != CompressionType::kSnappy) {  // Snappy's payload has its raw size.
      prefixed_.clear();
      AppendVarint32(&prefixed_, static_cast<uint32_t>(raw.size()));
      prefixed_ += compressed_;
      payload = prefixed_;
    }
    type = codec;
    compressed_any_ = true;
  }
  CHECK(type == CompressionType::kNone || compressor != nullptr);
  const BlockHandle handle{offset_, payload.size()};
  char trailer[kBlockTrailerSize] = {static_cast<char>(type)};
  StoreFixed32(trailer + 1,
               ComputeBlockChecksum(checksumming_.type, payload, static_cast<uint8_t>(type),
                                    checksumming_.base_context, offset_));
  RETURN_IF_ERROR(file_->Append(payload));
  RETURN_IF_ERROR(file_->Append({trailer, sizeof(trailer)}));
  offset_ += payload.size() + sizeof(trailer);
  return handle;
}

Status BlockWriter::WriteBytes(std::string_view bytes) {
  offset_ += bytes.size();
  return file_->Append(bytes);
}

}  // namespace varve
