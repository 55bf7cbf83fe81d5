// SPDX-License-Identifier: Apache-2.0
// A database in memory that a test writes, and a Service that looks at it.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "varve/db.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/routing/router.h"

namespace varve::api {

class MemoryDatabase {
 public:
  MemoryDatabase() : fs_(NewMemoryFileSystem()) {
    environment_ = NativeEnvironment();
    environment_.file_system = fs_.get();
    environment_.executor = &executor_;
    Options options;
    options.env = environment_;
    options.create_if_missing = true;
    CHECK(fs_->CreateDirectory("box").ok());
    auto opened = DB::Open(options, "box/db");
    CHECK_MESSAGE(opened.ok(), opened.status().ToString());
    db_ = *std::move(opened);
    service_ = std::make_unique<Service>(ServiceOptions{.file_system = fs_.get(),
                                                        .clock = environment_.clock,
                                                        .records = EngineRecords(environment_)});
    CHECK(service_->Open("box/db").ok());
  }

  DB& db() { return *db_; }
  FileSystem& fs() { return *fs_; }
  Service& service() { return *service_; }

  void Put(const std::string& key, const std::string& value) {
    CHECK(db_->Put({}, key, value).ok());
  }
  Response Get(const std::string& resource) {
    return Handle(*service_, {.target = "/api/v1/targets/t1" + resource});
  }
  Json Document(const std::string& resource) {
    const Response response = Get(resource);
    CHECK_MESSAGE(response.status == 200, resource << ": " << response.body);
    return Json::parse(response.body, nullptr, /*allow_exceptions=*/false);
  }
  // All rows of a list, page by page.
  Json Pages(const std::string& resource, const std::string& rows) {
    Json all = Json::array();
    for (std::string token;;) {
      const Json page = Document(resource + (token.empty() ? "" : "&page_token=" + token));
      for (const Json& row : page[rows]) all.push_back(row);
      if (!page.contains("next_page_token")) return all;
      token = page["next_page_token"];
    }
  }

 private:
  std::unique_ptr<FileSystem> fs_;
  InlineExecutor executor_;
  Environment environment_;
  std::unique_ptr<DB> db_;
  std::unique_ptr<Service> service_;
};

}  // namespace varve::api
