// SPDX-License-Identifier: Apache-2.0
#include "webview/api/resources/keys_body.h"

#include "core/base/try.h"

namespace varve::api {
namespace {

constexpr size_t kKeysMax = 1000;

}  // namespace

const Shape<KeysBody>& KeysShape() {
  static const auto shape =
      ObjectShape<KeysBody>("Keys")
          .Member("keys", ListShape(KeyShape()), &KeysBody::keys, "literals, at most a thousand")
          .shape();
  return shape;
}

Answer<std::vector<std::string>> KeysOf(const Call& call) {
  ASSIGN_OR_RETURN(KeysBody body, call.Body(KeysShape()));
  if (body.keys.size() <= kKeysMax || call.request().in_process) return std::move(body.keys);
  return BodyProblem("bad_request", "/keys", "must have at most 1000 keys");
}

}  // namespace varve::api
