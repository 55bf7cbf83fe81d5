// SPDX-License-Identifier: Apache-2.0
// The tables that real releases wrote, with what their manifest says about each.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace varve {

struct GoldenTable {
  std::string name;
  std::string path;
  nlohmann::json facts;
  bool refused() const { return facts.contains("refuse"); }
};

inline std::vector<GoldenTable> GoldenTables() {
  const std::string folder = std::string(VARVE_FIXTURES) + "/sst/";
  std::ifstream in(folder + "manifest.json");
  std::vector<GoldenTable> tables;
  const nlohmann::json manifest = nlohmann::json::parse(in);
  for (const auto& facts : manifest["files"]) {
    const std::string name = facts["file"].get<std::string>();
    tables.push_back({name, folder + name, facts});
  }
  return tables;
}

}  // namespace varve
