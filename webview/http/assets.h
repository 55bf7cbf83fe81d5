// SPDX-License-Identifier: Apache-2.0
// The web app, compiled into the program: a table of all files of one folder, made at build time
// (embed_assets.py). Request paths are compared with it exactly, so no request accesses the file
// system, and nothing needs to be canonicalised.
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

// False if it is only the plain page, because the app was not built before Varve.
bool HasWebApp();

// "/" is "/index.html". Null if there is none.
const Asset* FindAsset(std::string_view path);

}  // namespace varve::http
