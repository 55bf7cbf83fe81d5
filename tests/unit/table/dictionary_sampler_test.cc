// SPDX-License-Identifier: Apache-2.0
#include "core/table/write/dictionary_sampler.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/codecs.h"

namespace varve {
namespace {

TableOptions Options(CompressionType codec, uint32_t bytes, uint32_t train = 0) {
  TableOptions options;
  options.compression = codec;
  options.compression_dict_bytes = bytes;
  options.zstd_max_train_bytes = train;
  return options;
}

TEST_CASE("DictionarySampler: samples for the codecs that take a dictionary, if one is wanted") {
  for (const CompressionType codec : kDictionaryCodecs) {
    CHECK(DictionarySampler(Options(codec, 1)).sampling());
    CHECK_FALSE(DictionarySampler(Options(codec, 0)).sampling());
    CHECK_FALSE(DictionarySampler(Options(codec, 0, 1000)).sampling());
  }
  for (const auto codec :
       {CompressionType::kNone, CompressionType::kSnappy, CompressionType::kBzip2}) {
    CHECK_FALSE(DictionarySampler(Options(codec, 100)).sampling());
  }
}

TEST_CASE("DictionarySampler: has enough with four times the dictionary, or what training takes") {
  DictionarySampler untrained(Options(CompressionType::kLz4, 100));
  untrained.Hold(std::string(399, 'x'));
  CHECK_FALSE(untrained.has_enough());
  CHECK_EQ(untrained.held_bytes(), 399u);
  untrained.Hold("y");
  CHECK(untrained.has_enough());
  DictionarySampler trained(Options(CompressionType::kZstd, 100, 1000));
  trained.Hold(std::string(999, 'x'));
  CHECK_FALSE(trained.has_enough());
  trained.Hold("y");
  CHECK(trained.has_enough());
  // Training is zstd's.
  DictionarySampler other(Options(CompressionType::kZlib, 100, 1000));
  other.Hold(std::string(400, 'x'));
  CHECK(other.has_enough());
}

TEST_CASE("DictionarySampler: an untrained dictionary has the same share of each block") {
  DictionarySampler sampler(Options(CompressionType::kLz4, 9));
  for (const char* block : {"aaaaaaaa", "bbbbbbbb", "cccccccc"}) sampler.Hold(block);
  CHECK_EQ(sampler.Make(), "aaabbbccc");
  CHECK_FALSE(sampler.sampling());
  CHECK(sampler.TakeHeld() == std::vector<std::string>{"aaaaaaaa", "bbbbbbbb", "cccccccc"});
  CHECK_EQ(sampler.held_bytes(), 0u);
  CHECK(sampler.TakeHeld().empty());
}

TEST_CASE("DictionarySampler: the dictionary is never longer than it may be") {
  for (const uint32_t bytes : {1u, 2u, 5u, 100u, 10'000u}) {
    for (const size_t blocks : {1u, 3u, 64u}) {
      DictionarySampler sampler(Options(CompressionType::kZlib, bytes));
      for (size_t i = 0; i < blocks; ++i) sampler.Hold(std::string(50 * i, 'x'));
      CHECK_LE(sampler.Make().size(), bytes);
    }
  }
}

TEST_CASE("DictionarySampler: of no blocks, or empty ones, there is none") {
  DictionarySampler nothing(Options(CompressionType::kLz4, 100));
  CHECK_EQ(nothing.Make(), "");
  CHECK(nothing.TakeHeld().empty());
  DictionarySampler empty(Options(CompressionType::kLz4, 100));
  empty.Hold("");
  CHECK_EQ(empty.Make(), "");
  CHECK_EQ(empty.TakeHeld().size(), 1u);
}

TEST_CASE("DictionarySampler: trains where there are samples enough, and cuts where not") {
  DictionarySampler sampler(Options(CompressionType::kZstd, 4096, 1 << 20));
  for (int i = 0; i < 2000; ++i) {
    sampler.Hold("key" + std::to_string(i) + "=some value that recurs;" + std::to_string(i * 7919));
  }
  const std::string trained = sampler.Make();
  CHECK_EQ(trained.substr(0, 4), "\x37\xa4\x30\xec");  // zstd's magic number of dictionaries.
  CHECK_LE(trained.size(), 4096u);
  DictionarySampler few(Options(CompressionType::kZstd, 4096, 1 << 20));
  few.Hold("a");
  CHECK_EQ(few.Make(), "a");
}

}  // namespace
}  // namespace varve
