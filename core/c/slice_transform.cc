// SPDX-License-Identifier: Apache-2.0
// rocksdb_slicetransform_t: what iterators with prefix_same_as_start take as the prefix of a key.
// (No prefix filter is written; every iterator is in total order.)
#include "core/c/slice_transform.h"

#include "core/c/callbacks.h"

using varve::c::InDomainFn;
using varve::c::TransformFn;

namespace {

class FixedPrefix : public varve::c::SliceTransform {
 public:
  explicit FixedPrefix(size_t size) : size_(size) {}
  bool InDomain(std::string_view key) const override { return key.size() >= size_; }
  std::string_view PrefixOf(std::string_view key) const override { return key.substr(0, size_); }

 private:
  const size_t size_;
};

class WholeKey : public varve::c::SliceTransform {
 public:
  bool InDomain(std::string_view /*key*/) const override { return true; }
  std::string_view PrefixOf(std::string_view key) const override { return key; }
};

class Transform : public varve::c::SliceTransform {
 public:
  Transform(void* state, void (*destructor)(void*), TransformFn transform, InDomainFn in_domain,
            const char* (*name)(void*))
      : state_(state, destructor, name), transform_(transform), in_domain_(in_domain) {}
  bool InDomain(std::string_view key) const noexcept override {
    return in_domain_(state_.get(), key.data(), key.size()) != 0;
  }
  std::string_view PrefixOf(std::string_view key) const noexcept override {
    size_t size = 0;
    const char* const prefix = transform_(state_.get(), key.data(), key.size(), &size);
    return prefix == nullptr ? std::string_view() : std::string_view(prefix, size);
  }

 private:
  const varve::c::CallbackState state_;
  const TransformFn transform_;
  const InDomainFn in_domain_;
};

}  // namespace

rocksdb_slicetransform_t* varve::c::NewSliceTransform(void* state, void (*destructor)(void*),
                                                      TransformFn transform, InDomainFn in_domain,
                                                      const char* (*name)(void*)) {
  return new rocksdb_slicetransform_t{
      std::make_shared<Transform>(state, destructor, transform, in_domain, name)};
}

extern "C" {

rocksdb_slicetransform_t* rocksdb_slicetransform_create_fixed_prefix(size_t size) {
  return new rocksdb_slicetransform_t{std::make_shared<FixedPrefix>(size)};
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create_noop() {
  return new rocksdb_slicetransform_t{std::make_shared<WholeKey>()};
}

void rocksdb_slicetransform_destroy(rocksdb_slicetransform_t* transform) { delete transform; }

}  // extern "C"
