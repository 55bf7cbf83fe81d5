// SPDX-License-Identifier: Apache-2.0
#include "webview/http/assets.h"

namespace varve::http {

const Asset* FindAsset(std::string_view path) {
  if (path == "/") path = "/index.html";
  for (const Asset& asset : AllAssets()) {
    if (asset.path == path) return &asset;
  }
  return nullptr;
}

}  // namespace varve::http
