// SPDX-License-Identifier: Apache-2.0
// RocksDB (Debian's librocksdb 7.8.3, built with assertions) as an engine of the mix.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "tests/mix/database.h"

namespace varve::interop {

class RocksDbKind : public mix::EngineKind {
 public:
  RocksDbKind();
  ~RocksDbKind() override;

  std::string_view name() const override { return "rocksdb"; }
  std::string DrawOptions(mix::Dice* dice) override;
  mix::Trouble Open(const std::string& path, const std::set<std::string>& families,
                    std::unique_ptr<mix::Database>* database) override;
  mix::Trouble OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                            std::unique_ptr<mix::Database>* database) override;
  void Remove(const std::string& path) override;

  bool has_prefix_cursors() const override { return false; }  // Without an extractor.
  bool has_cursors_that_outlive_snapshots() const override { return false; }
  bool refreshes_cursors_of_snapshots() const override { return false; }
  bool reads_beside_writers() const override { return false; }

 private:
  struct Drawn;
  std::unique_ptr<Drawn> drawn_;
};

}  // namespace varve::interop
