// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/stored_value.h"

#include <doctest/doctest.h>

#include <string>

namespace varve {
namespace {

using namespace std::string_view_literals;

constexpr ValueType kEveryType[] = {ValueType::kDeletion,
                                    ValueType::kValue,
                                    ValueType::kMerge,
                                    ValueType::kSingleDeletion,
                                    ValueType::kRangeDeletion,
                                    ValueType::kBlobIndex,
                                    ValueType::kWideColumnEntity,
                                    ValueType::kDeletionWithTimestamp,
                                    ValueType::kValuePreferredSeqno};

// Version 1: two columns, "" with "v" and "a" with "1".
constexpr std::string_view kEntity =
    "\x01\x02\x00\x01\x01"
    "a\x01v1"sv;
// File 5, offset 63 (behind a file's header, a record's and a key of one byte), 9 bytes.
constexpr std::string_view kBlob = "\x01\x05\x3f\x09\x00"sv;

std::string Inline(ValueType type, std::string_view stored) {
  const Result<std::string_view> value = InlineValue(type, stored);
  return value.ok() ? std::string(*value) : value.status().ToString();
}

TEST_CASE("InlineValue: a put is its bytes, whatever they are") {
  CHECK_EQ(Inline(ValueType::kValue, ""), "");
  CHECK_EQ(Inline(ValueType::kValue, "v\0w"sv), "v\0w"sv);
}

TEST_CASE("InlineValue: a put with its time is what is in front of the last eight bytes") {
  CHECK_EQ(Inline(ValueType::kValuePreferredSeqno, "value\x01\x02\x03\x04\x05\x06\x07\x08"),
           "value");
  CHECK_EQ(Inline(ValueType::kValuePreferredSeqno, "12345678"), "");
  CHECK_EQ(Inline(ValueType::kValuePreferredSeqno, "1234567"),
           "corruption: put with write time: 7 bytes are too few for the time");
  CHECK_EQ(InlineValue(ValueType::kValuePreferredSeqno, "").status().code(), Code::kCorruption);
}

TEST_CASE("InlineValue: an entity is its column without a name, empty if it has none") {
  CHECK_EQ(Inline(ValueType::kWideColumnEntity, kEntity), "v");
  CHECK_EQ(Inline(ValueType::kWideColumnEntity,
                  "\x01\x01\x01"
                  "a\x01x"sv),
           "");
  for (size_t size = 0; size < kEntity.size(); ++size) {
    CHECK_EQ(InlineValue(ValueType::kWideColumnEntity, kEntity.substr(0, size)).status().code(),
             Code::kCorruption);
  }
}

TEST_CASE("InlineValue: the result points into what is stored") {
  for (const ValueType type : {ValueType::kValue, ValueType::kValuePreferredSeqno}) {
    const std::string stored = "0123456789";
    CHECK_EQ(InlineValue(type, stored)->data(), stored.data());
  }
  CHECK_EQ(InlineValue(ValueType::kWideColumnEntity, kEntity)->data(),
           kEntity.data() + kEntity.find('v'));
}

TEST_CASE("InlineValue: entries whose value is elsewhere have none here") {
  for (const ValueType type :
       {ValueType::kDeletion, ValueType::kSingleDeletion, ValueType::kRangeDeletion,
        ValueType::kDeletionWithTimestamp, ValueType::kMerge, ValueType::kBlobIndex}) {
    CHECK_EQ(Inline(type, kBlob), "corruption: an entry of type " +
                                      std::to_string(static_cast<int>(type)) +
                                      " where a value is expected");
  }
}

TEST_CASE("CheckStoredValue: an index of a blob must be one, for its key") {
  CHECK(CheckStoredValue("k", ValueType::kBlobIndex, kBlob).ok());
  CHECK_EQ(CheckStoredValue("kk", ValueType::kBlobIndex, kBlob).code(), Code::kCorruption);
  CHECK_EQ(CheckStoredValue("k", ValueType::kBlobIndex, "").code(), Code::kCorruption);
  CHECK_EQ(CheckStoredValue("k", ValueType::kBlobIndex, kBlob.substr(0, 4)).code(),
           Code::kCorruption);
}

TEST_CASE("CheckStoredValue: entities and times are checked, plain bytes may be anything") {
  CHECK(CheckStoredValue("k", ValueType::kWideColumnEntity, kEntity).ok());
  CHECK_FALSE(CheckStoredValue("k", ValueType::kWideColumnEntity, "nonsense").ok());
  CHECK(CheckStoredValue("k", ValueType::kValuePreferredSeqno, "12345678").ok());
  CHECK_FALSE(CheckStoredValue("k", ValueType::kValuePreferredSeqno, "1234567").ok());
  for (const ValueType type : {ValueType::kValue, ValueType::kMerge, ValueType::kDeletion,
                               ValueType::kRangeDeletion, ValueType::kDeletionWithTimestamp}) {
    CHECK(CheckStoredValue("k", type, "\x01\xff nonsense").ok());
  }
}

// Get, iterators and verification must agree: what is read is what was found sound.
TEST_CASE("CheckStoredValue: whatever has an inline value passes the check") {
  uint32_t state = 7;
  for (int i = 0; i < 20'000; ++i) {
    std::string stored(state % 17, '\0');
    for (char& byte : stored) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<char>((state >> 24) % 4);
    }
    state = state * 1664525 + 1013904223;
    for (const ValueType type : kEveryType) {
      if (InlineValue(type, stored).ok()) REQUIRE(CheckStoredValue("k", type, stored).ok());
    }
  }
}

}  // namespace
}  // namespace varve
