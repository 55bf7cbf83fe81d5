// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "varve/option_table.h"

namespace varve {
namespace {

std::string Verdict(const std::function<void(Options&)>& change) {
  Options options;
  change(options);
  return ValidateOptions(options).ToString();
}

TEST_CASE("ValidateOptions: the defaults are valid, with families and chosen options, too") {
  CHECK_EQ(Verdict([](Options&) {}), "ok");
  CHECK_EQ(Verdict([](Options& o) { o.families["a"] = o.families[""] = {}; }), "ok");
  CHECK_EQ(Verdict([](Options& o) { o.chosen = {"write_buffer_size", "max_open_files"}; }), "ok");
}

TEST_CASE("ValidateOptions: an option out of its range is named, with the range") {
  CHECK_EQ(Verdict([](Options& o) { o.family.table.index_type = IndexType::kHash; }),
           "invalid_argument: index_type: expected binary|two_level, not unsupported(1)");
  CHECK_EQ(Verdict([](Options& o) { o.family.num_levels = 65; }),
           "invalid_argument: num_levels: expected 1..64, not \"65\"");
  CHECK_EQ(Verdict([](Options& o) { o.family.num_levels = 0; }),
           "invalid_argument: num_levels: expected 1..64, not \"0\"");
}

TEST_CASE("ValidateOptions: the triggers of level 0 ascend; equal ones are allowed") {
  const auto triggers = [](int compact, int slow, int stop) {
    return Verdict([=](Options& o) {
      o.family.level0_file_num_compaction_trigger = compact;
      o.family.level0_slowdown_writes_trigger = slow;
      o.family.level0_stop_writes_trigger = stop;
    });
  };
  CHECK_EQ(triggers(4, 4, 4), "ok");
  CHECK_EQ(triggers(4, 3, 5),
           "invalid_argument: level0_slowdown_writes_trigger is below "
           "level0_file_num_compaction_trigger");
  CHECK_EQ(triggers(4, 5, 4),
           "invalid_argument: level0_stop_writes_trigger is below level0_slowdown_writes_trigger");
}

TEST_CASE("ValidateOptions: the soft limit of pending bytes is not above the hard one, 0 is none") {
  const auto limits = [](uint64_t soft, uint64_t hard) {
    return Verdict([=](Options& o) {
      o.family.soft_pending_compaction_bytes_limit = soft;
      o.family.hard_pending_compaction_bytes_limit = hard;
    });
  };
  CHECK_EQ(limits(100, 100), "ok");
  CHECK_EQ(limits(100, 0), "ok");
  CHECK_EQ(limits(0, 1), "ok");
  CHECK_EQ(limits(101, 100),
           "invalid_argument: soft_pending_compaction_bytes_limit is above "
           "hard_pending_compaction_bytes_limit");
}

TEST_CASE("ValidateOptions: leveled compaction wants two levels; the other style does with one") {
  const auto one_level = [](CompactionStyle style) {
    return Verdict([=](Options& o) {
      o.family.num_levels = 1;
      o.family.compaction_style = style;
    });
  };
  CHECK_EQ(one_level(CompactionStyle::kLevel),
           "invalid_argument: num_levels must be 2 or more for compaction_style "
           "kCompactionStyleLevel");
  CHECK_EQ(one_level(CompactionStyle::kFifo), "ok");
  CHECK_EQ(one_level(CompactionStyle::kUniversal), "ok");
}

TEST_CASE("ValidateOptions: universal compaction may merge as many runs as it must") {
  const auto widths = [](uint32_t fewest, uint32_t most) {
    return Verdict([=](Options& o) {
      o.family.universal.min_merge_width = fewest;
      o.family.universal.max_merge_width = most;
    });
  };
  CHECK_EQ(widths(4, 4), "ok");
  CHECK_EQ(widths(0, 2), "ok");
  CHECK_EQ(widths(0, 1),
           "invalid_argument: compaction_options_universal.max_merge_width is below "
           "min_merge_width");
  CHECK_EQ(widths(5, 4), widths(0, 1));
}

TEST_CASE("ValidateOptions: partitioned filters want a partitioned index") {
  const auto partitioned = [](IndexType index) {
    return Verdict([=](Options& o) {
      o.family.table.partition_filters = true;
      o.family.table.index_type = index;
    });
  };
  CHECK_EQ(partitioned(IndexType::kTwoLevel), "ok");
  CHECK_EQ(partitioned(IndexType::kBinary),
           "invalid_argument: partition_filters needs index_type kTwoLevelIndexSearch");
}

TEST_CASE("ValidateOptions: a family's defect is said with the family, its name made printable") {
  CHECK_EQ(Verdict([](Options& o) { o.families["m\n"].table.partition_filters = true; }),
           "invalid_argument: column family \"m\\n\": partition_filters needs index_type "
           "kTwoLevelIndexSearch");
  CHECK_EQ(Verdict([](Options& o) { o.families["sound"], o.families["x"].num_levels = 0; }),
           "invalid_argument: column family \"x\": num_levels: expected 1..64, not \"0\"");
}

TEST_CASE("ValidateOptions: what was chosen must be an option") {
  CHECK_EQ(Verdict([](Options& o) { o.chosen = {"write_buffer_size", "tables\t"}; }),
           "invalid_argument: there is no option 'tables\\t'");
}

}  // namespace
}  // namespace varve
