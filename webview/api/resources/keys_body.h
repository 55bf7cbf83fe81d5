// SPDX-License-Identifier: Apache-2.0
// {"keys":["a","hex:6b31"]}: the body of requests about several keys.
#pragma once

#include <string>
#include <vector>

#include "webview/api/routing/call.h"

namespace varve::api {

struct KeysBody {
  std::vector<std::string> keys;
};
const Shape<KeysBody>& KeysShape();

// The keys of the call's body; over HTTP at most a thousand.
Answer<std::vector<std::string>> KeysOf(const Call& call);

}  // namespace varve::api
