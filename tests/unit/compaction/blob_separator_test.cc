// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/blob_separator.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/version/blob_reader.h"
#include "tests/test_bytes.h"
#include "tests/unit/compaction/job_fixture.h"

namespace varve {
namespace {

using enum ValueType;

struct Separated {
  ValueType type = kValue;
  std::string value;
};

struct Fixture : JobFixture {
  Fixture() : reader(fs, "out") {
    job.options.blobs = {.enabled = true, .min_size = 10};
    job.blobs = &reader;
  }
  Separated Take(BlobSeparator* blobs, std::string_view user_key, ValueType type,
                 std::string_view value) {
    InternalKey key{user_key, 7, type};
    const Status status = blobs->Separate(&key, &value);
    REQUIRE_MESSAGE(status.ok(), status.ToString());
    CHECK_EQ(key.user_key, user_key);
    CHECK_EQ(key.sequence, 7);
    return {key.type, std::string(value)};
  }
  std::string Read(std::string_view key, const Separated& blob) {
    REQUIRE(blob.type == kBlobIndex);
    const Result<Value> value = reader.Read(key, blob.value);
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    return std::string(value->view());
  }
  BlobReader reader;
};

TEST_CASE("BlobSeparator: puts of large values go, anything else stays") {
  Fixture t;
  BlobSeparator blobs(t.job, /*level=*/0, /*collect_below=*/0);
  CHECK_EQ(t.Take(&blobs, "a", kValue, "123456789").value, "123456789");
  const Separated large = t.Take(&blobs, "b", kValue, "1234567890");
  for (const ValueType type : {kMerge, kDeletion, kSingleDeletion, kWideColumnEntity}) {
    const Separated stays = t.Take(&blobs, "c", type, "1234567890");
    CHECK(stays.type == type);
    CHECK_EQ(stays.value, "1234567890");
  }
  REQUIRE(blobs.Finish().ok());
  CHECK_EQ(t.Read("b", large), "1234567890");
  const auto files = blobs.TakeFiles();
  REQUIRE_EQ(files.size(), 1);
  CHECK_EQ(files[0].blobs, 1);
}

TEST_CASE("BlobSeparator: without large values there is no file") {
  Fixture t;
  BlobSeparator blobs(t.job, 0, 0);
  t.Take(&blobs, "a", kValue, "short");
  REQUIRE(blobs.Finish().ok());
  CHECK(blobs.TakeFiles().empty());
  CHECK(t.Files().empty());
}

TEST_CASE("BlobSeparator: levels above the first one keep their values") {
  Fixture t;
  t.job.options.blobs.starting_level = 2;
  BlobSeparator above(t.job, /*level=*/1, 0), at(t.job, /*level=*/2, 0);
  CHECK(t.Take(&above, "a", kValue, "1234567890").type == kValue);
  CHECK(t.Take(&at, "a", kValue, "1234567890").type == kBlobIndex);
}

TEST_CASE("BlobSeparator: values that a codec does not make smaller are in a file without") {
  for (const CompressionType codec : {CompressionType::kSnappy, CompressionType::kLz4,
                                      CompressionType::kZstd, CompressionType::kZlib}) {
    Fixture t;
    t.job.options.blobs.compression = codec;
    const std::string repeats(5000, 'r'), random = Noise(5000);
    BlobSeparator blobs(t.job, 0, 0);
    const Separated small = t.Take(&blobs, "a", kValue, repeats);
    const Separated large = t.Take(&blobs, "b", kValue, random);
    const Separated again = t.Take(&blobs, "c", kValue, repeats);
    REQUIRE(blobs.Finish().ok());
    CHECK_EQ(t.Read("a", small), repeats);
    CHECK_EQ(t.Read("b", large), random);
    CHECK_EQ(t.Read("c", again), repeats);
    CHECK(DecodeBlobIndex(small.value, "a")->compression == codec);
    CHECK(DecodeBlobIndex(large.value, "b")->compression == CompressionType::kNone);
    const auto files = blobs.TakeFiles();
    REQUIRE_EQ(files.size(), 2);
    CHECK_EQ(files[0].blobs + files[1].blobs, 3);
    CHECK_LT(files[0].bytes, 2000);
  }
}

TEST_CASE("BlobSeparator: a file that is large enough is closed, and another one begun") {
  Fixture t;
  t.job.options.blobs.file_size = 500;
  BlobSeparator blobs(t.job, 0, 0);
  for (int i = 0; i < 10; ++i) t.Take(&blobs, "key", kValue, std::string(200, 'v'));
  REQUIRE(blobs.Finish().ok());
  CHECK_EQ(blobs.TakeFiles().size(), 5);  // Of a header and two records.
}

TEST_CASE("BlobSeparator: blobs in old files are written again, others are counted") {
  Fixture t;
  BlobSeparator first(t.job, 0, 0);
  const std::string value(100, 'v'), small = "1234567890";
  const Separated old_large = t.Take(&first, "a", kValue, value);
  const Separated old_small = t.Take(&first, "b", kValue, small);
  REQUIRE(first.Finish().ok());
  t.next_number = 200;
  BlobSeparator second(t.job, 0, 0);
  const Separated newer = t.Take(&second, "c", kValue, value);
  REQUIRE(second.Finish().ok());

  t.job.options.blobs.min_size = 50;
  BlobSeparator collecting(t.job, /*level=*/1, /*collect_below=*/200);
  const Separated moved = t.Take(&collecting, "a", kBlobIndex, old_large.value);
  const Separated inlined = t.Take(&collecting, "b", kBlobIndex, old_small.value);
  const Separated kept = t.Take(&collecting, "c", kBlobIndex, newer.value);
  REQUIRE(collecting.Finish().ok());
  CHECK_EQ(t.Read("a", moved), value);
  CHECK_EQ(DecodeBlobIndex(moved.value, "a")->file, 201);
  CHECK(inlined.type == kValue);
  CHECK_EQ(inlined.value, small);
  CHECK_EQ(kept.value, newer.value);
  const auto garbage = collecting.kept().Without({});
  REQUIRE_EQ(garbage.size(), 1);
  CHECK_EQ(garbage[0].number, 200);
  CHECK_EQ(garbage[0].blobs, 1);
}

TEST_CASE("BlobSeparator: a blob that cannot be read fails") {
  Fixture t;
  BlobSeparator blobs(t.job, 0, /*collect_below=*/1000);
  std::string index;
  AppendBlobIndex({.file = 9, .offset = 100, .size = 10}, &index);
  InternalKey key{"a", 7, kBlobIndex};
  std::string_view value = index;
  CHECK(blobs.Separate(&key, &value).code() == Code::kCorruption);
}

TEST_CASE("BlobSeparator: abandoned, it leaves no file") {
  Fixture t;
  t.job.options.blobs.file_size = 500;
  BlobSeparator blobs(t.job, 0, 0);
  for (int i = 0; i < 10; ++i) t.Take(&blobs, "key", kValue, std::string(200, 'v'));
  CHECK(!t.Files().empty());
  blobs.Abandon();
  CHECK(t.Files().empty());
}

TEST_CASE("CollectBlobsBelow: the oldest share of the files, as in RocksDB") {
  std::vector<BlobFileMetadata> files;
  for (const FileNumber number : {3, 8, 9, 20}) files.push_back({.number = number});
  const auto below = [&](bool collect, double cutoff) {
    return CollectBlobsBelow(files, {.collect_garbage = collect, .age_cutoff = cutoff});
  };
  CHECK_EQ(below(false, 1), 0);
  CHECK_EQ(below(true, 0), 3);
  CHECK_EQ(below(true, 0.25), 8);
  CHECK_EQ(below(true, 0.3), 8);
  CHECK_EQ(below(true, 0.75), 20);
  CHECK_EQ(below(true, 1), std::numeric_limits<FileNumber>::max());
  files.clear();
  CHECK_EQ(below(true, 0.25), std::numeric_limits<FileNumber>::max());
}

}  // namespace
}  // namespace varve
