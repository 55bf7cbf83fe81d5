// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_fetcher.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "block_maker.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/codec/compression.h"
#include "core/base/threads/epoch.h"
#include "core/fs/memory_fs.h"
#include "core/table/block/block_writer.h"
#include "core/table/readahead/prefetcher.h"
#include "tests/append_block_trailer.h"
#include "tests/codecs.h"

namespace varve {
namespace {

// A file of blocks, as at /db/000007.sst, and a fetcher of it.
class Blocks {
 public:
  explicit Blocks(ChecksumType checksum = ChecksumType::kXxh3) : checksum_(checksum) {}

  // A block of `payload` as it is to be in the file.
  BlockHandle Add(std::string payload, CompressionType codec = CompressionType::kNone) {
    const BlockHandle handle{bytes_.size(), payload.size()};
    AppendBlockTrailer(&payload, codec, checksum_, 0, handle.offset);
    bytes_ += payload;
    return handle;
  }
  std::string& bytes() { return bytes_; }

  std::unique_ptr<BlockFetcher> Fetcher(std::shared_ptr<ClockCache> cache = nullptr,
                                        uint32_t format_version = 5) {
    const auto file = *fs_->Create("/db/000007.sst", false);
    REQUIRE(file->Append(bytes_).ok());
    auto fetcher = std::make_unique<BlockFetcher>(*fs_->OpenForRead("/db/000007.sst", false),
                                                  bytes_.size(), std::move(cache));
    Footer footer;
    footer.checksum = checksum_;
    footer.format_version = format_version;
    footer.offset = bytes_.size();
    fetcher->set_footer(footer);
    return fetcher;
  }

