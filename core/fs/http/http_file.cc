// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_file.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/fs/http/http_headers.h"

namespace varve {
namespace {

constexpr uint64_t kGapBlocks = 1;             // Reading so much in vain costs less than a request.
constexpr uint64_t kRangeBlocksMax = 64;       // Of one request: 4 MiB.
constexpr uint64_t kAtOnce = 32 << 20;         // Bytes of blocks held by one call.
constexpr uint64_t kWindowBlocksMax = 64;      // Of reading ahead.
constexpr uint64_t kFileBytesMax = INT64_MAX;  // As of local files; sums with offsets do not wrap.

std::string Quoted(const std::string& text) { return "'" + EscapeForDisplay(text) + "'"; }

// `named`: the URL itself. Of others that they lack, object stores may say that they are forbidden.
Status CannotRead(const std::string& path, const HttpExchange& answer, bool named) {
  const std::string code = std::to_string(answer.code);
  if (answer.code == 404 || answer.code == 410) {
    return Status::NotFound(path + ": the server answered " + code);
  }
  if (answer.code == 401 || answer.code == 403) {
    return Status(named ? Code::kIoError : Code::kNotFound,
                  path + ": the server answered " + code +
                      ": it wants other credentials, or refuses these" +
                      (named ? "" : ", or has no such file"));
  }
  return Status::IoError(path + ": the server answered " + code);
}

bool HasBody(const HttpExchange& answer) { return answer.code == 200 || answer.code == 206; }

// Whether asking for the beginning instead of the end may help: some servers know no suffixes.
bool MayKnowNoSuffix(const HttpExchange& answer) {
  return answer.code == 400 || answer.code == 416 || answer.code == 501 ||
         answer.status.code() == Code::kNotSupported;
}

// The bytes within the file that a request asks for: shorter than asked at its end.
uint64_t BytesWithin(const ReadRequest& request, uint64_t size) {
  return request.offset >= size ? 0 : std::min<uint64_t>(request.size, size - request.offset);
}

}  // namespace

HttpMount::HttpMount(const CurlLibrary& curl, UrlRoot root, const HttpOptions& options,
                     Environment env)
    : client(curl, std::move(root), options, *env.clock, *env.random),
      memory(options.memory_bytes) {
  if (options.cache_directory.empty()) return;
  disk = std::make_unique<DiskCache>(*env.file_system, options.cache_directory, options.cache_bytes,
                                     env.random->Next64());
}

HttpFile::HttpFile(HttpMount& mount, std::string path, HttpExchange answer)
    : mount_(mount),
      path_(std::move(path)),
      number_(mount.files.fetch_add(1, std::memory_order_relaxed)),
      size_(*answer.total),
      etag_(answer.etag),
      last_modified_(answer.last_modified),
      identity_(etag_.empty() ? std::string()
                              : path_ + "\n" + etag_ + "\n" + std::to_string(size_)) {
  if (answer.code == 200) {
    whole_ = std::move(answer.body);
    is_whole_ = true;
  } else {
    Blocks unused;
    Keep(answer.body_offset, answer.body, &unused);
  }
}

HttpFile::~HttpFile() { mount_.whole_bytes.fetch_sub(whole_.size(), std::memory_order_relaxed); }

Result<std::shared_ptr<const HttpFile>> HttpFile::Open(HttpMount& mount, const std::string& path) {
  HttpExchange answer{.kind = HttpExchange::Kind::kSuffix, .path = path, .size = kTail};
  mount.client.Perform({&answer, 1});
  if (MayKnowNoSuffix(answer)) {
    answer = {.kind = HttpExchange::Kind::kFirst, .path = path, .size = kTail};
    mount.client.Perform({&answer, 1});
    // Nothing can be asked for of an empty file.
    if (answer.status.ok() && answer.code == 416) {
      answer.code = 200;
      answer.total = 0;
    }
  }
  RETURN_IF_ERROR(answer.status);
  if (!HasBody(answer)) {
    return CannotRead(path, answer, path == mount.client.root().shown);
  }
  if (!answer.total) {
    return Status::NotSupported(path + ": the server does not say how large the file is");
  }
  if (*answer.total > kFileBytesMax) {
    return Status::IoError(path + ": the server says that the file has " +
                           std::to_string(*answer.total) + " bytes, more than a file can have");
  }
  const uint64_t whole = answer.code == 200 ? answer.body.size() : 0;
  if (mount.whole_bytes.fetch_add(whole, std::memory_order_relaxed) + whole >
      HttpMount::kWholeFilesMax) {
    mount.whole_bytes.fetch_sub(whole, std::memory_order_relaxed);
    return Status::NotSupported(path + ": the server sends whole files only, and those that are " +
                                "open have more than 256 MiB");
  }
  return std::shared_ptr<const HttpFile>(new HttpFile(mount, path, std::move(answer)));
}

uint64_t HttpFile::SizeOf(uint64_t block) const {
  DCHECK_OP(block * kBlock, <, size_);
  return std::min(kBlock, size_ - block * kBlock);
}

Block HttpFile::Find(uint64_t number) const {
  if (Block block = mount_.memory.Get(number_, number)) {
    TheHttpCounters().memory_hits.fetch_add(1, std::memory_order_relaxed);
    return block;
  }
  if (mount_.disk == nullptr || identity_.empty()) return nullptr;
  DiskCache::Found found = mount_.disk->Get(identity_, number, SizeOf(number));
  if (found.damaged) TheHttpCounters().cache_damaged.fetch_add(1, std::memory_order_relaxed);
  if (!found.block) return nullptr;
  TheHttpCounters().cache_hits.fetch_add(1, std::memory_order_relaxed);
  auto block = std::make_shared<const std::string>(*std::move(found.block));
  mount_.memory.Put(number_, number, block);
  return block;
}

// Stores the blocks that are in the bytes as a whole.
void HttpFile::Keep(uint64_t offset, std::string_view bytes, Blocks* blocks) const {
  uint64_t number = (offset + kBlock - 1) / kBlock;
  const uint64_t end = offset + bytes.size();
  for (; number * kBlock < end && number * kBlock + SizeOf(number) <= end; ++number) {
    const std::string_view part = bytes.substr(number * kBlock - offset, SizeOf(number));
    auto block = std::make_shared<const std::string>(part);
    mount_.memory.Put(number_, number, block);
    if (mount_.disk != nullptr && !identity_.empty()) mount_.disk->Put(identity_, number, part);
    blocks->insert_or_assign(number, Result<Block>(std::move(block)));
  }
}

Status HttpFile::CheckUnchanged(const HttpExchange& answer) const {
  const std::string place = FileOffset(path_, answer.offset) + ": the file has changed: ";
  if (answer.code == 412) {
    return Status::IoError(place + "its ETag was " + Quoted(etag_) + ", the server has another " +
                           "(412)" + (answer.etag.empty() ? "" : ", " + Quoted(answer.etag)));
  }
  if (answer.code == 416) {
    return Status::IoError(place + "it had " + std::to_string(size_) +
                           " bytes, the server has fewer (416)");
  }
  if (!HasBody(answer)) return CannotRead(path_, answer, /*named=*/true);
  if (answer.etag != etag_) {
    return Status::IoError(place + "its ETag was " + Quoted(etag_) + ", now it is " +
                           Quoted(answer.etag));
  }
  if (etag_.empty() && answer.last_modified != last_modified_) {
    return Status::IoError(place + "it was of " + Quoted(last_modified_) + ", now it is of " +
                           Quoted(answer.last_modified));
  }
  if (answer.total && *answer.total != size_) {
    return Status::IoError(place + "it had " + std::to_string(size_) + " bytes, now it has " +
                           std::to_string(*answer.total));
  }
  return Status::Ok();
}

// `missing`: ascending.
void HttpFile::Fetch(std::vector<uint64_t> missing, Blocks* blocks) const {
  // Whoever reads on from where the last read ended gets more at once, twice as much each time.
  if (missing.front() == next_block_.load(std::memory_order_relaxed)) {
    const uint64_t window =
        std::clamp<uint64_t>(window_.load(std::memory_order_relaxed) * 2, 2, kWindowBlocksMax);
    window_.store(window, std::memory_order_relaxed);
    const uint64_t blocks_of_file = (size_ + kBlock - 1) / kBlock;
    const uint64_t end = std::min(missing.front() + window, blocks_of_file);
    for (uint64_t next = missing.back() + 1; next < end; ++next) missing.push_back(next);
  } else {
    window_.store(0, std::memory_order_relaxed);
  }
  next_block_.store(missing.back() + 1, std::memory_order_relaxed);

  std::vector<HttpExchange> exchanges;
  uint64_t begin = 0, end = 0;  // Blocks of the range at the back.
  for (const uint64_t number : missing) {
    if (exchanges.empty() || number > end + kGapBlocks || number >= begin + kRangeBlocksMax) {
      begin = number;
      exchanges.push_back({.kind = HttpExchange::Kind::kRange,
                           .path = path_,
                           .offset = number * kBlock,
                           .if_match = IsStrongEtag(etag_) ? etag_ : std::string()});
    }
    end = number + 1;
    exchanges.back().size = std::min(size_, end * kBlock) - exchanges.back().offset;
  }
  mount_.client.Perform(exchanges);
  for (const HttpExchange& answer : exchanges) {
    Status status = answer.status.ok() ? CheckUnchanged(answer) : answer.status;
    if (status.ok()) {
      Keep(answer.offset, answer.body, blocks);
      continue;
    }
    for (uint64_t at = answer.offset; at < answer.offset + answer.size; at += kBlock) {
      blocks->insert_or_assign(at / kBlock, Result<Block>(status));
    }
  }
}

void HttpFile::Answer(const Blocks& blocks, ReadRequest* request) const {
  const uint64_t bytes = BytesWithin(*request, size_);
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t at = request->offset + done;
    const auto found = blocks.find(at / kBlock);
    CHECK(found != blocks.end());
    if (!found->second.ok()) {
      request->status = found->second.status();
      return;
    }
    const std::string& block = **found->second;
    const uint64_t skip = at % kBlock;
    const uint64_t part = std::min<uint64_t>(block.size() - skip, bytes - done);
    std::memcpy(request->buffer + done, block.data() + skip, part);
    done += part;
  }
  request->result = {request->buffer, bytes};
}

