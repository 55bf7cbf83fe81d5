// SPDX-License-Identifier: Apache-2.0
// Compaction filters that the program defines by C functions.
#include "core/c/callbacks.h"

using FilterFactory = rocksdb_compactionfilterfactory_t;
using FilterContext = rocksdb_compactionfiltercontext_t;

namespace varve::c {
namespace {

class SharedFilter final : public CompactionFilter {
 public:
  explicit SharedFilter(const rocksdb_compactionfilter_t* filter) : filter_(filter) {}
  Decision Filter(int level, std::string_view key, std::string_view value,
                  std::string* new_value) override {
    return filter_->Filter(level, key, value, new_value);
  }

 private:
  const rocksdb_compactionfilter_t* const filter_;
};

class OwnFilter final : public CompactionFilter {
 public:
  explicit OwnFilter(rocksdb_compactionfilter_t* filter) : filter_(filter) {}
  Decision Filter(int level, std::string_view key, std::string_view value,
                  std::string* new_value) override {
    return filter_->Filter(level, key, value, new_value);
  }

 private:
  const std::unique_ptr<rocksdb_compactionfilter_t> filter_;
};

class SharedFilters final : public CompactionFilterFactory {
 public:
  explicit SharedFilters(const rocksdb_compactionfilter_t* filter) : filter_(filter) {}
  std::unique_ptr<CompactionFilter> Create(const Context& /*context*/) const override {
    return std::make_unique<SharedFilter>(filter_);
  }

 private:
  const rocksdb_compactionfilter_t* const filter_;
};

}  // namespace

std::shared_ptr<const CompactionFilterFactory> FactoryOf(const rocksdb_compactionfilter_t* filter) {
  if (filter == nullptr) return nullptr;
  return std::make_shared<const SharedFilters>(filter);
}

}  // namespace varve::c

varve::CompactionFilter::Decision rocksdb_compactionfilter_t::Filter(
    int level, std::string_view key, std::string_view value,
    std::string* new_value) const noexcept {
  using Decision = varve::CompactionFilter::Decision;
  char* changed_to = nullptr;
  size_t size = 0;
  unsigned char changed = 0;
  const unsigned char remove = filter(state.get(), level, key.data(), key.size(), value.data(),
                                      value.size(), &changed_to, &size, &changed);
  if (remove != 0) return Decision::kRemove;
  if (changed == 0) return Decision::kKeep;
  new_value->assign(changed_to, size);  // It stays the program's.
  return Decision::kChange;
}

std::unique_ptr<varve::CompactionFilter> FilterFactory::Create(
    const varve::CompactionFilterFactory::Context& context) const noexcept {
  rocksdb_compactionfiltercontext_t shown{context};
  rocksdb_compactionfilter_t* const made = create_(state_.get(), &shown);
  if (made == nullptr) return nullptr;
  return std::make_unique<varve::c::OwnFilter>(made);
}

extern "C" {

rocksdb_compactionfilter_t* rocksdb_compactionfilter_create(
    void* state, void (*destructor)(void*), rocksdb_compactionfilter_t::FilterFn filter,
    const char* (*name)(void*)) {
  return new rocksdb_compactionfilter_t{{state, destructor, name}, filter};
}
// Snapshots are ignored in any case; RocksDB fails compactions that must not.
void rocksdb_compactionfilter_set_ignore_snapshots(rocksdb_compactionfilter_t* /*filter*/,
                                                   unsigned char /*ignore*/) {}
void rocksdb_compactionfilter_destroy(rocksdb_compactionfilter_t* filter) { delete filter; }

unsigned char rocksdb_compactionfiltercontext_is_full_compaction(FilterContext* context) {
  return context->context.full;
}
unsigned char rocksdb_compactionfiltercontext_is_manual_compaction(FilterContext* context) {
  return context->context.manual;
}

FilterFactory* rocksdb_compactionfilterfactory_create(void* state, void (*destructor)(void*),
                                                      FilterFactory::CreateFn create,
                                                      const char* (*name)(void*)) {
  return new FilterFactory(state, destructor, create, name);
}
void rocksdb_compactionfilterfactory_destroy(FilterFactory* factory) { delete factory; }

}  // extern "C"
