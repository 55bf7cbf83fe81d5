// SPDX-License-Identifier: Apache-2.0
// All that a directory holds: as an engine reads it, and as its bytes say. The second asks no
// index, no filter, no level and no bound of a file, so that it tells what is not there from what
// is not found.
#pragma once

#include <string>
#include <vector>

#include "tests/mix/database.h"
#include "tests/mix/model.h"
#include "tests/mix/operation.h"

namespace varve::interop {

struct Reading {
  mix::Trouble trouble = {};  // It was refused, or contradicts itself. Then `contents` are partial.
  mix::Moment contents = {};
};

// Opens read-only. Forwards, backwards and by key; also the keys of `right`, and only its families.
Reading ReadWith(mix::EngineKind* engine, const std::string& path, const mix::Moment& right);
// From the entries of the live tables and logs, newest first.
Reading ReadStored(const std::string& path, const mix::Moment& right);

// The first key that differs, except those that `unlogged` may have changed: empty if none does.
mix::Trouble Difference(const mix::Moment& contents, const mix::Moment& right,
                        const std::vector<mix::Group>& unlogged);

}  // namespace varve::interop
