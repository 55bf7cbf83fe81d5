// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/small_database.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/fuzz/target.h"
#include "varve/db.h"
#include "varve/merge_operator.h"

namespace varve::fuzz {
namespace {

// Nothing of it differs from run to run.
class FixedRandom final : public Random {
 public:
  uint64_t Next64() override { return next_ += 0x9E3779B97F4A7C15; }

 private:
  uint64_t next_ = 1;
};

void PutSome(DB& db, ColumnFamilyId family, int from, int to) {
  for (int i = from; i < to; ++i) {
    MustBeOk(db.Put({}, "key" + std::to_string(1000 + i), std::string(10 + i % 7, 'v'), family),
             "put");
  }
}

}  // namespace

void MakeSmallDatabase(const Environment& environment, const std::string& path) {
  FixedRandom random;
  Options options;
  options.env = environment;
  options.env.random = &random;
  options.create_if_missing = true;
  options.family.merge_operator = MergeOperatorByName("stringappend");
  options.family.table.block_size = 200;
  auto opened = DB::Open(options, path);
  MustBeOk(opened.status(), path);
  DB& db = **opened;
  const auto users = db.CreateColumnFamily("users", options.family);
  MustBeOk(users.status(), "users");
  PutSome(db, kDefaultColumnFamilyId, 0, 40);
  PutSome(db, *users, 10, 20);
  MustBeOk(db.FlushAll(), "flush");
  MustBeOk(db.CompactRange({}, std::nullopt, std::nullopt), "compact");
  PutSome(db, kDefaultColumnFamilyId, 20, 60);
  WriteBatch batch;
  batch.DeleteRange("key1005", "key1010");
  batch.Merge("key1001", "more");
  MustBeOk(db.Write({}, std::move(batch)), "write");
  MustBeOk(db.Flush(), "flush");
  PutSome(db, kDefaultColumnFamilyId, 55, 65);  // In the log.
  MustBeOk(db.Close(), "close");
}

}  // namespace varve::fuzz
