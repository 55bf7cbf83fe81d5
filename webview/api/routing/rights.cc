// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/rights.h"

#include <algorithm>

#include "core/base/text/literal.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::api {
namespace {

constexpr std::string_view kRead = "read:", kWrite = "write:", kAll = "*";

// Such that neither a space nor what has a meaning here is in it.
std::string Word(std::string_view name) {
  std::string word;
  for (const char c : EscapeForDisplay(name)) {
    if (c == ' ') {
      word += "\\x20";
    } else {
      word += c;
    }
  }
  return word == kAll ? "\\x2a" : word;
}

Result<std::string> NameOf(std::string_view word) {
  if (word == kAll) {
    return Status::InvalidArgument("* stands alone: all of a target is TARGET, without a family");
  }
  ASSIGN_OR_RETURN(std::string name, Unescape(word));
  if (!name.empty()) return name;
  return Status::InvalidArgument("a right names a target, or a family behind '/'");
}

}  // namespace

bool Right::Covers(const Right& needed) const {
  return access >= needed.access && (target.empty() || target == needed.target) &&
         (!family || family == needed.family);
}

std::string Right::ToText() const {
  std::string text(access == Access::kWrite ? kWrite : kRead);
  text += target.empty() ? std::string(kAll) : Word(target);
  if (family) text += "/" + Word(*family);
  return text;
}

Result<Right> Right::FromText(std::string_view text) {
  Right right;
  if (text.starts_with(kWrite)) {
    right.access = Access::kWrite;
    text.remove_prefix(kWrite.size());
  } else if (text.starts_with(kRead)) {
    text.remove_prefix(kRead.size());
  } else {
    return Status::InvalidArgument("a right is read:… or write:… of *, TARGET or TARGET/FAMILY");
  }
  if (text == kAll) return right;
  const size_t slash = text.find('/');
  ASSIGN_OR_RETURN(right.target, NameOf(text.substr(0, slash)));
  if (slash == std::string_view::npos) return right;
  ASSIGN_OR_RETURN(right.family, NameOf(text.substr(slash + 1)));
  return right;
}

bool Rights::Have(const Right& needed) const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const Right& right) { return right.Covers(needed); });
}

bool Rights::Have(const std::vector<Right>& needed) const {
  return std::all_of(needed.begin(), needed.end(), [&](const Right& right) { return Have(right); });
}

bool Rights::HaveSomeOf(Access access, std::string_view target) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Right& right) {
    return right.access >= access && (right.target.empty() || right.target == target);
  });
}

}  // namespace varve::api