void HttpFile::ReadSome(std::span<ReadRequest*> requests) const {
  std::set<uint64_t> wanted;
  for (const ReadRequest* request : requests) {
    const uint64_t bytes = BytesWithin(*request, size_);
    for (uint64_t at = request->offset / kBlock; bytes > 0; ++at) {
      wanted.insert(at);
      if ((at + 1) * kBlock >= request->offset + bytes) break;
    }
  }
  Blocks blocks;
  std::vector<uint64_t> missing;
  for (const uint64_t number : wanted) {
    Block block = Find(number);
    if (block == nullptr) {
      missing.push_back(number);
    } else {
      blocks.emplace(number, Result<Block>(std::move(block)));
    }
  }
  if (!missing.empty()) Fetch(std::move(missing), &blocks);
  for (ReadRequest* request : requests) Answer(blocks, request);
}

void HttpFile::ReadMany(std::span<ReadRequest> requests) const {
  std::vector<ReadRequest*> some;
  uint64_t held = 0;
  for (ReadRequest& request : requests) {
    request.status = Status::Ok();
    request.result = {};
    const uint64_t bytes = BytesWithin(request, size_);
    if (is_whole_) {
      if (bytes > 0) std::memcpy(request.buffer, whole_.data() + request.offset, bytes);
      request.result = {request.buffer, bytes};
      continue;
    }
    if (bytes > kAtOnce) {  // In pieces, each of which is copied out before the next is read.
      for (uint64_t done = 0; done < bytes && request.status.ok(); done += kAtOnce) {
        ReadRequest piece{.offset = request.offset + done,
                          .size = std::min<uint64_t>(kAtOnce, bytes - done),
                          .buffer = request.buffer + done};
        ReadRequest* only = &piece;
        ReadSome({&only, 1});
        request.status = piece.status;
      }
      if (request.status.ok()) request.result = {request.buffer, bytes};
      continue;
    }
    if (held + bytes > kAtOnce) {
      ReadSome(some);
      some.clear();
      held = 0;
    }
    some.push_back(&request);
    held += bytes;
  }
  if (!some.empty()) ReadSome(some);
}

}  // namespace varve
