// SPDX-License-Identifier: Apache-2.0
// Comparators, merge operators and slice transforms that the program defines by C functions. Each
// calls `destructor` for its state when its last owner is gone. A C++ exception that a callback
// lets out ends the process (noexcept): nothing passes through the engine.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/c/option_handles.h"
#include "varve/compaction_filter.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve::c {

// What every object made of callbacks has.
class CallbackState {
 public:
  using Destructor = void (*)(void*);
  using Name = const char* (*)(void*);
  CallbackState(void* state, Destructor destructor, Name name)
      : state_(state), destructor_(destructor), name_(name) {}
  CallbackState(const CallbackState&) = delete;
  ~CallbackState() {
    if (destructor_ != nullptr) destructor_(state_);
  }

  void* get() const { return state_; }
  std::string_view name() const noexcept { return name_(state_); }

 private:
  void* const state_;
  const Destructor destructor_;
  const Name name_;
};

}  // namespace varve::c

struct rocksdb_comparator_t final : varve::Comparator {
  using CompareFn = int (*)(void*, const char* a, size_t a_size, const char* b, size_t b_size);
  using CompareWithoutFn = int (*)(void*, const char* a, size_t a_size, unsigned char a_has_ts,
                                   const char* b, size_t b_size, unsigned char b_has_ts);
  // Of keys with timestamps: how those compare, keys without them, and their size.
  struct Timestamps {
    CompareFn compare = nullptr;
    CompareWithoutFn compare_without = nullptr;
    size_t size = 0;
  };

  rocksdb_comparator_t(void* state, varve::c::CallbackState::Destructor destructor,
                       CompareFn compare, varve::c::CallbackState::Name name,
                       const Timestamps& timestamps)
      : state_(state, destructor, name), compare_(compare), timestamps_(timestamps) {}

  int Compare(std::string_view a, std::string_view b) const noexcept override {
    // A damaged key may have no room for its timestamp, which a program would read all the same.
    if (a.size() < timestamps_.size || b.size() < timestamps_.size) [[unlikely]]
      return a.compare(b);
    return compare_(state_.get(), a.data(), a.size(), b.data(), b.size());
  }
  std::string_view name() const override { return state_.name(); }
  size_t timestamp_size() const override { return timestamps_.size; }
  int CompareTimestamps(std::string_view a, std::string_view b) const noexcept override {
    return timestamps_.compare(state_.get(), a.data(), a.size(), b.data(), b.size());
  }
  int CompareWithoutTimestamps(std::string_view a, std::string_view b) const noexcept override {
    if (timestamps_.size == 0) return Compare(a, b);
    return timestamps_.compare_without(state_.get(), a.data(), a.size(), 0, b.data(), b.size(), 0);
  }

 private:
  const varve::c::CallbackState state_;
  const CompareFn compare_;
  const Timestamps timestamps_;
};

struct rocksdb_mergeoperator_t final : varve::MergeOperator {
  using FullMergeFn = char* (*)(void*, const char* key, size_t key_size, const char* base,
                                size_t base_size, const char* const* operands,
                                const size_t* operand_sizes, int operand_count,
                                unsigned char* success, size_t* result_size);
  using PartialMergeFn = char* (*)(void*, const char* key, size_t key_size,
                                   const char* const* operands, const size_t* operand_sizes,
                                   int operand_count, unsigned char* success, size_t* result_size);
  using DeleteValueFn = void (*)(void*, const char* value, size_t size);
  rocksdb_mergeoperator_t(void* state, varve::c::CallbackState::Destructor destructor,
                          FullMergeFn full, PartialMergeFn partial, DeleteValueFn delete_value,
                          varve::c::CallbackState::Name name)
      : state_(state, destructor, name),
        full_(full),
        partial_(partial),
        delete_value_(delete_value) {}

  std::string_view name() const override { return state_.name(); }
  varve::Result<std::string> Merge(
      std::string_view key, std::optional<std::string_view> base,
      std::span<const std::string_view> operands) const noexcept override;
  std::optional<std::string> Combine(
      std::string_view key, std::span<const std::string_view> operands) const noexcept override;

 private:
  // Copies what a callback returned, and releases it.
  std::string Take(char* value, size_t size) const;

  const varve::c::CallbackState state_;
  const FullMergeFn full_;
  const PartialMergeFn partial_;
  const DeleteValueFn delete_value_;
};

// One object for all compactions, which call it at once, or made by a factory for one of them.
struct rocksdb_compactionfilter_t {
  using FilterFn = unsigned char (*)(void*, int level, const char* key, size_t key_size,
                                     const char* value, size_t value_size, char** new_value,
                                     size_t* new_value_size, unsigned char* value_changed);

  varve::CompactionFilter::Decision Filter(int level, std::string_view key, std::string_view value,
                                           std::string* new_value) const noexcept;

  varve::c::CallbackState state;
  FilterFn filter;
};

struct rocksdb_compactionfiltercontext_t {
  varve::CompactionFilterFactory::Context context;
};

struct rocksdb_compactionfilterfactory_t final : varve::CompactionFilterFactory {
  using CreateFn = rocksdb_compactionfilter_t* (*)(void*,
                                                   rocksdb_compactionfiltercontext_t* context);
  rocksdb_compactionfilterfactory_t(void* state, varve::c::CallbackState::Destructor destructor,
                                    CreateFn create, varve::c::CallbackState::Name name)
      : state_(state, destructor, name), create_(create) {}

  std::unique_ptr<varve::CompactionFilter> Create(const Context& context) const noexcept override;

 private:
  const varve::c::CallbackState state_;
  const CreateFn create_;
};

namespace varve::c {

// For rocksdb_options_set_compaction_filter(); the filter stays the caller's.
std::shared_ptr<const CompactionFilterFactory> FactoryOf(const rocksdb_compactionfilter_t* filter);

}  // namespace varve::c
