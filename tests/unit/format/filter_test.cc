// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/filter.h"

#include <doctest/doctest.h>

#include "core/format/table/prefix_extractor.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

FilterProbe::Kind KindOf(const std::string& filter) { return FilterProbe::Parse(filter).kind(); }

std::string WithTrailer(size_t size, std::string_view trailer) {
  return std::string(size, '\0').append(trailer);
}

}  // namespace

TEST_CASE("Filter: the trailer selects the kind, and unknown kinds answer maybe") {
  using Kind = FilterProbe::Kind;
  CHECK(KindOf("") == Kind::kNever);
  CHECK(KindOf(std::string(5, '\0')) == Kind::kNever);
  CHECK(KindOf(std::string(6, '\0')) == Kind::kAlways);
  CHECK(KindOf(WithTrailer(64, {"\xFF\0\6\0\0", 5})) == Kind::kFastLocalBloom);
  CHECK(KindOf(WithTrailer(64, {"\xFF\1\6\0\0", 5})) == Kind::kAlways);    // Other Bloom.
  CHECK(KindOf(WithTrailer(64, {"\xFF\0\x26\0\0", 5})) == Kind::kAlways);  // Other lines.
  CHECK(KindOf(WithTrailer(64, {"\xFF\0\0\0\0", 5})) == Kind::kAlways);    // No probes.
  CHECK(KindOf(WithTrailer(64, {"\xFF\0\x1F\0\0", 5})) == Kind::kAlways);  // 31 probes.
  CHECK(KindOf(WithTrailer(64, {"\xFF\0\6\0\1", 5})) == Kind::kAlways);
  CHECK(KindOf(WithTrailer(65, {"\xFF\0\6\0\0", 5})) == Kind::kAlways);  // Half a line.
  CHECK(KindOf(WithTrailer(64, {"\6\1\0\0\0", 5})) == Kind::kLegacyBloom);
  CHECK(KindOf(WithTrailer(64, {"\6\0\0\0\0", 5})) == Kind::kAlways);  // No lines.
  CHECK(KindOf(WithTrailer(96, {"\6\1\0\0\0", 5})) == Kind::kAlways);  // Line of 96.
  CHECK(KindOf(WithTrailer(64, {"\6\xFF\xFF\xFF\xFF", 5})) == Kind::kAlways);
  CHECK(KindOf(WithTrailer(64, {"\xFE\0\2\0\0", 5})) == Kind::kRibbon);
  CHECK(KindOf(WithTrailer(64, {"\xFE\0\1\0\0", 5})) == Kind::kAlways);
  CHECK(KindOf(WithTrailer(64, {"\xFD\0\2\0\0", 5})) == Kind::kAlways);
}

TEST_CASE("Filter: a default probe answers maybe and an empty filter no") {
  CHECK(FilterProbe().MayMatch(123));
  CHECK_FALSE(FilterProbe::Parse("").MayMatch(123));
}

TEST_CASE("Filter: every key of every fixture may match, by its own trailer's rules") {
  for (const char* name :
       {"r119_cksum_none_fv6.sst", "r119_cksum_xxhash64_fv7.sst", "r78_filter_bloom4_bpk45.sst",
        "r78_filter_bloom4_binary_keys.sst", "r78_filter_bloom5_binary_keys.sst",
        "r78_filter_ribbon_binary_keys.sst", "r78_filter_ribbon_bpk30_n2000.sst"}) {
    const TableFile table(name);
    const ExactBytes filter(table.Filter());
    const FilterProbe probe = FilterProbe::Parse(filter.view());
    REQUIRE(probe.kind() != FilterProbe::Kind::kAlways);
    size_t passed = 0;
    for (const std::string& key : table.UserKeys()) {
      const uint64_t hash = probe.Hash(key);
      probe.Prefetch(hash);
      CHECK_MESSAGE(probe.MayMatch(hash), std::string(name));
    }
    for (int i = 0; i < 1000; ++i) {
      passed += probe.MayMatch(probe.Hash("absent" + std::to_string(i))) ? 1 : 0;
    }
    CHECK_MESSAGE(passed < 30, std::string(name));
  }
}

