// SPDX-License-Identifier: Apache-2.0
// The web app, compiled into the program: a table of every file of one folder, made when Varve is
// built (embed_assets.py). A request's path is looked up in it letter for letter, so there is no
// path from a request to the file system, and nothing to canonicalise.
#pragma once

#include <span>
#include <string_view>

namespace varve::http {

struct Asset {
  std::string_view path;  // "/app.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view etag;  // Quotes included.
  std::string_view bytes;
};

std::span<const Asset> AllAssets();

// False if the plain page is in there, because the app was not built when Varve was.
bool HasWebApp();

// "/" is "/index.html". Null if there is none.
const Asset* FindAsset(std::string_view path);

}  // namespace varve::http
