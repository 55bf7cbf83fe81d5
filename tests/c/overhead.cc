// SPDX-License-Identifier: Apache-2.0
#include "tests/c/overhead.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "varve/db.h"

namespace {

size_t sum = 0;

void Check(const varve::Status& status) {
  if (status.ok()) return;
  std::printf("%s\n", status.ToString().c_str());
  std::exit(1);
}

// With the copy that a caller of rocksdb_get() gets.
void GetOne(varve::DB& db, const varve::ReadOptions& options, std::string_view key) {
  const auto value = db.Get(options, key);
  Check(value.status());
  const std::string_view view = (*value)->view();
  char* const copy = static_cast<char*>(std::malloc(view.size()));
  std::memcpy(copy, view.data(), view.size());
  sum += view.size();
  std::free(copy);
}

void GetPinnedOne(varve::DB& db, const varve::ReadOptions& options, std::string_view key) {
  const auto value = db.Get(options, key);
  Check(value.status());
  sum += (*value)->view().size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  varve::Options options;
  options.create_if_missing = true;
  options.family.table.filter = varve::FilterKind::kNone;  // RocksDB's default.
  auto opened = varve::DB::Open(options, argv[3]);
  Check(opened.status());
  varve::DB& db = **opened;
  const varve::WriteOptions write;
  const varve::ReadOptions read;
  char key[kKeySize], value[kValueSize];
  const std::string_view key_view(key, kKeySize), value_view(value, kValueSize);
  std::memset(value, 'v', sizeof(value));
  for (unsigned i = 0; i < kRecords; ++i) {
    MakeOverheadKey(key, i);
    Check(db.Put(write, key_view, value_view));
  }
  const std::string_view mode = argv[1];
  if (mode != "put") Check(db.CompactRange({}, {}, {}));
  const auto count = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  for (unsigned i = 0; i < count; ++i) {
    MakeOverheadKey(key, i);
    if (mode == "put") {
      Check(db.Put(write, key_view, value_view));
    } else if (mode == "get_pinned") {
      GetPinnedOne(db, read, key_view);
    } else {
      GetOne(db, read, key_view);
    }
  }
  std::printf("%zu\n", sum);
  return 0;
}
