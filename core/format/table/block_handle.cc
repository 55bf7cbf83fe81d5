// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_handle.h"

#include "core/base/bytes/byte_writer.h"

namespace varve {

void AppendBlockHandle(std::string* out, BlockHandle handle) {
  AppendVarint64(out, handle.offset);
  AppendVarint64(out, handle.size);
}

bool ReadBlockHandle(ByteReader* in, BlockHandle* out) {
  return in->ReadVarint64(&out->offset) && in->ReadVarint64(&out->size);
}

Result<BlockHandle> DecodeBlockHandle(std::string_view bytes) {
  ByteReader in(bytes);
  BlockHandle handle;
  if (!ReadBlockHandle(&in, &handle)) return Status::Corruption("a block handle is cut short");
  return handle;
}

}  // namespace varve
