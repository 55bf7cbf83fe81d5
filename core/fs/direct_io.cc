// SPDX-License-Identifier: Apache-2.0
#include "core/fs/direct_io.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/fs/aligned_buffer.h"
#include "core/fs/kept_buffer.h"

namespace varve {
namespace {

using Scratch = KeptBuffer<struct ReadAnywhereScratch>;

// Sets *blocks to a request for the whole blocks around `wanted`; the caller sets its buffer.
Status Widen(const RandomAccessFile& file, const ReadRequest& wanted, ReadRequest* blocks) {
  constexpr uint64_t kOffsetMax = std::numeric_limits<int64_t>::max();  // The system's off_t.
  const size_t alignment = file.alignment();
  if (wanted.size > kOffsetMax / 2 || wanted.offset > kOffsetMax - wanted.size - alignment) {
    return Status::InvalidArgument(FileOffset(file.path(), wanted.offset) + ": no file can have " +
                                   std::to_string(wanted.size) + " bytes there");
  }
  blocks->offset = AlignDown(wanted.offset, alignment);
  blocks->size = AlignUp(wanted.offset + wanted.size, alignment) - blocks->offset;
  return Status::Ok();
}

void CopyOut(const ReadRequest& blocks, ReadRequest* wanted) {
  DCHECK(blocks.offset <= wanted->offset);
  wanted->status = blocks.status;
  wanted->result = {};
  if (!blocks.status.ok()) return;
  const size_t skip = std::min<uint64_t>(wanted->offset - blocks.offset, blocks.result.size());
  const size_t size = std::min(wanted->size, blocks.result.size() - skip);
  std::memcpy(wanted->buffer, blocks.result.data() + skip, size);
  wanted->result = {wanted->buffer, size};
}

}  // namespace

Result<std::string_view> ReadAnywhere(const RandomAccessFile& file, uint64_t offset, size_t size,
                                      char* buffer) {
  if (file.alignment() == 1) return file.Read(offset, size, buffer);
  ReadRequest wanted{.offset = offset, .size = size, .buffer = buffer};
  ReadRequest blocks;
  RETURN_IF_ERROR(Widen(file, wanted, &blocks));
  const Scratch scratch(blocks.size, file.alignment());
  ASSIGN_OR_RETURN(blocks.result, file.Read(blocks.offset, blocks.size, scratch.data()));
  CopyOut(blocks, &wanted);
  return wanted.result;
}

void ReadManyAnywhere(const RandomAccessFile& file, std::span<ReadRequest> requests) {
  if (file.alignment() == 1) return file.ReadMany(requests);
  std::vector<ReadRequest> blocks;
  std::vector<ReadRequest*> wanted;
  size_t total = 0;
  for (ReadRequest& request : requests) {
    ReadRequest around;
    request.result = {};
    request.status = Widen(file, request, &around);
    if (!request.status.ok()) continue;
    total += around.size;
    blocks.push_back(around);
    wanted.push_back(&request);
  }
  const Scratch scratch(total, file.alignment());
  size_t used = 0;
  for (ReadRequest& block : blocks) {
    block.buffer = scratch.data() + used;
    used += block.size;
  }
  CHECK_OP(used, ==, total);
  file.ReadMany(blocks);
  for (size_t i = 0; i < blocks.size(); ++i) CopyOut(blocks[i], wanted[i]);
}

}  // namespace varve
