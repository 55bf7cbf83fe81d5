// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_writer.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_trailer.h"
#include "core/fs/memory_fs.h"
#include "tests/codecs.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

struct File {
  std::string Bytes() const { return *ReadFileToString(*fs, "t", 1 << 30); }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  std::unique_ptr<WritableFile> file = *fs->Create("t", false);
};

std::unique_ptr<Compressor> CompressorOf(CompressionType codec) {
  return *Compressor::Create(codec, TableOptions::kDefaultCompressionLevel, "");
}

TEST_CASE("BlockWriter: blocks follow each other, each with its trailer, at the handles returned") {
  for (const ChecksumType checksum :
       {ChecksumType::kNone, ChecksumType::kCrc32c, ChecksumType::kXxh32, ChecksumType::kXxh64,
        ChecksumType::kXxh3}) {
    for (const uint32_t base : {0u, 0x3f062031u}) {
      File f;
      BlockWriter writer(f.file.get(), {.type = checksum, .base_context = base});
      std::vector<BlockHandle> handles;
      const std::string blocks[] = {"", "one", Noise(5000), "one"};
      for (const std::string& block : blocks) {
        const uint64_t begin = writer.offset();
        handles.push_back(*writer.Write(block, nullptr, CompressionType::kNone));
        CHECK_EQ(handles.back(), BlockHandle{begin, block.size()});
        CHECK_EQ(writer.offset(), handles.back().end());
      }
      const std::string bytes = f.Bytes();
      CHECK_EQ(bytes.size(), writer.offset());
      for (size_t i = 0; i < handles.size(); ++i) {
        const auto stored =
            std::string_view(bytes).substr(handles[i].offset, handles[i].size + kBlockTrailerSize);
        const Result<StoredBlock> split = SplitTrailer(stored, checksum, base, handles[i].offset);
        REQUIRE_MESSAGE(split.ok(), split.status().ToString());
        CHECK(split->payload == blocks[i]);
        CHECK_EQ(split->compression, 0);
      }
      CHECK_FALSE(writer.compressed_any());
    }
  }
}

TEST_CASE("BlockWriter: a compressed block begins with its raw size, but for snappy's") {
  const std::string raw(5000, 'r');
  for (const CompressionType codec : kCodecs) {
    CAPTURE(CompressionName(codec));
    File f;
    BlockWriter writer(f.file.get(), {});
    const auto compressor = CompressorOf(codec);
    const BlockHandle handle = *writer.Write(raw, compressor.get(), codec);
    CHECK(writer.compressed_any());
    CHECK_LT(handle.size, 1000u);
    const std::string bytes = f.Bytes();
    const auto split = SplitTrailer(bytes, ChecksumType::kXxh3, 0, 0);
    REQUIRE(split.ok());
    CHECK_EQ(split->compression, static_cast<uint8_t>(codec));
    std::string_view payload = split->payload;
    if (codec == CompressionType::kSnappy) {
      CHECK_EQ(*SnappyRawSize(payload), raw.size());
    } else {
      CHECK_EQ(payload.substr(0, 2), "\x88\x27");  // 5,000 as a varint.
      payload.remove_prefix(2);
    }
    std::string out(raw.size(), '\0');
    REQUIRE(Decompress(codec, payload, "", out.data(), out.size()).ok());
    CHECK(out == raw);
  }
}

TEST_CASE("BlockWriter: what does not shrink by an eighth is stored as it is") {
  for (const CompressionType codec : kCodecs) {
    File f;
    BlockWriter writer(f.file.get(), {});
    const auto compressor = CompressorOf(codec);
    for (const std::string& raw : {Noise(3000), std::string(), std::string("ab")}) {
      const BlockHandle handle = *writer.Write(raw, compressor.get(), codec);
      CHECK_EQ(handle.size, raw.size());
      CHECK(f.Bytes().substr(handle.offset, handle.size + 1) == raw + '\0');
    }
    CHECK_FALSE(writer.compressed_any());
  }
}

TEST_CASE("BlockWriter: bytes that are no block have no trailer, and move what follows") {
  File f;
  BlockWriter writer(f.file.get(), {});
  CHECK(writer.WriteBytes("footer").ok());
  CHECK_EQ(writer.offset(), 6u);
  CHECK_EQ((*writer.Write("b", nullptr, {})).offset, 6u);
  CHECK_EQ(f.Bytes().substr(0, 7), "footerb");
}

TEST_CASE("BlockWriter: a file that takes no more bytes is an error") {
  File f;
  BlockWriter writer(f.file.get(), {});
  REQUIRE(f.file->Close().ok());
  CHECK_EQ(writer.Write("b", nullptr, {}).status().code(), Code::kIoError);
  CHECK_EQ(writer.WriteBytes("b").code(), Code::kIoError);
}

}  // namespace
}  // namespace varve
