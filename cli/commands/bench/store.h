// SPDX-License-Identifier: Apache-2.0
// Store is a key-value store as the workloads see it, so that one operation stream drives any of
// them. Each executable has one kind: `varve` the engine (varve_store.cc), the varve-bench-*
// executables another library (peers/). A call costs each of them the same virtual call.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cli/commands/bench/result.h"
#include "cli/commands/bench/settings.h"
#include "core/base/hash/hash.h"
#include "varve/result.h"

namespace varve::cli::bench {

// The result of reads. The bytes of values are only read if the answers of stores are compared.
struct ReadCount {
  bool summed = false;
  uint64_t found = 0, bytes = 0;
  uint64_t checksum = 0;  // Of keys and values in the order of the answers, if `summed`.

  // One of a scan, which has the bytes of the key as well.
  void AddRecord(std::string_view key, std::string_view value) {
    bytes += key.size();
    Add(key, value);
  }
  void Add(std::string_view key, std::string_view value) {
    ++found;
    bytes += value.size();
    if (summed) Sum(key, value);
  }
  void Sum(std::string_view key, std::string_view value) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    checksum = (checksum * kOdd + Xxh3_64(key)) * kOdd + Xxh3_64(value);
  }
};

// The records in order. One thread; does not outlive its store.
class StoreScan {
 public:
  virtual ~StoreScan() = default;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view key) = 0;
  virtual void Next() = 0;  // Requires Valid().
  virtual void Prev() = 0;  // Requires Valid().
  virtual Status status() const = 0;
  // Counts at most so many records from the current one on, and moves behind them. Requires
  // Valid(). A store that has batches for this takes them.
  virtual void Take(size_t most, ReadCount* count) {
    for (; most > 0 && Valid(); --most, Next()) count->AddRecord(key(), value());
  }

  bool Valid() const { return valid_; }
  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }

 protected:
  // Call at the end of every move.
  void Show(bool valid, std::string_view key, std::string_view value) {
    valid_ = valid;
    key_ = key;
    value_ = value;
  }

 private:
  bool valid_ = false;
  std::string_view key_, value_;
};

// Thread-safe.
class Store {
 public:
  using Record = std::pair<std::string_view, std::string_view>;

  virtual ~Store() = default;
  virtual Status Put(std::string_view key, std::string_view value) = 0;
  virtual Status PutMany(std::span<const Record> records) = 0;  // At once.
  virtual Status Delete(std::string_view key) = 0;
  virtual Status Get(std::string_view key, ReadCount* count) = 0;
  virtual Status MultiGet(std::span<const std::string_view> keys, ReadCount* count) = 0;
  virtual Result<std::unique_ptr<StoreScan>> NewScan() = 0;
  virtual Status Flush() = 0;
  virtual Status Compact() = 0;
  virtual Status WaitForBackgroundWork() = 0;

  virtual bool empty() const = 0;       // Has nothing ever been written?
  virtual TreeState State() const = 0;  // As far as the store tells.
  virtual DB* database() {
    return nullptr;
  }  // The open database of the engine, for --serve; null for other stores.
  virtual Status Close() = 0;  // No call follows.
};

// The kind that this executable measures: its name and version, and how one is opened in
// settings.directory with settings.options.
std::string StoreName();
bool HasOwnOptions();  // Takes settings.peer_options, as far as it knows them.
Result<std::unique_ptr<Store>> OpenStore(const Settings& settings);

}  // namespace varve::cli::bench
