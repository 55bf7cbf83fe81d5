// SPDX-License-Identifier: Apache-2.0
// The oracle of concurrent_test: what it must not let pass.
#include "tests/simulator/commit_order.h"

#include <doctest/doctest.h>

namespace varve::simulator {
namespace {

using mix::Group;
using mix::Moment;
using mix::Operation;

// Two writers; commit n of writer w puts w.n at keys a and b.
struct TwoWriters {
  CommitOrder order{{"default", "default"}, [](size_t writer, uint64_t number) {
                      const std::string value =
                          std::to_string(writer) + "." + std::to_string(number);
                      return Group{{Operation::Kind::kPut, "default", "a", value},
                                   {Operation::Kind::kPut, "default", "b", value}};
                    }};
  // Writer 0 commits; then both at once, and writer 1 is acknowledged as durable.
  TwoWriters() {
    order.Issue(0);
    order.Acknowledge(0, /*durable=*/false);
    order.Issue(0);
    order.Issue(1);
    order.Acknowledge(1, /*durable=*/true);
  }
  std::string Check(const std::string& names, const std::string& a, const std::string& b) {
    Moment found;
    found["default"] = {{CommitOrder::kKey, names}, {"a", a}, {"b", b}};
    return order.Check(found, order.durable(), order.issued());
  }
};

TEST_CASE_FIXTURE(TwoWriters, "CommitOrder: orders that are allowed") {
  SUBCASE("without what was not acknowledged") { CHECK(Check("0:1,1:1", "1.1", "1.1") == ""); }
  SUBCASE("with it, first") { CHECK(Check("0:1,0:2,1:1", "1.1", "1.1") == ""); }
  SUBCASE("with it, last") { CHECK(Check("0:1,1:1,0:2", "0.2", "0.2") == ""); }
}

TEST_CASE_FIXTURE(TwoWriters, "CommitOrder: what must not be found") {
  SUBCASE("a durable commit is lost") { CHECK(Check("0:1", "0.1", "0.1") == "lost commit 1:1"); }
  SUBCASE("a hole: what came before a durable commit is lost") {
    CHECK(Check("1:1", "1.1", "1.1") == "has commit 1:1 without the earlier 0:1");
  }
  SUBCASE("half of a commit") {
    CHECK(Check("0:1,1:1", "1.1", "0.1") == "has the wrong value of b of default: 0.1, not 1.1");
  }
  SUBCASE("a commit that nobody made") {
    CHECK(Check("0:1,1:1,1:2", "1.2", "1.2") == "has commit 1:2 that was not issued");
  }
  SUBCASE("a commit twice") {
    CHECK(Check("0:1,1:1,1:1", "1.1", "1.1") == "has commit 1:1 too late or twice");
  }
  SUBCASE("what a later commit overwrote") {
    CHECK(Check("0:1,1:1", "0.1", "0.1") == "has the wrong value of a of default: 0.1, not 1.1");
  }
  SUBCASE("two orders, each of which would be allowed") {
    CHECK(Check("0:1,0:2,1:1", "1.1", "1.1") == "");
    CHECK(Check("0:1,1:1,0:2", "0.2", "0.2") == "has commit 1:1 where 0:2 was seen before");
  }
}

// A key of its own in each family: writer 2 has a line of its own.
TEST_CASE("CommitOrder: a line that was read alone") {
  CommitOrder order({"default", "default", "i"}, [](size_t, uint64_t) { return Group(); });
  const auto check = [&](const char* family, std::optional<std::string> found) {
    return order.CheckAlone(family, found, order.acknowledged(), order.issued());
  };
  CHECK(check("default", std::nullopt) == "");
  order.Issue(0);
  CHECK(check("default", std::nullopt) == "");
  CHECK(check("default", "0:1") == "");
  order.Acknowledge(0, /*durable=*/false);
  order.Issue(1);
  order.Issue(2);
  order.Acknowledge(2, /*durable=*/false);
  order.Issue(0);
  CHECK(check("i", "2:1") == "");
  CHECK(check("i", std::nullopt) == "lost commit 2:1");
  CHECK(check("i", "0:1") == "has commit 0:1 that was not issued");
  CHECK(check("default", std::nullopt) == "lost commit 0:1");
  CHECK(check("default", "1:1") == "has commit 1:1 without the earlier 0:1");
  CHECK(check("default", "0:1,1:1,1:2") == "has commit 1:2 that was not issued");
  CHECK(check("default", "0:1,1:1") == "");
  CHECK(check("default", "0:1") == "");  // By who began before the other ended.
  CHECK(check("default", "0:1,0:2") == "has commit 0:2 where 1:1 was seen before");
}

}  // namespace
}  // namespace varve::simulator
