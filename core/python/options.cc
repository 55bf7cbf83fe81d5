// SPDX-License-Identifier: Apache-2.0
#include "core/python/options.h"

#include "core/python/bytes.h"
#include "core/python/errors.h"
#include "varve/option_table.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

std::string OptionText(const std::string& name, nb::handle value) {
  if (PyBool_Check(value.ptr())) return value.is(Py_True) ? "true" : "false";
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) || PyUnicode_Check(value.ptr())) {
    return ToText(nb::str(value));
  }
  throw nb::type_error(("option " + name + ": a bool, int, float or str is needed").c_str());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> OptionTexts(const nb::dict& values) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [key, value] : values) {
    std::string name = ToText(nb::str(key));
    std::string text = OptionText(name, value);
    texts.emplace_back(std::move(name), std::move(text));
  }
  return texts;
}

void SetOptions(const nb::dict& values, Options* options) {
  for (const auto& [name, text] : OptionTexts(values)) {
    const OptionRow* const row = FindOption(name);
    if (row == nullptr) {
      Raise(Status::InvalidArgument("there is no option \"" + name + "\""));
    }
    if (row->is_struct) {  // Which of its members are chosen would have to be read from the text.
      Raise(Status::InvalidArgument("option " + name + ": give its members, such as \"" + name +
                                    ".level\""));
    }
    Check(row->set(options, text));
    options->chosen.push_back(name);
  }
}

nb::dict TextOf(const Options& options, bool of_database) {
  nb::dict texts;
  for (const OptionRow& row : OptionTable()) {
    if ((row.scope == OptionScope::kDatabase) != of_database) continue;
    texts[nb::str(row.name.data(), row.name.size())] = ToStr(row.get(options));
  }
  return texts;
}

}  // namespace varve::python
