// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/blob_record.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

namespace varve {
namespace {

using namespace std::string_view_literals;

std::string Vector() {
  std::ifstream in(VARVE_FIXTURES "/db/vectors/000013.blob", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("BlobRecord: the published file decodes, and its index leads to the value") {
  const std::string file = Vector();
  REQUIRE(file.size() == kBlobFileHeaderSize + kBlobRecordHeaderSize + 9 + kBlobFileFooterSize);
  const Result<BlobFileHeader> header = DecodeBlobFileHeader(file.substr(0, kBlobFileHeaderSize));
  REQUIRE(header.ok());
  CHECK(header->family == 0);
  CHECK(!header->has_expiration);
  CHECK(header->compression == CompressionType::kNone);
  const Result<BlobIndex> index = DecodeBlobIndex("\x01\x0d\x41\x06\x00"sv, "key");
  REQUIRE(index.ok());
  CHECK(index->file == 13);
  CHECK(index->RecordOffset("key") == kBlobFileHeaderSize);
  CHECK(file.substr(index->offset, index->size) == "value!");
  const Result<BlobRecordHeader> record =
      DecodeBlobRecordHeader(file.substr(kBlobFileHeaderSize, kBlobRecordHeaderSize));
  REQUIRE(record.ok());
  CHECK(CheckBlob(*record, "key", "value!").ok());
  CHECK(CheckBlob(*record, "key", "value?").code() == Code::kCorruption);
  CHECK(CheckBlob(*record, "kez", "value!").code() == Code::kCorruption);
  CHECK(CheckBlob(*record, "keyv", "alue!").code() == Code::kCorruption);
  CHECK(DecodeBlobFileFooter(file.substr(file.size() - kBlobFileFooterSize))->blobs == 1);
}

TEST_CASE("BlobRecord: the published file is what is written") {
  std::string file;
  AppendBlobFileHeader({}, &file);
  const BlobIndex at{.file = 13, .offset = file.size() + kBlobRecordHeaderSize + 3, .size = 6};
  AppendBlobRecordHeader("key", "value!", &file);
  file += "keyvalue!";
  AppendBlobFileFooter({.blobs = 1}, &file);
  CHECK_EQ(file, Vector());
  std::string index;
  AppendBlobIndex(at, &index);
  CHECK_EQ(index, "\x01\x0d\x41\x06\x00"sv);
  CHECK_EQ(at.RecordSize("key"), kBlobRecordHeaderSize + 9);
  std::string other;
  AppendBlobFileHeader({.family = 7, .compression = CompressionType::kZstd}, &other);
  CHECK_EQ(DecodeBlobFileHeader(other)->family, 7);
  CHECK(DecodeBlobFileHeader(other)->compression == CompressionType::kZstd);
}

TEST_CASE("BlobRecord: any flipped bit of a checked part is noticed") {
  const std::string file = Vector();
  const std::string record = file.substr(kBlobFileHeaderSize, kBlobRecordHeaderSize);
  const std::string footer = file.substr(file.size() - kBlobFileFooterSize);
  for (size_t bit = 0; bit < kBlobRecordHeaderSize * 8; ++bit) {
    std::string damaged_record = record, damaged_footer = footer;
    damaged_record[bit / 8] = static_cast<char>(damaged_record[bit / 8] ^ (1 << bit % 8));
    damaged_footer[bit / 8] = static_cast<char>(damaged_footer[bit / 8] ^ (1 << bit % 8));
    const Result<BlobRecordHeader> decoded = DecodeBlobRecordHeader(damaged_record);
    CHECK((!decoded.ok() || !CheckBlob(*decoded, "key", "value!").ok()));
    CHECK(!DecodeBlobFileFooter(damaged_footer).ok());
  }
}

TEST_CASE("BlobRecord: wrong sizes, magic numbers and versions are refused") {
  const std::string file = Vector();
  std::string header = file.substr(0, kBlobFileHeaderSize);
  CHECK(!DecodeBlobFileHeader(header.substr(1)).ok());
  CHECK(!DecodeBlobRecordHeader("").ok());
  CHECK(!DecodeBlobFileFooter(file.substr(0, kBlobFileFooterSize + 1)).ok());
  header[4] = 2;
  CHECK(DecodeBlobFileHeader(header).status().code() == Code::kNotSupported);
  header[0] = 0;
  CHECK(DecodeBlobFileHeader(header).status().message() ==
        "blob file header: magic number is 00248f00, not 00248f37");
}

TEST_CASE("BlobIndex: what is not exactly an index is refused by kind") {
  for (const std::string_view bytes :
       {""sv, "\x01"sv, "\x01\x0d\x41\x06"sv, "\x01\x0d\x41\x06\x00x"sv, "\x03\x0d\x41\x06\x00"sv,
        "\x01\x0d\x40\x06\x00"sv}) {  // The last: one byte in front of the first possible value.
    CHECK(DecodeBlobIndex(bytes, "key").status().code() == Code::kCorruption);
  }
  for (const std::string_view bytes :
       {"\x00\x05value"sv, "\x02\x05\x0d\x41\x06\x00"sv, "\x01\x00\x41\x06\x00"sv}) {
    CHECK(DecodeBlobIndex(bytes, "key").status().code() == Code::kNotSupported);
  }
}

}  // namespace
}  // namespace varve
