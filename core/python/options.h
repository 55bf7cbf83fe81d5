// SPDX-License-Identifier: Apache-2.0
// Options by name, as keyword arguments and as dicts.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "varve/options.h"

namespace varve::python {

// Names and values in the syntax of an OPTIONS file: values are bool, int, float or str. Raises
// TypeError for others.
std::vector<std::pair<std::string, std::string>> OptionTexts(const nanobind::dict& values);

// Sets options by their names; those of column families are set in options->family. Raises
// InvalidArgument for a name or a value that is none.
void SetOptions(const nanobind::dict& values, Options* options);

// All options of a database, or of options.family, as text.
nanobind::dict TextOf(const Options& options, bool of_database);

}  // namespace varve::python
