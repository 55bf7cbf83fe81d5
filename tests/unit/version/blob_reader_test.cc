// SPDX-License-Identifier: Apache-2.0
#include "core/version/blob_reader.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/codec/compression.h"
#include "core/base/hash/crc32c.h"
#include "core/fs/memory_fs.h"
#include "core/version/manifest_reader.h"
#include "tests/codecs.h"
#include "tests/forwarding_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

// One blob file, byte by byte as db-format section 9 has it, and the indexes into it.
class BlobImage {
 public:
  explicit BlobImage(CompressionType codec) : codec_(codec) {
    AppendFixed32(&bytes_, 0x00248F37);
    AppendFixed32(&bytes_, 1);
    AppendFixed32(&bytes_, 0);
    bytes_.push_back(0);
    bytes_.push_back(static_cast<char>(codec));
    bytes_.append(16, '\0');
  }

  // Returns the blob index.
  std::string Add(std::string_view key, std::string_view stored) {
    std::string index = AddHead(key, stored.size(), stored);
    bytes_.append(stored);
    return index;
  }

  // All but the value's bytes, of which there are `size`.
  std::string AddHead(std::string_view key, uint64_t size, std::string_view stored = {}) {
    std::string head;
    AppendFixed64(&head, key.size());
    AppendFixed64(&head, size);
    AppendFixed64(&head, 0);
    AppendFixed32(&head, Mask(ComputeCrc32c(head)).value);
    AppendFixed32(&head, Mask(ExtendCrc32c(ComputeCrc32c(key), stored)).value);
    bytes_.append(head).append(key);
    std::string index("\x01", 1);
    AppendVarint64(&index, 7);
    AppendVarint64(&index, bytes_.size());
    AppendVarint64(&index, size);
    index.push_back(static_cast<char>(codec_));
    blobs_++;
    return index;
  }

  void Finish() {
    std::string footer;
    AppendFixed32(&footer, 0x00248F37);
    AppendFixed64(&footer, blobs_);
    footer.append(16, '\0');
    AppendFixed32(&footer, Mask(ComputeCrc32c(footer)).value);
    bytes_ += footer;
  }

  std::string& bytes() { return bytes_; }

 private:
  const CompressionType codec_;
  std::string bytes_;
  uint64_t blobs_ = 0;
};

constexpr size_t kEmptyFile = 30;  // Nothing but the header.

class Blobs {
 public:
  explicit Blobs(std::string_view bytes) : fs_(NewMemoryFileSystem()) {
    REQUIRE(fs_->CreateDirectory("db").ok());
    WriteFile(*fs_, "db/000007.blob", bytes);
    reader_ = std::make_unique<BlobReader>(*fs_, "db");
  }
  BlobReader* operator->() { return reader_.get(); }

 private:
  std::unique_ptr<FileSystem> fs_;
  std::unique_ptr<BlobReader> reader_;
};

TEST_CASE("BlobReader: reads what a blob index points to, and nobody else's") {
  BlobImage image(CompressionType::kNone);
  const std::string first = image.Add("key", "value!");
  const std::string second = image.Add("other", "");
  image.Finish();
  Blobs blobs(image.bytes());
  CHECK_EQ(blobs->Read("key", first)->view(), "value!");
  CHECK_EQ(blobs->Read("other", second)->view(), "");
  CHECK_EQ(blobs->Read("yek", first).status().code(), Code::kCorruption);
  CHECK_EQ(blobs->Read("other", first).status().code(), Code::kCorruption);
  CHECK_EQ(blobs->Read("key", "").status().code(), Code::kCorruption);
}

TEST_CASE("BlobReader: a file that values are in and that is missing is damage") {
  BlobImage image(CompressionType::kNone);
  const std::string index = image.Add("key", "value!");
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  const BlobReader blobs(*fs, "db");
  CHECK_EQ(blobs.Read("key", index).status().code(), Code::kCorruption);
  CHECK_EQ(blobs.Open(7).code(), Code::kNotFound);
}

// A sparse file is as large as it says, and costs nothing on the disk.
class SparseFile final : public RandomAccessFile {
 public:
  explicit SparseFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    std::memset(buffer, 0, size);
    if (offset < bytes_.size()) bytes_.copy(buffer, size, offset);
    return std::string_view(buffer, size);
  }
  Result<uint64_t> Size() const override { return uint64_t{1} << 60; }
  const std::string& path() const override { return path_; }

 private:
  const std::string bytes_, path_ = "db/000007.blob";
};

