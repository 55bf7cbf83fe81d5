// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/fs/memory_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Several writers at once, with batches small enough to be grouped and large enough to be inserted
// by several threads. A reader checks that each batch is seen whole.
void WriteTogether(size_t value_size) {
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs.get();
  options.family.write_buffer_size = 256 << 10;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  constexpr int kWriters = 4, kBatches = 200;
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0};
  std::thread reader([&] {
    const std::vector<std::string_view> keys = {"a", "b"};
    while (!stop) {
      const auto values = db.MultiGet({}, keys);
      if (!values[0].ok() || !values[1].ok()) {
        ++torn;
      } else if (values[0]->has_value() != values[1]->has_value() ||
                 (values[0]->has_value() && (*values[0])->view() != (*values[1])->view())) {
        ++torn;
      }
    }
  });
  std::atomic<int> failures{0};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kBatches; ++i) {
        const std::string value = std::to_string(w) + ":" + std::to_string(i);
        WriteBatch batch;
        batch.Put("a", value);
        batch.Put("own" + value, std::string(value_size, 'v'));
        batch.Put("b", value);
        if (!db.Write({.durability = Durability(i % 3)}, std::move(batch)).ok()) ++failures;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  reader.join();
  CHECK(failures == 0);
  CHECK(torn == 0);
  CHECK(db.Stats().last_sequence == uint64_t{3} * kWriters * kBatches);
  for (int w = 0; w < kWriters; ++w) {
    for (int i = 0; i < kBatches; ++i) {
      auto value = db.Get({}, "own" + std::to_string(w) + ":" + std::to_string(i));
      REQUIRE(value.ok());
      CHECK(value->has_value());
    }
  }
  opened->reset();
}

TEST_CASE("WriteQueue: many writers' small batches are all there and whole") { WriteTogether(10); }

TEST_CASE("WriteQueue: large groups are inserted by their own writers") { WriteTogether(30000); }

}  // namespace
}  // namespace varve
