// SPDX-License-Identifier: Apache-2.0
#include "tests/interop/contents.h"

#include "core/base/text/text.h"

namespace varve::interop {
namespace {

constexpr int kNeverSingle = 1 << 20;  // A count of puts that no key reaches.

}  // namespace

OperationSource::OperationSource(uint64_t seed, std::vector<std::string> families, bool huge)
    : random_(seed), families_(std::move(families)), huge_(huge) {}

std::string OperationSource::RandomKey() {
  const uint64_t id = random_() % 400;
  switch (random_() % 16) {
    case 0:
      return "";
    case 1:
      return std::string(1 + id % 4, '\0');
    case 2:
      return std::string(1 + id % 9, '\xff');
    case 3:
      return std::string("a\0b", 3) + std::to_string(id);
    case 4:
      return "a-rather-long-prefix-that-many-keys-share/" + std::to_string(id);
    case 5:
      return std::string("\x80\xff\x00\x7f", 4) + static_cast<char>(id);
    case 6:
      return huge_ && id < 4 ? std::string(65536 - id, 'L') : "long" + std::string(id, 'l');
    default:
      return "key" + std::to_string(100000 + id);
  }
}

std::string OperationSource::RandomValue() {
  const uint64_t kind = random_() % 64;
  if (huge_ && random_() % 400 == 0) return std::string(size_t{4} << 20, static_cast<char>(kind));
  if (kind == 0) return "";
  if (kind < 4) return std::string(random_() % 20000, static_cast<char>('a' + kind));
  std::string value(random_() % 200, '\0');
  for (char& c : value) c = static_cast<char>(kind < 32 ? random_() : 'a' + random_() % 3);
  return value;
}

Operation OperationSource::RandomOperation() {
  Operation op;
  op.family = families_[random_() % families_.size()];
  op.key = RandomKey();
  int& puts = puts_[op.family][op.key];
  switch (random_() % 20) {
    case 0:
    case 1:
    case 2:
      op.kind = Operation::Kind::kDelete;
      puts = kNeverSingle;
      break;
    case 3:
      // Legal only for a key that was put once and never deleted otherwise or merged; anything
      // else is undefined, in RocksDB too.
      op.kind = puts == 1 ? Operation::Kind::kSingleDelete : Operation::Kind::kDelete;
      puts = puts == 1 ? 0 : kNeverSingle;
      break;
    case 4:
      op.kind = Operation::Kind::kDeleteRange;
      op.value = RandomKey();
      if (op.value < op.key) std::swap(op.key, op.value);
      for (auto& [key, count] : puts_[op.family]) {
        if (key >= op.key && key < op.value) count = kNeverSingle;
      }
      break;
    case 5:
    case 6:
      op.kind = Operation::Kind::kMerge;
      op.value = RandomValue();
      puts = kNeverSingle;
      break;
    default:
      op.value = RandomValue();
      ++puts;
      break;
  }
  return op;
}

Group OperationSource::Next() {
  Group group(1 + (random_() % 8 == 0 ? random_() % 20 : 0));
  for (Operation& op : group) op = RandomOperation();
  return group;
}

void OperationSource::Apply(const Group& group, Contents* contents) {
  for (const Operation& op : group) {
    Family& family = (*contents)[op.family];
    switch (op.kind) {
      case Operation::Kind::kPut:
        family[op.key] = op.value;
        break;
      case Operation::Kind::kDelete:
      case Operation::Kind::kSingleDelete:
        family.erase(op.key);
        break;
      case Operation::Kind::kDeleteRange:
        family.erase(family.lower_bound(op.key), family.lower_bound(op.value));
        break;
      case Operation::Kind::kMerge: {
        const auto found = family.find(op.key);
        if (found == family.end()) {
          family[op.key] = op.value;
        } else {
          found->second += "," + op.value;
        }
        break;
      }
    }
  }
}

std::string Difference(const Contents& expected, const Contents& found) {
  const auto shorten = [](const std::string& bytes) {
    return EscapeForDisplay(bytes.substr(0, 60)) + "[" + std::to_string(bytes.size()) + "]";
  };
  for (const auto& [name, family] : expected) {
    const auto other = found.find(name);
    if (other == found.end()) return "family " + name + " is missing";
    for (const auto& [key, value] : family) {
      const auto it = other->second.find(key);
      if (it == other->second.end()) return name + ": " + shorten(key) + " is missing";
      if (it->second != value) {
        return name + ": " + shorten(key) + " is " + shorten(it->second) + ", should be " +
               shorten(value);
      }
    }
    for (const auto& [key, value] : other->second) {
      if (!family.contains(key)) return name + ": " + shorten(key) + " should not be there";
    }
  }
  for (const auto& [name, family] : found) {
    if (!expected.contains(name)) return "family " + name + " should not be there";
  }
  return "";
}

}  // namespace varve::interop
