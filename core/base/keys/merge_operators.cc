// SPDX-License-Identifier: Apache-2.0
#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/abbreviate.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

using Operands = std::span<const std::string_view>;

class UInt64Add final : public MergeOperator {
 public:
  std::string_view name() const override { return "UInt64AddOperator"; }

  // RocksDB logs a malformed number and treats it as 0; here it is an error, so that no data is
  // lost silently.
  Result<std::string> Merge(std::string_view key, std::optional<std::string_view> base,
                            Operands operands) const override {
    uint64_t sum = 0;
    if (base && !Add(*base, &sum)) return Malformed(key, *base);
    for (const std::string_view operand : operands) {
      if (!Add(operand, &sum)) return Malformed(key, operand);
    }
    return Encode(sum);
  }

  std::optional<std::string> Combine(std::string_view, Operands operands) const override {
    uint64_t sum = 0;
    for (const std::string_view operand : operands) {
      if (!Add(operand, &sum)) return std::nullopt;  // Merge() will name it.
    }
    return Encode(sum);
  }

 private:
  static bool Add(std::string_view bytes, uint64_t* sum) {
    ByteReader in(bytes);
    uint64_t number = 0;
    if (!in.ReadFixed64(&number) || !in.empty()) return false;
    *sum += number;
    return true;
  }
  static std::string Encode(uint64_t sum) {
    std::string bytes;
    AppendFixed64(&bytes, sum);
    return bytes;
  }
  static Status Malformed(std::string_view key, std::string_view bytes) {
    return Status::Corruption("UInt64AddOperator: key " + AbbreviateForDisplay(key) +
                              ": a number has 8 bytes, this one " + std::to_string(bytes.size()));
  }
};

class StringAppend final : public MergeOperator {
 public:
  explicit StringAppend(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }

  Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                            Operands operands) const override {
    return Join(base, operands);
  }
  std::optional<std::string> Combine(std::string_view, Operands operands) const override {
    return Join(std::nullopt, operands);
  }

 private:
  // Empty parts count: a separator follows them.
  static std::string Join(std::optional<std::string_view> base, Operands operands) {
    constexpr char kDelimiter = ',';
    size_t size = base ? base->size() : 0;
    for (const std::string_view operand : operands) size += operand.size() + 1;
    std::string joined;
    joined.reserve(size);
    if (base) joined.append(*base);
    bool first = !base;
    for (const std::string_view operand : operands) {
      if (!first) joined.push_back(kDelimiter);
      joined.append(operand);
      first = false;
    }
    DCHECK_OP(joined.size(), <=, size);
    return joined;
  }

  std::string_view name_;
};

class Max final : public MergeOperator {
 public:
  std::string_view name() const override { return "MaxOperator"; }

  Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                            Operands operands) const override {
    // The empty string is the smallest.
    return Largest(base.value_or(std::string_view()), operands);
  }
  std::optional<std::string> Combine(std::string_view, Operands operands) const override {
    return Largest({}, operands);
  }

 private:
  static std::string Largest(std::string_view largest, Operands operands) {
    for (const std::string_view operand : operands) {
      if (operand > largest) largest = operand;
    }
    return std::string(largest);
  }
};

class Put final : public MergeOperator {
 public:
  std::string_view name() const override { return "PutOperator"; }

  Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                            Operands operands) const override {
    return std::string(operands.empty() ? base.value_or(std::string_view()) : operands.back());
  }
  std::optional<std::string> Combine(std::string_view, Operands operands) const override {
    if (operands.empty()) return std::nullopt;
    return std::string(operands.back());
  }
};

}  // namespace

const MergeOperator* MergeOperatorByName(std::string_view name) {
  struct Known {
    const MergeOperator* built_in;
    std::string_view nickname;
  };
  // Never destroyed: the destructor of a global may close a database.
  static const Known kKnown[] = {
      {std::make_unique<UInt64Add>().release(), "uint64add"},
      {std::make_unique<StringAppend>("StringAppendOperator").release(), "stringappend"},
      // RocksDB has both.
      {std::make_unique<StringAppend>("StringAppendTESTOperator").release(), "stringappendtest"},
      {std::make_unique<Max>().release(), "max"},
      {std::make_unique<Put>().release(), "put"}};
  for (const Known& known : kKnown) {
    if (name == known.nickname || name == known.built_in->name()) return known.built_in;
  }
  return nullptr;
}

}  // namespace varve
