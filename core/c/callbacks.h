// SPDX-License-Identifier: Apache-2.0
// Comparators, merge operators and slice transforms that the program defines by C functions. Each
// calls `destructor` for its state when its last owner is gone. A C++ exception that a callback
// lets out ends the process (noexcept): nothing passes through the engine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/c/option_handles.h"
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
  rocksdb_comparator_t(void* state, varve::c::CallbackState::Destructor destructor,
                       CompareFn compare, varve::c::CallbackState::Name name)
      : state_(state, destructor, name), compare_(compare) {}

  int Compare(std::string_view a, std::string_view b) const noexcept override {
    return compare_(state_.get(), a.data(), a.size(), b.data(), b.size());
  }
  std::string_view name() const override { return state_.name(); }

  // Of keys with timestamps: opening a database with it is refused.
  bool with_timestamps = false;

 private:
  const varve::c::CallbackState state_;
  const CompareFn compare_;
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

// Compaction filters can be made; opening a database with one is refused, so none is called.
struct rocksdb_compactionfilter_t {
  varve::c::CallbackState state;
};
struct rocksdb_compactionfilterfactory_t {
  varve::c::CallbackState state;
};
