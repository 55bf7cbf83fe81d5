// SPDX-License-Identifier: Apache-2.0
// The program that web/docs/embed.md shows: embedded DIRECTORY.
// #region program
#include <cstdio>
#include <utility>

#include "varve/db.h"

varve::Result<int> CountUsers(varve::DB& db) {
  auto it = db.NewIterator({.prefix = "user:"});
  if (!it.ok()) return it.status();
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  if (!it->status().ok()) return it->status();
  return count;
}

varve::Status Run(const char* directory) {
  auto opened = varve::DB::Open({.create_if_missing = true}, directory);
  if (!opened.ok()) return opened.status();
  varve::DB& db = **opened;

  varve::WriteBatch batch;  // All of it or nothing, also after a crash.
  batch.Put("user:1", "Ada");
  batch.Put("user:2", "Grace");
  batch.DeleteRange("tmp:", "tmp;");
  varve::Status written = db.Write({.durability = varve::Durability::kSync}, std::move(batch));
  if (!written.ok()) return written;

  {
    auto value = db.Get({}, "user:1");  // Pinned, not copied; gone before the database is.
    if (!value.ok()) return value.status();
    if (value->has_value()) std::printf("user:1 is %s\n", (*value)->ToString().c_str());
  }
  auto users = CountUsers(db);
  if (!users.ok()) return users.status();
  std::printf("%d users\n", *users);
  return db.Close();
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  varve::Status status = Run(argv[1]);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());  // Says which file, and where in it.
  return 1;
}
// #endregion program