class SparseFs final : public ForwardingFs {
 public:
  explicit SparseFs(std::string bytes)
      : ForwardingFs(NewMemoryFileSystem()), bytes_(std::move(bytes)) {}
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string&, bool) override {
    return std::unique_ptr<RandomAccessFile>(std::make_unique<SparseFile>(bytes_));
  }

 private:
  const std::string bytes_;
};

TEST_CASE("BlobReader: a value larger than any that is written takes no memory") {
  BlobImage image(CompressionType::kNone);
  const std::string index = image.AddHead("key", uint64_t{1} << 49);
  SparseFs fs(image.bytes());
  const BlobReader blobs(fs, "db");
  const Status read = blobs.Read("key", index).status();
  CHECK_EQ(read.code(), Code::kCorruption);
  CHECK_MESSAGE(read.message().find("562949953421312 bytes is larger than") != std::string::npos,
                read.ToString());
  CHECK_EQ(blobs.Verify(7).status().code(), Code::kCorruption);
}

TEST_CASE("BlobReader: a value outlives the reader's hold on the file") {
  BlobImage image(CompressionType::kNone);
  const std::string index = image.Add("key", std::string(10000, 'x'));
  Blobs blobs(image.bytes());
  const Result<Value> value = blobs->Read("key", index);
  blobs->Evict(7);
  REQUIRE(value.ok());
  CHECK_EQ(value->view(), std::string(10000, 'x'));
}

TEST_CASE("BlobReader: compressed values, whatever the codec") {
  const std::string raw(5000, 'r');
  for (const CompressionType codec : kCodecs) {
    CAPTURE(static_cast<int>(codec));
    auto compressor = Compressor::Create(codec, TableOptions::kDefaultCompressionLevel, {});
    REQUIRE(compressor.ok());
    std::string payload, stored;
    REQUIRE((*compressor)->Compress(raw, &payload));
    if (codec != CompressionType::kSnappy) AppendVarint64(&stored, raw.size());
    stored += payload;
    BlobImage image(codec);
    const std::string index = image.Add("key", stored);
    const std::string bomb = image.Add("bomb", "\xff\xff\xff\xff\xff\xff\xff\x7f");
    Blobs blobs(image.bytes());
    const Result<Value> value = blobs->Read("key", index);
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    CHECK_EQ(value->view(), raw);
    CHECK_EQ(blobs->Read("bomb", bomb).status().code(), Code::kCorruption);
  }
}

TEST_CASE("BlobReader: every flipped bit of a blob is noticed, by reading and by verifying") {
  BlobImage image(CompressionType::kNone);
  const size_t begin = image.bytes().size();
  const std::string index = image.Add("key", "value!");
  image.Finish();
  for (size_t bit = 0; bit < image.bytes().size() * 8; bit++) {
    CAPTURE(bit);
    std::string damaged = image.bytes();
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    Blobs blobs(damaged);
    const bool in_record = bit / 8 >= begin && bit / 8 < image.bytes().size() - 32;
    if (in_record) CHECK_EQ(blobs->Read("key", index).status().code(), Code::kCorruption);
    // The header has no checksum of its own.
    if (bit / 8 >= begin) CHECK_FALSE(blobs->Verify(7).ok());
  }
}

TEST_CASE("BlobReader: a file cut anywhere is read as far as it goes") {
  BlobImage image(CompressionType::kNone);
  const std::string index = image.Add("key", "value!");
  const size_t end = image.bytes().size();
  image.Finish();
  for (size_t size = 0; size < image.bytes().size(); size++) {
    CAPTURE(size);
    Blobs blobs(std::string_view(image.bytes()).substr(0, size));
    const Result<Value> value = blobs->Read("key", index);
    CHECK_EQ(value.ok(), size >= end);
    // Whole records without a footer are what a crashed writer leaves.
    CHECK_EQ(blobs->Verify(7).ok(), size == end || size == kEmptyFile);
  }
}

TEST_CASE("BlobReader: RocksDB's blob files hold what its MANIFEST counts") {
  FileSystem& fs = *NativeEnvironment().file_system;
  const std::string directory = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob";
  const Result<RecoveredManifest> manifest = ReadManifest(fs, directory, Options{}, nullptr);
  REQUIRE(manifest.ok());
  const BlobReader reader(fs, directory);
  const auto& files = manifest->state.families.Find(0u)->version->blob_files();
  REQUIRE_EQ(files.size(), 4);
  for (const BlobFileMetadata& file : files) {
    const Result<BlobReader::Summary> summary = reader.Verify(file.number);
    REQUIRE_MESSAGE(summary.ok(), summary.status().ToString());
    CHECK_EQ(summary->blobs, file.blobs);
    CHECK_EQ(summary->bytes, file.bytes);
  }
  CHECK_EQ(reader.Verify(99).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace varve
