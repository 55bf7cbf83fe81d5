// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/commit_order.h"

#include <algorithm>
#include <cstdlib>

namespace varve::simulator {

using mix::Group;
using mix::Moment;
using mix::Operation;
using mix::Trouble;

namespace {

std::string NameOf(size_t writer, uint64_t number) {
  return std::to_string(writer) + ":" + std::to_string(number);
}

}  // namespace

CommitOrder::CommitOrder(std::vector<std::string> lines, Make make)
    : line_of_(std::move(lines)),
      issued_(line_of_.size()),
      acknowledged_(line_of_.size()),
      durable_(line_of_.size()),
      before_(line_of_.size()),
      make_(std::move(make)) {
  for (const std::string& family : line_of_) longest_[family];
}

Group CommitOrder::Issue(size_t writer) {
  before_[writer].push_back(acknowledged_);
  const uint64_t number = ++issued_[writer];
  Group group = make_(writer, number);
  group.push_back({Operation::Kind::kMerge, line_of_[writer], kKey, NameOf(writer, number)});
  return group;
}

void CommitOrder::Acknowledge(size_t writer, bool durable) {
  acknowledged_[writer] = issued_[writer];
  if (!durable) return;
  Durable(before_[writer].back());  // What was acknowledged came before it, and is durable with it.
  durable_[writer] = issued_[writer];
}

void CommitOrder::Durable(const Progress& then) {
  for (size_t i = 0; i < durable_.size(); ++i) durable_[i] = std::max(durable_[i], then[i]);
}

Trouble CommitOrder::Check(const Moment& found, const Progress& at_least, const Progress& at_most) {
  Lines lines;
  Progress counts(issued_.size());
  for (const auto& [family, longest] : longest_) {
    Line& line = lines[family];
    const auto contents = found.find(family);
    if (contents == found.end()) continue;
    const auto at = contents->second.find(kKey);
    if (at == contents->second.end()) continue;
    if (Trouble trouble = Parse(at->second, &line); !trouble.empty()) return trouble;
    if (Trouble trouble = CheckNames(family, line, at_most); !trouble.empty()) return trouble;
    for (const auto& [writer, number] : line) counts[writer] = number;
  }
  for (const auto& [family, line] : lines) {
    if (Trouble trouble = CheckLine(family, line, counts); !trouble.empty()) return trouble;
  }
  if (Trouble trouble = CheckCounts(counts, at_least); !trouble.empty()) return trouble;
  for (const auto& [family, line] : lines) {
    if (Trouble trouble = CompareWithSeen(family, line); !trouble.empty()) return trouble;
  }
  return CheckContents(lines, found);
}

Trouble CommitOrder::CheckAlone(const std::string& family, const std::optional<std::string>& found,
                                const Progress& at_least, const Progress& at_most) {
  Line line;
  if (found) {
    if (Trouble trouble = Parse(*found, &line); !trouble.empty()) return trouble;
  }
  if (Trouble trouble = CheckNames(family, line, at_most); !trouble.empty()) return trouble;
  Progress counts = at_most;  // Of other lines, all may be there.
  for (size_t i = 0; i < counts.size(); ++i) {
    if (line_of_[i] == family) counts[i] = 0;
  }
  for (const auto& [writer, number] : line) counts[writer] = number;
  if (Trouble trouble = CheckLine(family, line, counts); !trouble.empty()) return trouble;
  if (Trouble trouble = CheckCounts(counts, at_least); !trouble.empty()) return trouble;
  return CompareWithSeen(family, line);
}

Trouble CommitOrder::Parse(const std::string& text, Line* line) {
  for (const char* at = text.c_str();;) {
    char* end = nullptr;
    const uint64_t writer = std::strtoull(at, &end, 10);
    if (end == at || *end != ':') return "has an order that is none: " + text;
    at = end + 1;
    const uint64_t number = std::strtoull(at, &end, 10);
    if (end == at || (*end != ',' && *end != '\0')) return "has an order that is none: " + text;
    line->emplace_back(writer, number);
    if (*end == '\0') return {};
    at = end + 1;
  }
}

// Each was issued, and those of a writer are in order.
Trouble CommitOrder::CheckNames(const std::string& family, const Line& line,
                                const Progress& at_most) const {
  Progress seen(issued_.size());
  for (const auto& [writer, number] : line) {
    const std::string name = "commit " + NameOf(writer, number);
    if (writer >= seen.size() || line_of_[writer] != family || number == 0 ||
        number > at_most[writer]) {
      return "has " + name + " that was not issued";
    }
    if (number <= seen[writer]) return "has " + name + " too late or twice";
    seen[writer] = number;
  }
  return {};
}

// `seen`: of other lines, all that is there.
Trouble CommitOrder::CheckLine(const std::string& family, const Line& line, Progress seen) const {
  for (size_t i = 0; i < seen.size(); ++i) {
    if (line_of_[i] == family) seen[i] = 0;
  }
  for (const auto& [writer, number] : line) {
    const Progress& before = before_[writer][number - 1];
    for (size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] >= before[i]) continue;
      return "has commit " + NameOf(writer, number) + " without the earlier " +
             NameOf(i, before[i]);
    }
    seen[writer] = number;
  }
  return {};
}

Trouble CommitOrder::CheckCounts(const Progress& counts, const Progress& at_least) {
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < at_least[i]) return "lost commit " + NameOf(i, at_least[i]);
  }
  return {};
}

Trouble CommitOrder::CompareWithSeen(const std::string& family, const Line& line) {
  Line& longest = longest_[family];
  for (size_t i = 0; i < std::min(line.size(), longest.size()); ++i) {
    if (line[i] == longest[i]) continue;
    return "has commit " + NameOf(line[i].first, line[i].second) + " where " +
           NameOf(longest[i].first, longest[i].second) + " was seen before";
  }
  if (line.size() > longest.size()) longest = line;
  return {};
}

Trouble CommitOrder::CheckContents(const Lines& lines, const Moment& found) const {
  Moment expected;
  for (const auto& [family, line] : lines) {
    for (const auto& [writer, number] : line) {
      for (const Operation& op : make_(writer, number)) mix::Apply(op, &expected);
    }
  }
  for (const auto& [family, should] : expected) {
    if (!should.empty() && !found.contains(family)) return "lacks the family " + family;
  }
  for (const auto& [family, contents] : found) {
    const auto& should = expected[family];
    const bool has_line = lines.contains(family);
    for (const auto& [key, value] : contents) {
      if (has_line && key == kKey) continue;
      const auto at = should.find(key);
      if (at == should.end()) return "has key " + key + " of " + family + ", which was deleted";
      if (at->second != value) {
        return "has the wrong value of " + key + " of " + family + ": " + value + ", not " +
               at->second;
      }
    }
    for (const auto& [key, value] : should) {
      if (!contents.contains(key)) return "lacks key " + key + " of " + family;
    }
  }
  return {};
}

}  // namespace varve::simulator
