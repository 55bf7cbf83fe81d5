// SPDX-License-Identifier: Apache-2.0
// Value is a value read from the database: bytes and what pins them in memory.
//
// Reads do not copy: the bytes point into a cached block or a memtable, which the pin keeps alive
// as long as the Value. Holding many Values therefore keeps many blocks in memory.
// Thread-compatible.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace varve {

// Bytes and the pin that keeps them in memory. Copies share both and are cheap. A moved-from Value
// must not be read. Destroy it before the DB that it was read from.
class Value {
 public:
  Value() = default;  // Empty.
  // `bytes` must stay valid while `pin` lives.
  Value(std::string_view bytes, std::shared_ptr<const void> pin)
      : bytes_(bytes), pin_(std::move(pin)) {}
  // Owns its bytes, e.g. the result of a merge operator.
  explicit Value(std::string owned) {
    auto copy = std::make_shared<const std::string>(std::move(owned));
    bytes_ = *copy;
    pin_ = std::move(copy);
  }

  // The bytes; valid while this Value, or a copy of it, lives.
  std::string_view view() const { return bytes_; }
  // Reduces the value to `part`, which must lie within view().
  void Narrow(std::string_view part) { bytes_ = part; }
  // A copy of the bytes.
  std::string ToString() const { return std::string(bytes_); }

 private:
  std::string_view bytes_;
  std::shared_ptr<const void> pin_;
};

}  // namespace varve
