// SPDX-License-Identifier: Apache-2.0
#include "tests/interop/reading.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/text/text.h"
#include "core/inspect/stored_order.h"
#include "varve/environment.h"

namespace varve::interop {

using mix::Contents;
using mix::Moment;
using mix::Operation;
using mix::Trouble;

namespace {

Trouble Scan(mix::Database* database, const std::string& family, Contents* contents) {
  std::unique_ptr<mix::Cursor> cursor;
  if (Trouble trouble = database->NewCursor(family, {}, nullptr, &cursor); !trouble.empty()) {
    return trouble;
  }
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    contents->emplace(cursor->key(), cursor->value());
  }
  if (!cursor->trouble().empty()) return cursor->trouble();
  auto at = contents->rbegin();
  for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev(), ++at) {
    const bool same =
        at != contents->rend() && cursor->key() == at->first && cursor->value() == at->second;
    if (!same) return family + " is another backwards";
  }
  if (!cursor->trouble().empty()) return cursor->trouble();
  return at == contents->rend() ? "" : family + " is another backwards";
}

Trouble GetAll(mix::Database* database, const std::string& family, const Contents& contents,
               const Contents& right) {
  std::set<std::string> keys;
  for (const Contents* some : {&contents, &right}) {
    for (const auto& [key, value] : *some) keys.insert(key);
  }
  for (const std::string& key : keys) {
    std::optional<std::string> answer;
    if (Trouble trouble = database->Get(family, key, nullptr, &answer); !trouble.empty()) {
      return trouble;
    }
    const auto scanned = contents.find(key);
    const bool same = scanned == contents.end() ? !answer.has_value() : answer == scanned->second;
    if (!same) return family + ": get and scan differ about " + EscapeForDisplay(key);
  }
  return {};
}

// What a family has stored, and what that comes to.
class Stored {
 public:
  explicit Stored(mix::Order order) : order_(order) {}

  void Add(const StoredEntry& entry) {
    if (entry.type == "range_delete") {
      ranges_.push_back({std::string(entry.key), std::string(entry.value), entry.sequence});
    } else {
      versions_[std::string(entry.key)].push_back(
          {entry.sequence, std::string(entry.type), std::string(entry.value)});
    }
  }

  Contents Newest() {
    Contents contents(order_);
    for (auto& [key, versions] : versions_) {
      std::ranges::stable_sort(versions, std::greater(), &Version::sequence);
      if (auto value = ValueOf(key, versions)) contents.emplace(key, *std::move(value));
    }
    return contents;
  }

 private:
  struct Version {
    Sequence sequence = 0;
    std::string type, value;
  };
  struct Range {
    std::string begin, end;
    Sequence sequence = 0;
  };

  bool IsDeleted(const std::string& key, const Version& version) const {
    return version.type.ends_with("delete") ||
           std::ranges::any_of(ranges_, [&](const Range& range) {
             return range.sequence > version.sequence && !order_(key, range.begin) &&
                    order_(key, range.end);
           });
  }

  std::optional<std::string> ValueOf(const std::string& key,
                                     const std::vector<Version>& versions) const {
    std::optional<std::string> value;
    for (const Version& version : versions) {
      if (IsDeleted(key, version)) break;
      value = value.has_value() ? version.value + "," + *value : version.value;
      if (version.type != "merge") break;
    }
    return value;
  }

  const mix::Order order_;
  std::map<std::string, std::vector<Version>> versions_;
  std::vector<Range> ranges_;
};

bool MayChange(const mix::Group& group, const std::string& family, const std::string& key) {
  const mix::Order before{mix::RunsBackwards(family)};
  return std::ranges::any_of(group, [&](const Operation& op) {
    if (op.family != family) return false;
    if (op.kind != Operation::Kind::kDeleteRange) return op.key == key;
    return !before(key, op.key) && before(key, op.value);
  });
}

Trouble DifferenceAt(const std::string& family, const std::string& key, const Contents& contents,
                     const Contents& right) {
  const auto is = contents.find(key), should = right.find(key);
  const std::string about = family + ": " + EscapeForDisplay(key);
  if (is == contents.end()) return should == right.end() ? "" : about + " is missing";
  if (should == right.end()) return about + " should be absent";
  if (is->second == should->second) return {};
  return about + " is " + EscapeForDisplay(is->second) + ", not " +
         EscapeForDisplay(should->second);
}

}  // namespace

Reading ReadWith(mix::EngineKind* engine, const std::string& path, const Moment& right) {
  mix::Dice dice(1);
  engine->DrawOptions(&dice);
  std::set<std::string> families;
  for (const auto& [family, contents] : right) families.insert(family);
  std::unique_ptr<mix::Database> database;
  Reading reading = {.trouble = engine->OpenReadOnly(path, families, &database)};
  for (const auto& [family, should] : right) {
    if (!reading.trouble.empty()) return reading;
    Contents& contents =
        reading.contents.try_emplace(family, Contents(should.key_comp())).first->second;
    reading.trouble = Scan(database.get(), family, &contents);
    if (!reading.trouble.empty()) return reading;
    reading.trouble = GetAll(database.get(), family, contents, should);
  }
  return reading;
}

Reading ReadStored(const std::string& path, const Moment& right) {
  Reading reading;
  for (const auto& [family, should] : right) {
    auto stored_order = StoredOrder::Open(*NativeEnvironment().file_system, path, family);
    if (!stored_order.ok()) return {.trouble = stored_order.status().ToString()};
    Stored stored(should.key_comp());
    for (StoredEntry entry; stored_order->Next(&entry);) stored.Add(entry);
    if (!stored_order->status().ok()) return {.trouble = stored_order->status().ToString()};
    reading.contents.emplace(family, stored.Newest());
  }
  return reading;
}

Trouble Difference(const Moment& contents, const Moment& right,
                   const std::vector<mix::Group>& unlogged) {
  for (const auto& [family, should] : right) {
    const Contents& is = contents.at(family);
    std::set<std::string> keys;
    for (const Contents* some : {&is, &should}) {
      for (const auto& [key, value] : *some) keys.insert(key);
    }
    for (const std::string& key : keys) {
      const bool excused = std::ranges::any_of(
          unlogged, [&](const mix::Group& group) { return MayChange(group, family, key); });
      if (excused) continue;
      Trouble trouble = DifferenceAt(family, key, is, should);
      if (!trouble.empty()) return trouble;
    }
  }
  return {};
}

}  // namespace varve::interop
