// SPDX-License-Identifier: Apache-2.0
// Which operations of a list that is drawn from a seed are done: the first of --ops=N, or those of
// --keep=1-4,9,17, to which a failure is shrunk (scripts/repro.sh --shrink).
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace varve::replay {

class Kept {
 public:
  // The operations before `ops`.
  explicit Kept(uint64_t ops) {
    if (ops > 0) ranges_.push_back({0, ops - 1});
  }
  // --keep=LIST of the arguments; without it the operations before `ops`.
  Kept(int argc, char** argv, uint64_t ops) : Kept(ops) {
    constexpr std::string_view kName = "--keep=";
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]).starts_with(kName)) {
        ranges_.clear();
        Parse(std::string_view(argv[i]).substr(kName.size()));
      }
    }
  }

  // Whether the list can be read, ascending. Else nothing else may be asked.
  bool ok() const { return ok_; }

  bool Has(uint64_t operation) const {
    for (const Range& range : ranges_) {
      if (operation <= range.last) return operation >= range.first;
    }
    return false;
  }
  // Of this one and all behind it, none is kept.
  uint64_t end() const { return ranges_.empty() ? 0 : ranges_.back().last + 1; }

  // Those of them before `end`.
  Kept Before(uint64_t end) const {
    Kept result = *this;
    std::erase_if(result.ranges_, [&](const Range& range) { return range.first >= end; });
    if (result.end() > end) result.ranges_.back().last = end - 1;
    return result;
  }

  // As --keep= takes it.
  std::string List() const {
    std::string list;
    for (const auto& [first, last] : ranges_) {
      list += (list.empty() ? "" : ",") + std::to_string(first);
      if (last > first) list += "-" + std::to_string(last);
    }
    return list;
  }
  // The option that says so.
  std::string Option() const {
    const bool all = ranges_.empty() || (ranges_.size() == 1 && ranges_.front().first == 0);
    return all ? "--ops=" + std::to_string(end()) : "--keep=" + List();
  }

 private:
  struct Range {
    uint64_t first, last;
  };

  void Parse(std::string_view list) {
    const char* at = list.data();
    const char* const end = at + list.size();
    const auto number = [&](uint64_t* value) {
      const auto [after, error] = std::from_chars(at, end, *value);
      at = after;
      return error == std::errc();
    };
    while (ok_) {
      Range range = {};
      ok_ = number(&range.first);
      range.last = range.first;
      if (ok_ && at != end && *at == '-') ok_ = (++at, number(&range.last));
      ok_ = ok_ && range.first <= range.last && (ranges_.empty() || range.first >= this->end());
      if (ok_) ranges_.push_back(range);
      if (at == end) return;
      if (*at++ != ',') ok_ = false;
    }
  }

  std::vector<Range> ranges_;
  bool ok_ = true;
};

}  // namespace varve::replay
