// SPDX-License-Identifier: Apache-2.0
// Any bytes may be asked. What comes back is an answer or a problem of the table, as JSON.
#include <random>

#include "fixture_service.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

// Every route of the table with plausible parts and every one of its parameters in turn.
std::vector<Request> Seeds() {
  std::vector<Request> seeds;
  for (const Route& route : RouteTable()) {
    for (const std::string target : {"t1", "t2", "t3"}) {
      std::string path = std::string(kApiRoot) + std::string(route.pattern.value);
      const auto fill = [&](const std::string& part, const std::string& with) {
        const size_t at = path.find(part);
        if (at != std::string::npos) path.replace(at, part.size(), with);
      };
      fill("{t}", target);
      fill("{cf}", "default");
      fill("{n}", target == "t1" ? "19" : "0");
      for (size_t open = path.find('{'); open != std::string::npos; open = path.find('{')) {
        path.replace(open, path.find('}') - open + 1, "1");
      }
      Request request{.method = std::string(MethodName(route.method)), .target = path};
      if (request.method != "GET") {
        request.headers = {{"Content-Type", "application/json"}};
        request.body = path.ends_with("/jobs") ? R"({"kind":"verify","file":"19"})"
                                               : R"({"keys":["a","hex:00"]})";
      }
      seeds.push_back(request);
      for (const QueryParameter& parameter : std::span<const QueryParameter>(route.parameters)) {
        Request more = request;
        more.target += "?" + std::string(parameter.name) + "=1&page_size=3";
        seeds.push_back(more);
      }
    }
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  Request Mutated(Request request) {
    for (uint32_t i = 0; i < 1 + random_() % 3; ++i) {
      const uint32_t what = random_() % 12;
      if (what < 8) {
        Mutate(&request.target);
      } else if (what == 8) {
        Mutate(&request.method);
      } else if (what == 9) {
        Mutate(&request.body);
      } else {
        request.headers.emplace_back(Pick({"Accept", "Range", "If-None-Match", "Content-Type"}),
                                     Pick({"application/jsonl", "bytes=0-9", "bytes=-", "*",
                                           "text/event-stream", "bytes=99999999999999999999-"}));
        Mutate(&request.headers.back().second);
      }
    }
    return request;
  }
  size_t Below(size_t count) { return random_() % count; }

 private:
  std::string Pick(std::initializer_list<const char*> choices) {
    return *(choices.begin() + random_() % choices.size());
  }

  void Mutate(std::string* text) {
    const size_t at = text->empty() ? 0 : random_() % text->size();
    switch (random_() % 6) {
      case 0:
        if (!text->empty()) (*text)[at] = static_cast<char>(random_());
        break;
      case 1:
        text->insert(at, 1, static_cast<char>(random_()));
        break;
      case 2:
        text->resize(at);
        break;
      case 3:
        text->insert(at, text->substr(0, random_() % 40));
        break;
      default:
        text->insert(at, Pick({"/",
                               "..",
                               "%2e%2e%2f",
                               "%00",
                               "%",
                               "?",
                               "&",
                               "=",
                               "hex:",
                               "esc:\\x",
                               "u64be:18446744073709551616",
                               "-1",
                               "99999999999999999999",
                               "page_token=AQ",
                               "&bytes=full",
                               "{t}",
                               ":multiget",
                               "\xC0\xAF",
                               "{\"a\":[[[[",
                               "&edit=18446744073709551615",
                               "&limit=0"}));
    }
  }

  std::mt19937 random_;
};

void CheckAnswer(const Request& request, Response response) {
  CAPTURE(request.method);
  CAPTURE(request.target);
  CAPTURE(request.body);
  std::string body = std::move(response.body);
  std::string piece;
  // Streams are pulled a little, not to their end.
  for (int i = 0; response.stream != nullptr && i < 3; ++i) {
    if (response.stream->Next(&piece) != BodyStream::Event::kPiece) break;
  }
  REQUIRE(FindHeader(response.headers, "Cache-Control") != nullptr);
  if (response.status < 400) return;
  const Json problem = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  REQUIRE(problem.is_object());
  CHECK(problem["status"] == response.status);
  CHECK(problem["code"] != "internal");
  CHECK(problem["exit_code"] == response.exit_code);
  CHECK(problem["detail"].get<std::string>().find(VARVE_FIXTURES) == std::string::npos);
}

TEST_CASE("every route answers for every kind of target") {
  FixtureService fixture({"db/rocksdb-7.8.3/cursor", "sst/r119_comp_zstd_fv7.sst", "logs.txt"});
  for (const Request& seed : Seeds()) {
    Response response = fixture.Ask(seed);
    CHECK(response.status != 405);
    CheckAnswer(seed, std::move(response));
  }
}

TEST_CASE("mutated requests get an answer or a problem, never a crash") {
  constexpr uint32_t kSeed = 20'261'121;
  FixtureService fixture({"db/rocksdb-7.8.3/cursor", "sst/r119_comp_zstd_fv7.sst", "logs.txt"});
  const std::vector<Request> seeds = Seeds();
  Mutator mutator(kSeed);
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(kSeed);
    CAPTURE(i);
    const Request request = mutator.Mutated(seeds[mutator.Below(seeds.size())]);
    CheckAnswer(request, fixture.Ask(request));
  }
}

}  // namespace
}  // namespace varve::api
