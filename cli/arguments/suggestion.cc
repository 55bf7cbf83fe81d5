// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/suggestion.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace varve::cli {
namespace {

// Words may be of any length, candidates are not longer than this.
constexpr size_t kWordSizeMax = 64;

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Counts insertions, deletions, substitutions and transpositions; ignores case and - versus _.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last, row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  const auto same = [](char x, char y) {
    const auto plain = [](char c) { return c == '_' ? '-' : Lower(c); };
    return plain(x) == plain(y);
  };
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t cost = same(a[i - 1], b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row.back();
}

// Maximum distance for a word of that length. Two slips in four letters make another word: "tcsh"
// is not a mistyped "bash".
size_t SlipsMax(size_t size) { return size <= 4 ? 1 : size <= 6 ? 2 : 3; }

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() < 2 || word.size() > kWordSizeMax) return "";
  std::string nearest;
  size_t best = SlipsMax(word.size()) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = Distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty()) return nearest;
  // Otherwise the shortest candidate of which the word is a part.
  constexpr size_t kPartSizeMin = 3;
  for (const std::string& candidate : candidates) {
    const size_t at = candidate.find(word);
    if (at == std::string::npos || (at > 0 && word.size() < kPartSizeMin)) continue;
    if (nearest.empty() || candidate.size() < nearest.size()) nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = Nearest(word, candidates);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace varve::cli