 private:
  const ChecksumType checksum_;
  std::unique_ptr<FileSystem> fs_ = [] {
    auto fs = NewMemoryFileSystem();
    REQUIRE(fs->CreateDirectory("/db").ok());
    return fs;
  }();
  std::string bytes_;
};

std::string Compressed(CompressionType codec, std::string_view raw,
                       std::string_view dictionary = "") {
  const auto compressor =
      *Compressor::Create(codec, TableOptions::kDefaultCompressionLevel, dictionary);
  std::string payload;
  REQUIRE(compressor->Compress(raw, &payload));
  return payload;
}

std::string WithSize(std::string_view payload, uint64_t raw_size) {
  std::string with;
  AppendVarint64(&with, raw_size);
  return with.append(payload);
}

std::string Message(const Result<std::shared_ptr<const Block>>& block) {
  return block.status().ToString();
}

const std::string kPuts = PutsOf(NumberedKeys(100), 16);

TEST_CASE("BlockFetcher: a block comes back, with the outline of its kind") {
  for (const ChecksumType checksum :
       {ChecksumType::kNone, ChecksumType::kCrc32c, ChecksumType::kXxh32, ChecksumType::kXxh64,
        ChecksumType::kXxh3}) {
    Blocks file(checksum);
    const BlockHandle opaque = file.Add("just bytes"), puts = file.Add(kPuts);
    const auto fetcher = file.Fetcher();
    CHECK_EQ((*fetcher->Read(opaque, BlockKind::kOpaque, {}))->bytes(), "just bytes");
    const auto data = *fetcher->Read(puts, BlockKind::kData, {});
    CHECK(data->bytes() == kPuts);
    CHECK_EQ(data->kind(), BlockKind::kData);
    CHECK_EQ(data->view().num_restarts, 7u);
    CHECK_FALSE(data->hints().empty());
    CHECK((*fetcher->Read(puts, BlockKind::kKeyValue, {}))->hints().empty());
    CHECK((*fetcher->Read(opaque, BlockKind::kFilter, {}))->filter() != nullptr);
    const std::string refused = Message(fetcher->Read(opaque, BlockKind::kData, {}));
    CHECK_MESSAGE(refused.find("000007.sst@0: ") != std::string::npos, refused);
  }
}

TEST_CASE("BlockFetcher: compressed blocks of every codec, in the old form and the new one") {
  for (const CompressionType codec : kCodecs) {
    CAPTURE(CompressionName(codec));
    const std::string payload = Compressed(codec, kPuts);
    const bool snappy = codec == CompressionType::kSnappy;
    Blocks file;
    const BlockHandle now = file.Add(snappy ? payload : WithSize(payload, kPuts.size()), codec);
    CHECK((*file.Fetcher()->Read(now, BlockKind::kData, {}))->bytes() == kPuts);

    // Below format_version 2 only zstd and LZ4 say their size, LZ4 in eight bytes.
    std::string old = payload;
    if (codec == CompressionType::kZstd) old = WithSize(payload, kPuts.size());
    if (codec == CompressionType::kLz4 || codec == CompressionType::kLz4hc) {
      old.clear();
      AppendFixed64(&old, kPuts.size());
      old += payload;
    }
    const BlockHandle before = file.Add(old, codec);
    CHECK((*file.Fetcher(nullptr, 1)->Read(before, BlockKind::kData, {}))->bytes() == kPuts);
  }
}

TEST_CASE("BlockFetcher: a byte that changed is found before anything is made of it, and located") {
  Blocks file;
  file.Add("in front");
  const BlockHandle handle = file.Add(
      WithSize(Compressed(CompressionType::kZstd, kPuts), kPuts.size()), CompressionType::kZstd);
  const std::string sound = file.bytes();
  for (uint64_t at = handle.offset; at < handle.end(); at += 13) {
    file.bytes() = sound;
    file.bytes()[at] = static_cast<char>(file.bytes()[at] ^ 0x10);
    const auto fetcher = file.Fetcher();
    const std::string message = Message(fetcher->Read(handle, BlockKind::kData, {}));
    CHECK_MESSAGE(message.starts_with("corruption: 000007.sst@13: "), message);
    CHECK_MESSAGE(message.find("checksum") != std::string::npos, message);
    // Whatever unverified bytes are taken for, the sanitizers watch.
    const auto unverified = fetcher->Read(handle, BlockKind::kData, {.verify_checksums = false});
    if (!unverified.ok()) CHECK(Message(unverified).find("000007.sst@13") != std::string::npos);
  }
}

TEST_CASE(
    "BlockFetcher: a handle must end before the footer, one of data before what follows them") {
  Blocks file;
  const BlockHandle data = file.Add("data"), meta = file.Add("meta");
  const auto fetcher = file.Fetcher();
  CHECK(fetcher->CheckHandle(meta, BlockKind::kData).ok());
  fetcher->set_end_of_data(meta.offset);
  CHECK(fetcher->CheckHandle(data, BlockKind::kData).ok());
  CHECK_EQ(
      fetcher->CheckHandle(meta, BlockKind::kData).ToString(),
      "corruption: 000007.sst@9: block of 4 bytes does not end before the end of the data blocks "
      "at 9");
  CHECK(fetcher->CheckHandle(meta, BlockKind::kOpaque).ok());
  for (const BlockHandle bad :
       {BlockHandle{9, 5}, BlockHandle{18, 0}, BlockHandle{~uint64_t{0}, 1},
        BlockHandle{0, ~uint64_t{0}}, BlockHandle{~uint64_t{0}, ~uint64_t{0}}}) {
    const Status refused = fetcher->CheckHandle(bad, BlockKind::kOpaque);
    CHECK_EQ(refused.code(), Code::kCorruption);
    CHECK(refused.message().find("before the footer at 18") != std::string::npos);
    CHECK_FALSE(fetcher->Read(bad, BlockKind::kOpaque, {}).ok());
    CHECK_FALSE(fetcher->ReadStored(bad).ok());
  }
}

TEST_CASE("BlockFetcher: sizes that no writer says are refused before memory is taken") {
  const std::string zeros(64, '\0');
  struct Case {
    CompressionType codec;
    std::string payload;
    const char* what;
  };
  const Case cases[] = {
      {CompressionType::kZstd, WithSize(zeros, uint64_t{1} << 40), "claims to hold 1099511627776"},
      {CompressionType::kLz4, WithSize(zeros, 128 << 20), "claims to hold 134217728"},
      {CompressionType::kSnappy, "\xff\xff\xff\xff\x0f", "claims to hold 4294967295"},
      {CompressionType::kSnappy, "", "does not begin with its raw size"},
      {CompressionType::kZlib, "", "no raw size"},
      {CompressionType::kZstd, WithSize(zeros, 100), "does not decompress to 100 bytes"},
      {CompressionType::kXpress, "x", "XPRESS"},
      {static_cast<CompressionType>(99), "x", "compression type 0x63"},
  };
  for (const Case& c : cases) {
    Blocks file;
    const BlockHandle handle = file.Add(c.payload, c.codec);
    const std::string message = Message(file.Fetcher()->Read(handle, BlockKind::kData, {}));
    CHECK_MESSAGE(message.find(c.what) != std::string::npos, message);
    CHECK_MESSAGE(message.find("000007.sst@0") != std::string::npos, message);
  }
}

TEST_CASE("BlockFetcher: a filter that is compressed is damage") {
  Blocks file;
  const std::string raw(1000, 'f');
  const BlockHandle handle =
      file.Add(WithSize(Compressed(CompressionType::kLz4, raw), raw.size()), CompressionType::kLz4);
  CHECK(file.Fetcher()->Read(handle, BlockKind::kOpaque, {}).ok());
  CHECK_EQ(Message(file.Fetcher()->Read(handle, BlockKind::kFilter, {})),
           "corruption: 000007.sst@0: a filter is compressed");
}

TEST_CASE("BlockFetcher: the dictionary is for data blocks alone") {
  const std::string with = Compressed(CompressionType::kZstd, kPuts, kPuts);
  const std::string without = Compressed(CompressionType::kZstd, kPuts);
  Blocks file;
  const BlockHandle data = file.Add(WithSize(with, kPuts.size()), CompressionType::kZstd);
  const BlockHandle index = file.Add(WithSize(without, kPuts.size()), CompressionType::kZstd);
  const auto fetcher = file.Fetcher();
  CHECK_FALSE(fetcher->Read(data, BlockKind::kData, {}).ok());
  fetcher->set_dictionary(BlockOf(kPuts, BlockKind::kKeyValue));
  CHECK((*fetcher->Read(data, BlockKind::kData, {}))->bytes() == kPuts);
  CHECK_FALSE(fetcher->Read(data, BlockKind::kKeyValue, {}).ok());
  CHECK((*fetcher->Read(index, BlockKind::kKeyValue, {}))->bytes() == kPuts);
}

TEST_CASE("BlockFetcher: fetched blocks are cached, unless they should not be") {
  Blocks file;
  const BlockHandle a = file.Add(kPuts), b = file.Add("other"), c = file.Add(kPuts);
  const auto cache = std::make_shared<ClockCache>(1 << 20);
  const auto fetcher = file.Fetcher(cache);
  CHECK_EQ(Message(fetcher->Fetch(a, BlockKind::kData, {.cache_only = true})),
           "busy: 000007.sst@0: block is not in the cache");
  CHECK(fetcher->Fetch(a, BlockKind::kData, {.fill_cache = false}).ok());
  CHECK(fetcher->Fetch(a, BlockKind::kData, {.verify_checksums = false}).ok());
  CHECK_FALSE(fetcher->IsCached(a));
  const auto first = *fetcher->Fetch(a, BlockKind::kData, {});
  CHECK(fetcher->IsCached(a));
  CHECK_EQ(*fetcher->Fetch(a, BlockKind::kData, {.cache_only = true}), first);
  CHECK_EQ(fetcher->FindCached(a, BlockKind::kData), first);
  {
    const EpochGuard guard;
    CHECK_EQ(fetcher->PeekCached(a), first.get());
  }
  CHECK_FALSE(fetcher->IsCached(b));
  CHECK(fetcher->Read(c, BlockKind::kData, {}).ok());  // From the file, into no cache.
  CHECK_FALSE(fetcher->IsCached(c));
}

TEST_CASE("BlockFetcher: a cached block of one kind does not answer for another") {
  Blocks file;
  const BlockHandle handle = file.Add(kPuts);
  const auto fetcher = file.Fetcher(std::make_shared<ClockCache>(1 << 20));
  const auto data = *fetcher->Fetch(handle, BlockKind::kData, {});
  CHECK_EQ(fetcher->FindCached(handle, BlockKind::kFilter), nullptr);
  const auto filter = *fetcher->Fetch(handle, BlockKind::kFilter, {});
  CHECK_NE(filter, data);
  CHECK_EQ(filter->kind(), BlockKind::kFilter);
  CHECK_EQ(fetcher->FindCached(handle, BlockKind::kData), data);  // The first stays.
}

TEST_CASE("BlockFetcher: tables that share a cache do not share blocks, nor is one needed") {
  Blocks one, other;
  const BlockHandle handle = one.Add("one");
  other.Add("two");
  const auto cache = std::make_shared<ClockCache>(1 << 20);
  const auto first = one.Fetcher(cache), second = other.Fetcher(cache);
  CHECK_EQ((*first->Fetch(handle, BlockKind::kOpaque, {}))->bytes(), "one");
  CHECK_EQ((*second->Fetch(handle, BlockKind::kOpaque, {}))->bytes(), "two");
  const auto without = one.Fetcher();
  CHECK_FALSE(without->IsCached(handle));
  CHECK_EQ(without->FindCached(handle, BlockKind::kOpaque), nullptr);
  CHECK_EQ((*without->Fetch(handle, BlockKind::kOpaque, {}))->bytes(), "one");
}

TEST_CASE("BlockFetcher: lookups make heads, if the table's blocks have room for them") {
  Blocks file;
  const BlockHandle handle = file.Add(kPuts);
  for (const uint32_t room : {0u, 4096u}) {
    const auto fetcher = file.Fetcher(std::make_shared<ClockCache>(1 << 20));
    fetcher->use_heads(room);
    for (int i = 0; i < 3; ++i) REQUIRE(fetcher->FetchForLookup(handle, {}).ok());
    CHECK_EQ((*fetcher->Fetch(handle, BlockKind::kData, {}))->heads() != nullptr, room > 0);
  }
}

TEST_CASE("BlockFetcher: through a prefetcher a block may stay in its buffer") {
  Blocks file;
  const BlockHandle raw = file.Add(kPuts);
  const BlockHandle compressed = file.Add(
      WithSize(Compressed(CompressionType::kLz4, kPuts), kPuts.size()), CompressionType::kLz4);
  const auto fetcher = file.Fetcher();
  const auto prefetcher = NewPrefetcher(fetcher->file(), fetcher->file_size(),
                                        {.fixed_window = 64 << 10}, nullptr, nullptr);
  REQUIRE(prefetcher != nullptr);
  for (const bool in_place : {false, true}) {
    for (const BlockHandle handle : {raw, compressed}) {
      const auto block = *fetcher->Fetch(
          handle, BlockKind::kData,
          {.fill_cache = false, .prefetcher = prefetcher.get(), .in_place = in_place});
      CHECK(block->bytes() == kPuts);
      CHECK_EQ(block->owns_bytes(), !(in_place && handle == raw));
    }
  }
}

TEST_CASE("BlockFetcher: a file that ends early says how much there was") {
  Blocks file;
  const BlockHandle handle = file.Add("some bytes");
  const std::string whole = file.bytes();
  file.bytes().resize(8);
  const auto fetcher = file.Fetcher();
  Footer footer;
  footer.offset = whole.size();  // As if the file had become shorter since.
  fetcher->set_footer(footer);
  CHECK_EQ(fetcher->ReadBytes(3, 10).status().ToString(),
           "corruption: 000007.sst@3: file ends after 5 of 10 bytes");
  CHECK_EQ(*fetcher->ReadBytes(3, 5), "e byt");
  CHECK_EQ(*fetcher->ReadBytes(3, 0), "");
  CHECK_EQ(Message(fetcher->Read(handle, BlockKind::kOpaque, {})),
           "corruption: 000007.sst@0: file ends within a block of 10 bytes");
}

}  // namespace
}  // namespace varve
