// SPDX-License-Identifier: Apache-2.0
// OperandList copies the merge operands of one key while an iterator walks over them. Its memory
// is reused from key to key. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace varve {

class OperandList {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }
  void Add(std::string_view operand) {
    bytes_.append(operand);
    ends_.push_back(bytes_.size());
  }
  bool empty() const { return ends_.empty(); }

  // In the order they were added, or reversed. Valid until the next call.
  std::span<const std::string_view> InOrder() {
    views_.clear();
    size_t begin = 0;
    for (const size_t end : ends_) {
      views_.push_back(std::string_view(bytes_).substr(begin, end - begin));
      begin = end;
    }
    return views_;
  }
  std::span<const std::string_view> Reversed() {
    InOrder();
    std::reverse(views_.begin(), views_.end());
    return views_;
  }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;  // Of each operand within bytes_.
  std::vector<std::string_view> views_;
};

}  // namespace varve
