// SPDX-License-Identifier: Apache-2.0
// ReadManyFiles(): sorts reads by file and offset, joins those that are close together, and submits
// the resulting requests together.
//
//   wanted    |--a--|  |--b--|               |--c--|          one file
//   joined    |--------------|               |-----|          a gap of at most kGapMax
#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "core/base/check.h"
#include "core/fs/aligned_buffer.h"
#include "core/fs/direct_io.h"
#include "core/fs/kept_buffer.h"
#if VARVE_HAVE_URING
#include "core/fs/uring.h"
#endif

namespace varve {
namespace {

// Reading this much needlessly is cheaper than another request.
constexpr uint64_t kGapMax = 8 << 10;
constexpr uint64_t kJoinedMax = 256 << 10;  // Of one request.

using Scratch = KeptBuffer<struct ReadManyFilesScratch>;

// One request to the system; covers wanted reads [begin, end) of the sorted order.
struct Joined {
  const RandomAccessFile* file;
  uint64_t offset, limit;  // Aligned as the file asks.
  size_t begin, end;
  char* buffer = nullptr;
};

void ReadOne(FileRead* read) {
  const Result<std::string_view> got =
      ReadAnywhere(*read->file, read->request.offset, read->request.size, read->request.buffer);
  read->request.status = got.status();
  read->request.result = got.ok() ? *got : std::string_view();
}

// Files without a descriptor implement ReadMany() themselves.
void ReadThroughFile(std::span<FileRead* const> reads) {
  std::vector<ReadRequest> requests;
  requests.reserve(reads.size());
  for (const FileRead* read : reads) requests.push_back(read->request);
  ReadManyAnywhere(*reads.front()->file, requests);
  for (size_t i = 0; i < reads.size(); ++i) reads[i]->request = std::move(requests[i]);
}

#if VARVE_HAVE_URING
constexpr uint64_t kOffsetMax = uint64_t{1} << 62;  // The file itself rejects larger ones.

std::vector<Joined> Join(std::span<FileRead* const> sorted) {
  std::vector<Joined> joined;
  joined.reserve(sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    const ReadRequest& wanted = sorted[i]->request;
    const size_t alignment = sorted[i]->file->alignment();
    const uint64_t offset = AlignDown(wanted.offset, alignment);
    DCHECK(joined.empty() || joined.back().file != sorted[i]->file ||
           joined.back().offset <= offset);
    const uint64_t limit = AlignUp(wanted.offset + wanted.size, alignment);
    if (!joined.empty() && joined.back().file == sorted[i]->file &&
        offset <= joined.back().limit + kGapMax && limit <= joined.back().offset + kJoinedMax) {
      joined.back().limit = std::max(joined.back().limit, limit);
      joined.back().end = i + 1;
      continue;
    }
    joined.push_back({sorted[i]->file, offset, limit, i, i + 1});
  }
  return joined;
}

bool NeedsScratch(const Joined& joined) {
  return joined.end - joined.begin > 1 || joined.file->alignment() > 1;
}

// Assigns memory to each request: the caller's own if nothing was joined or widened.
Scratch PlaceBuffers(std::span<FileRead* const> sorted, std::span<Joined> all) {
  uint64_t total = 0;
  for (const Joined& joined : all) {
    if (NeedsScratch(joined)) total += AlignUp(joined.limit - joined.offset, Scratch::kAlignment);
  }
  Scratch scratch(total, Scratch::kAlignment);
  char* next = scratch.data();
  for (Joined& joined : all) {
    if (!NeedsScratch(joined)) {
      joined.buffer = sorted[joined.begin]->request.buffer;
      continue;
    }
    joined.buffer = next;
    next += AlignUp(joined.limit - joined.offset, Scratch::kAlignment);
  }
  return scratch;
}

// Distributes the bytes. Parts that are missing, at the end of the file or because of an error, are
// read again one by one, so that each request gets its own bytes or its own error.
void HandOut(const Joined& joined, size_t arrived, std::span<FileRead* const> sorted) {
  for (FileRead* read : sorted.subspan(joined.begin, joined.end - joined.begin)) {
    ReadRequest& wanted = read->request;
    const uint64_t skip = wanted.offset - joined.offset;
    if (skip + wanted.size > arrived) {
      ReadOne(read);
      continue;
    }
    DCHECK(joined.offset <= wanted.offset && wanted.offset + wanted.size <= joined.limit);
    if (NeedsScratch(joined)) std::memcpy(wanted.buffer, joined.buffer + skip, wanted.size);
    wanted.result = {wanted.buffer, wanted.size};
    wanted.status = Status::Ok();
  }
}

void ReadByDescriptors(std::span<FileRead* const> sorted) {
  std::vector<Joined> all = Join(sorted);
  const Scratch held = PlaceBuffers(sorted, all);
  std::vector<DescriptorRead> reads;
  reads.reserve(all.size());
  for (const Joined& joined : all) {
    reads.push_back({joined.file->descriptor(), joined.offset,
                     static_cast<size_t>(joined.limit - joined.offset), joined.buffer});
  }
  std::vector<size_t> done(reads.size());
  UringRead(reads, done);
  for (size_t i = 0; i < all.size(); ++i) HandOut(all[i], done[i], sorted);
}

bool GoesByDescriptor(const FileRead& read) {
  return read.file->descriptor() >= 0 && read.request.offset < kOffsetMax &&
         read.request.size < kJoinedMax;
}
#else
bool GoesByDescriptor(const FileRead&) { return false; }
void ReadByDescriptors(std::span<FileRead* const>) {}
#endif

}  // namespace

void ReadManyFiles(std::span<FileRead> reads) {
  if (reads.size() == 1) return ReadOne(&reads.front());
  std::vector<FileRead*> sorted;
  sorted.reserve(reads.size());
  for (FileRead& read : reads) sorted.push_back(&read);
  std::sort(sorted.begin(), sorted.end(), [](const FileRead* a, const FileRead* b) {
    if (a->file != b->file) return std::less<>()(a->file, b->file);
    return a->request.offset < b->request.offset;
  });
  const auto others = std::stable_partition(
      sorted.begin(), sorted.end(), [](const FileRead* read) { return GoesByDescriptor(*read); });
  if (others != sorted.begin()) ReadByDescriptors({sorted.begin(), others});
  for (auto from = others; from != sorted.end();) {
    const auto to = std::find_if(from, sorted.end(),
                                 [&](const FileRead* read) { return read->file != (*from)->file; });
    ReadThroughFile({from, to});
    from = to;
  }
}

}  // namespace varve