TEST_CASE("Filter: prefixes are asked for as the table's extractor makes them") {
  for (const char* name : {"r78_filter_prefix_only.sst", "r78_filter_capped_prefix.sst"}) {
    const TableFile table(name);
    const auto extractor = PrefixExtractor::FromName(table.properties().prefix_extractor);
    REQUIRE(extractor.has_value());
    const std::string filter = table.Filter();
    const FilterProbe probe = FilterProbe::Parse(filter);
    for (const std::string& key : table.UserKeys()) {
      const auto prefix = extractor->Prefix(key);
      if (prefix.has_value()) CHECK(probe.MayMatch(probe.Hash(*prefix)));
      if (table.properties().whole_key_filtering) CHECK(probe.MayMatch(probe.Hash(key)));
    }
  }
}

TEST_CASE("Filter: every key may match in the partition that its index leads to") {
  for (const char* name : {"r78_part_filter_fv5.sst", "r119_part_filter_fv7_decoupled.sst",
                           "r119_part_filter_fv3_decoupled.sst"}) {
    const TableFile table(name);
    const auto entry = FindFilter(table.metaindex());
    REQUIRE(entry.has_value());
    REQUIRE(entry->kind == FilterEntry::Kind::kPartitioned);
    REQUIRE(table.properties().index_key_is_user_key);
    const auto partitions = table.IndexEntries(entry->handle);
    REQUIRE(partitions.size() > 3);
    size_t at = 0;
    std::string filter = table.Block(partitions[0].handle);
    for (const std::string& key : table.UserKeys()) {
      while (at + 1 < partitions.size() && partitions[at].key < key) {
        filter = table.Block(partitions[++at].handle);
      }
      const FilterProbe probe = FilterProbe::Parse(filter);
      CHECK_MESSAGE(probe.MayMatch(probe.Hash(key)), std::string(name));
    }
    CHECK(at == partitions.size() - 1);
  }
}

TEST_CASE("Filter: the builder ignores equal neighbours, and is empty after Finish()") {
  FilterBuilder builder({.kind = FilterKind::kBloom, .bits_per_key = 10});
  CHECK(builder.empty());
  CHECK(builder.Finish().empty());
  for (const char* key : {"a", "a", "b", "a"}) builder.AddKey(key);
  CHECK(builder.entries() == 3);
  const std::string filter = builder.Finish();
  CHECK(filter.size() == 69);
  CHECK(builder.empty());
  builder.AddKey("a");
  CHECK(builder.entries() == 1);
}

TEST_CASE("Filter: kind none and too few bits disable the builder") {
  CHECK(FilterBuilder({.kind = FilterKind::kNone}).disabled());
  CHECK(FilterBuilder({.kind = FilterKind::kBloom, .bits_per_key = 0}).disabled());
  CHECK(FilterBuilder({.kind = FilterKind::kRibbon, .bits_per_key = 0.4}).disabled());
  CHECK_FALSE(FilterBuilder({.kind = FilterKind::kRibbon, .bits_per_key = 1}).disabled());
}

TEST_CASE("Filter: as many keys as are said to fit do fit, and hardly more") {
  for (const FilterKind kind : {FilterKind::kBloom, FilterKind::kRibbon}) {
    for (const uint32_t version : {4u, 5u}) {
      FilterBuilder builder({.kind = kind, .bits_per_key = 10, .format_version = version});
      const uint64_t count = builder.ApproximateNumEntries(4096);
      REQUIRE(count > 3000);
      for (uint64_t i = 0; i < count; ++i) builder.AddKey("key" + std::to_string(i));
      const uint64_t estimate = builder.EstimatedSize();
      const uint64_t size = builder.Finish().size();
      CHECK(size <= 4096 + 64);  // The legacy Bloom rounds to an odd number of lines.
      CHECK(size > 3900);
      CHECK(estimate + 128 >= size);
      CHECK(builder.ApproximateNumEntries(0) == 0);
    }
  }
}

}  // namespace varve
