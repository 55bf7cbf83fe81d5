// SPDX-License-Identifier: Apache-2.0
// What a user may do, by part. Pure.
//
//   read:*               everything that is served
//   write:orders         the target that is shown as "orders", to change it and to read it
//   read:stock/default   the column family "default" of the target "stock"
//
// What no right covers, one may not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"

namespace varve::api {

enum class Access : uint8_t { kRead, kWrite };  // Who may write may read.

// What somebody has, or what a request needs.
struct Right {
  Access access = Access::kRead;
  std::string target = {};                 // Its name; empty: every one.
  std::optional<std::string> family = {};  // Nullopt: all of the target.

  bool Covers(const Right& needed) const;
  // One word, with escapes where a name has spaces or bytes that cannot be shown.
  std::string ToText() const;
  static Result<Right> FromText(std::string_view text);
  bool operator==(const Right&) const = default;
};

class Rights {
 public:
  Rights() = default;  // None.
  explicit Rights(std::vector<Right> list) : list_(std::move(list)) {}
  static Rights All() { return Rights({{.access = Access::kWrite}}); }

  const std::vector<Right>& list() const { return list_; }
  // One of them covers all that is needed.
  bool Have(const Right& needed) const;
  bool Have(const std::vector<Right>& needed) const;
  // For the target, or for a family of it.
  bool HaveSomeOf(Access access, std::string_view target) const;
  bool operator==(const Rights&) const = default;

 private:
  std::vector<Right> list_;
};

}  // namespace varve::api
