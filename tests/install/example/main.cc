// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's, with everything that an installed Varve offers: example DIRECTORY.
// It derives from what may be derived from: that needs type information, which core/ has not.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/block_cache.h"
#include "varve/db.h"
#include "varve/option_table.h"
#include "varve/sst_file_writer.h"
#include "varve/version.h"

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "example: %s does not hold\n", what);
  std::exit(1);
}
#define REQUIRE(condition) Require((condition), #condition)

void Require(const varve::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "example: %s\n", status.ToString().c_str());
  std::exit(1);
}

// Shorter keys first.
class ByLength : public varve::Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
  }
  std::string_view name() const override { return "example.ByLength"; }
};

class Longest : public varve::MergeOperator {
 public:
  std::string_view name() const override { return "example.Longest"; }
  varve::Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                                   std::span<const std::string_view> operands) const override {
    std::string longest(base.value_or(""));
    for (std::string_view operand : operands) {
      if (operand.size() > longest.size()) longest = operand;
    }
    return longest;
  }
  std::optional<std::string> Combine(std::string_view,
                                     std::span<const std::string_view>) const override {
    return std::nullopt;
  }
};

class StoppedClock : public varve::Clock {
 public:
  uint64_t NowMicros() override { return ++micros_; }
  uint64_t UnixMicros() override { return ++micros_; }

 private:
  std::atomic<uint64_t> micros_ = 1'000'000;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string directory = argv[1];
  REQUIRE(varve::LibraryVersion() == VARVE_VERSION);

  const ByLength order;
  const Longest longest;
  StoppedClock clock;
  varve::Options options;
  options.env = varve::NativeEnvironment();
  options.env.clock = &clock;
  options.create_if_missing = true;
  options.block_cache = varve::NewBlockCache(8 << 20);
  options.family.merge_operator = &longest;
  Require(varve::ValidateOptions(options));
  REQUIRE(varve::FindOption("block_size") != nullptr);

  auto opened = varve::DB::Open(options, directory + "/db");
  Require(opened.status());
  varve::DB& db = **opened;
  auto family = db.CreateColumnFamily("lengths", {.comparator = &order});
  Require(family.status());
  for (const char* key : {"ccc", "a", "bb"}) {
    Require(db.Put({}, key, "value"));
    Require(db.Put({.durability = varve::Durability::kSync}, key, key, *family));
  }
  Require(db.Delete({}, "bb"));
  Require(db.Merge({}, "a", "longer than value"));
  varve::WriteBatch batch;
  batch.Put("d", "4");
  batch.DeleteRange("cc", "cd");
  Require(db.Write({}, std::move(batch)));
  Require(db.Flush());

  auto value = db.Get({}, "a");
  Require(value.status());
  REQUIRE(value->has_value() && (*value)->view() == "longer than value");
  const std::vector<std::string_view> keys = {"a", "bb", "ccc", "d"};
  const auto values = db.MultiGet({}, keys);
  REQUIRE((*values[0]).has_value() && !(*values[1]).has_value());
  REQUIRE(!(*values[2]).has_value() && (*values[3])->view() == "4");

  {
    auto it = db.NewIterator({}, *family);
    Require(it.status());
    std::string seen;
    for (it->SeekToFirst(); it->Valid(); it->Next()) seen += std::string(it->key()) + " ";
    Require(it->status());
    REQUIRE(seen == "a bb ccc ");
  }

  auto writer = varve::SstFileWriter::Create(options.env, {}, directory + "/new.sst");
  Require(writer.status());
  Require(writer->Put("e", "5"));
  Require(writer->Finish());
  Require(db.Ingest({}, {directory + "/new.sst"}));
  REQUIRE((*db.Get({}, "e"))->ToString() == "5");
  {
    const varve::Snapshot snapshot = db.GetSnapshot();
    Require(db.Delete({}, "e"));
    REQUIRE((*db.Get({.snapshot = &snapshot}, "e")).has_value());
  }
  const varve::DbStats stats = db.Stats();
  REQUIRE(stats.block_cache_capacity == options.block_cache->capacity());
  REQUIRE(stats.block_cache_bytes == options.block_cache->usage());
  const varve::Status refused = varve::DB::Open({}, directory + "/nowhere").status();
  REQUIRE(refused.code() == varve::Code::kNotFound &&
          varve::CodeName(refused.code()) == "not_found");
  Require(db.Close());
  std::puts("example: all as it should be");
  return 0;
}
