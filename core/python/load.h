// SPDX-License-Identifier: Apache-2.0
// Records from programs that give Arrow's record batches.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

#include "core/python/bytes.h"
#include "core/python/family.h"

namespace varve::python {

// The columns are `key` and `value`, or those that the schemas say.
// Writes the records of an object with __arrow_c_stream__ and returns how many there were. If it
// raises, some may have been written: those of earlier batches, and the first of the last one.
uint64_t Load(const Family& family, const nanobind::object& table, const std::optional<Name>& key,
              const std::optional<Name>& value, const std::optional<Name>& key_schema,
              const std::optional<Name>& value_schema, Durability durability);

}  // namespace varve::python
