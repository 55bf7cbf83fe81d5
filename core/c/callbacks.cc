// SPDX-License-Identifier: Apache-2.0
#include "core/c/callbacks.h"

#include <cstdlib>
#include <vector>

#include "core/c/error.h"
#include "core/c/interface.h"

namespace {

// Operands as C functions take them.
struct OperandList {
  explicit OperandList(std::span<const std::string_view> operands) {
    for (const std::string_view operand : operands) {
      bytes.push_back(operand.data());
      sizes.push_back(operand.size());
    }
  }
  int count() const { return static_cast<int>(bytes.size()); }

  std::vector<const char*> bytes;
  std::vector<size_t> sizes;
};

}  // namespace

std::string rocksdb_mergeoperator_t::Take(char* value, size_t size) const {
  std::string copy(value == nullptr ? std::string_view() : std::string_view(value, size));
  if (delete_value_ != nullptr) {
    delete_value_(state_.get(), value, size);
  } else {
    std::free(value);
  }
  return copy;
}

varve::Result<std::string> rocksdb_mergeoperator_t::Merge(
    std::string_view key, std::optional<std::string_view> base,
    std::span<const std::string_view> operands) const noexcept {
  const OperandList list(operands);
  const std::string_view existing = base.value_or(std::string_view());
  unsigned char success = 0;
  size_t size = 0;
  char* const merged =
      full_(state_.get(), key.data(), key.size(), base ? existing.data() : nullptr, existing.size(),
            list.bytes.data(), list.sizes.data(), list.count(), &success, &size);
  std::string result = Take(merged, size);
  if (success == 0)
    return varve::Status::Corruption(std::string(varve::c::kInterface.merge_failed));
  return result;
}

std::optional<std::string> rocksdb_mergeoperator_t::Combine(
    std::string_view key, std::span<const std::string_view> operands) const noexcept {
  if (partial_ == nullptr || operands.size() < 2) return std::nullopt;
  const OperandList list(operands);
  unsigned char success = 0;
  size_t size = 0;
  char* const merged = partial_(state_.get(), key.data(), key.size(), list.bytes.data(),
                                list.sizes.data(), list.count(), &success, &size);
  std::string result = Take(merged, size);
  if (success == 0) return std::nullopt;
  return result;
}

extern "C" {

rocksdb_comparator_t* rocksdb_comparator_create(void* state, void (*destructor)(void*),
                                                rocksdb_comparator_t::CompareFn compare,
                                                const char* (*name)(void*)) {
  return new rocksdb_comparator_t(state, destructor, compare, name, {});
}

rocksdb_comparator_t* rocksdb_comparator_with_ts_create(
    void* state, void (*destructor)(void*), rocksdb_comparator_t::CompareFn compare,
    rocksdb_comparator_t::CompareFn compare_ts,
    rocksdb_comparator_t::CompareWithoutFn compare_without_ts, const char* (*name)(void*),
    size_t timestamp_size) {
  return new rocksdb_comparator_t(state, destructor, compare, name,
                                  {compare_ts, compare_without_ts, timestamp_size});
}

void rocksdb_comparator_destroy(rocksdb_comparator_t* comparator) { delete comparator; }

rocksdb_mergeoperator_t* rocksdb_mergeoperator_create(
    void* state, void (*destructor)(void*), rocksdb_mergeoperator_t::FullMergeFn full_merge,
    rocksdb_mergeoperator_t::PartialMergeFn partial_merge,
    rocksdb_mergeoperator_t::DeleteValueFn delete_value, const char* (*name)(void*)) {
  return new rocksdb_mergeoperator_t(state, destructor, full_merge, partial_merge, delete_value,
                                     name);
}

void rocksdb_mergeoperator_destroy(rocksdb_mergeoperator_t* merge_operator) {
  delete merge_operator;
}

}  // extern "C"
