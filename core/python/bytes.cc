// SPDX-License-Identifier: Apache-2.0
#include "core/python/bytes.h"

#include <array>

namespace nb = nanobind;

namespace varve::python {
namespace {

constexpr std::array<std::string_view, 3> kDurabilities = {"sync", "buffered", "none"};
static_assert(static_cast<int>(Durability::kSync) == 0 &&
              static_cast<int>(Durability::kBuffered) == 1 &&
              static_cast<int>(Durability::kNone) == 2);

// Null, with an error of Python, if there are surrogates that are no bytes.
PyObject* Encoded(nb::handle text) {
  return PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
}

std::string TextOf(nb::handle encoded) {
  return {PyBytes_AsString(encoded.ptr()), static_cast<size_t>(PyBytes_Size(encoded.ptr()))};
}

PyObject* Decoded(const Name& name) {
  return PyUnicode_DecodeUTF8(name.text.data(), static_cast<Py_ssize_t>(name.text.size()),
                              "surrogateescape");
}

}  // namespace

bool Bytes::Take(nb::handle object) noexcept {
  if (PyBytes_Check(object.ptr())) {
    owner_ = nb::borrow(object);
  } else if (PyObject_CheckBuffer(object.ptr())) {
    owner_ = nb::steal(PyBytes_FromObject(object.ptr()));
    if (!owner_.is_valid()) {
      PyErr_Clear();
      return false;
    }
  } else {
    return false;
  }
  data_ = PyBytes_AsString(owner_.ptr());
  size_ = static_cast<size_t>(PyBytes_Size(owner_.ptr()));
  return true;
}

nb::str ToStr(const Name& name) {
  PyObject* const decoded = Decoded(name);
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

std::string ToText(nb::handle text) {
  PyObject* const encoded = Encoded(text);
  if (encoded == nullptr) throw nb::python_error();
  return TextOf(nb::steal(encoded));
}

nb::str ToStr(std::string_view text) {
  PyObject* const decoded =
      PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

}  // namespace varve::python

namespace nanobind::detail {

bool type_caster<varve::python::Path>::from_python(handle source, uint32_t,
                                                   cleanup_list*) noexcept {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(source.ptr(), static_cast<void*>(&encoded)) == 0) {
    PyErr_Clear();
    return false;
  }
  const object owner = steal(encoded);
  value.text = varve::python::TextOf(owner);
  return true;
}

bool type_caster<varve::python::Name>::from_python(handle source, uint32_t,
                                                   cleanup_list*) noexcept {
  if (!PyUnicode_Check(source.ptr())) return false;
  const object encoded = steal(varve::python::Encoded(source));
  if (!encoded.is_valid()) {
    PyErr_Clear();
    return false;
  }
  value.text = varve::python::TextOf(encoded);
  return true;
}

handle type_caster<varve::python::Name>::from_cpp(const varve::python::Name& name, rv_policy,
                                                  cleanup_list*) noexcept {
  return varve::python::Decoded(name);
}

bool type_caster<varve::Durability>::from_python(handle source, uint32_t, cleanup_list*) noexcept {
  if (!PyUnicode_Check(source.ptr())) return false;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    return false;
  }
  const std::string_view word(text, static_cast<size_t>(size));
  for (size_t i = 0; i < varve::python::kDurabilities.size(); ++i) {
    if (word != varve::python::kDurabilities[i]) continue;
    value = static_cast<varve::Durability>(i);
    return true;
  }
  return false;
}

handle type_caster<varve::Durability>::from_cpp(varve::Durability durability, rv_policy,
                                                cleanup_list*) noexcept {
  const std::string_view word = varve::python::kDurabilities[static_cast<size_t>(durability)];
  return PyUnicode_FromStringAndSize(word.data(), static_cast<Py_ssize_t>(word.size()));
}

}  // namespace nanobind::detail
