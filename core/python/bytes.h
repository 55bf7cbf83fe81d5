// SPDX-License-Identifier: Apache-2.0
// Arguments and results of Python that are bytes, paths or one of a few words.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "varve/options.h"

namespace varve::python {

// The bytes of an object with the buffer protocol: a key, a value, a bound. Those of `bytes`, which
// never change, are used where they are. Those of a bytearray, memoryview, array, ... are copied,
// because another thread may change them while the GIL is released. Needs the GIL, except view().
class Bytes {
 public:
  // False if the object has no buffer; no error of Python is left behind.
  bool Take(nanobind::handle object) noexcept;
  // Valid as long as this.
  std::string_view view() const { return {data_, size_}; }

 private:
  nanobind::object owner_;  // Always `bytes`.
  const char* data_ = nullptr;
  size_t size_ = 0;
};

// A path as the system takes it: of a str, bytes, or an object with __fspath__.
struct Path {
  std::string text;
};

// The name of a column family: any bytes. In Python a str, in which bytes that are not UTF-8 are
// lone surrogates ("surrogateescape").
struct Name {
  std::string text;
};
nanobind::str ToStr(const Name& name);
// The bytes of a str, by the rule for Name. Raises UnicodeEncodeError for other surrogates.
std::string ToText(nanobind::handle text);

inline nanobind::bytes ToBytes(std::string_view bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}
// A file name or a message that may contain one: bytes that are not UTF-8 become lone surrogates,
// as in os.fsdecode().
nanobind::str ToStr(std::string_view text);

}  // namespace varve::python

namespace nanobind::detail {

template <>
struct type_caster<varve::python::Bytes> {
  NB_TYPE_CASTER(varve::python::Bytes, const_name("_typeshed.ReadableBuffer"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return value.Take(source); }
};

template <>
struct type_caster<varve::python::Path> {
  NB_TYPE_CASTER(varve::python::Path, const_name("_typeshed.StrOrBytesPath"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<varve::python::Name> {
  NB_TYPE_CASTER(varve::python::Name, const_name("str"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept;
  static handle from_cpp(const varve::python::Name& name, rv_policy, cleanup_list*) noexcept;
};

template <>
struct type_caster<varve::Durability> {
  NB_TYPE_CASTER(varve::Durability, const_name("typing.Literal['sync', 'buffered', 'none']"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept;
  static handle from_cpp(varve::Durability durability, rv_policy, cleanup_list*) noexcept;
};

}  // namespace nanobind::detail
