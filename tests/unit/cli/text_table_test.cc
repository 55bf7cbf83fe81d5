// SPDX-License-Identifier: Apache-2.0
#include "cli/output/text_table.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/output/human_numbers.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST_CASE("TextTable: columns align, empty ones are left out, nothing is wider than the terminal") {
  for (const size_t width : {40, 60, 80, 200}) {
    TextTable table({.width = width}, {{"a", Align::kRight}, {"empty"}, {"long header"}, {"rest"}});
    table.Add({"1", "", "x", std::string(300, 'y')});
    table.Add({"1234", "", "€€", "z"});
    const std::vector<std::string> lines = Lines(table.Render(2));
    REQUIRE(lines.size() == 3);
    for (const std::string& line : lines) CHECK(DisplayWidth(line) <= width);
    CHECK(lines[0] == "     a  long header  rest");
    CHECK(lines[2] == "  1234  €€           z");
    CHECK(lines[1].ends_with("..."));
  }
}

TEST_CASE("Wrapped: lines of whole words, a word that is too long on a line of its own") {
  CHECK(Wrapped("a bc  def g", 8, 2) == "  a bc\n  def g\n");
  CHECK(Wrapped("a verylongword b", 8, 2) == "  a\n  verylongword\n  b\n");
  CHECK(Wrapped("héé béé", 9, 2) == "  héé béé\n");
  CHECK(Wrapped("", 8, 2).empty());
}

TEST_CASE("DisplayWidth: escapes take no columns, characters one") {
  const Terminal terminal{.color = true};
  CHECK(DisplayWidth(Tinted(terminal, Tint::kRed, "béta")) == 4);
  CHECK(DisplayWidth(Fit(Tinted(terminal, Tint::kRed, "béta and more"), 8)) == 8);
  CHECK(Tinted({.color = false}, Tint::kRed, "x") == "x");
}

TEST_CASE("Bar: something shows unless it is nothing, and never more than all") {
  for (const bool unicode : {false, true}) {
    const Terminal terminal{.unicode = unicode};
    CHECK(DisplayWidth(Bar(terminal, 0, 10)) == 0);
    CHECK(DisplayWidth(Bar(terminal, 0.0001, 10)) == 1);
    CHECK(DisplayWidth(Bar(terminal, 0.5, 10)) == 5);
    CHECK(DisplayWidth(Bar(terminal, 7, 10)) == 10);
  }
}

TEST_CASE("KeyAxis: ranges stand where their keys do among all boundaries") {
  const KeyAxis axis(BytewiseComparator(), {"d", "a", "b", "c", "b", "h", "e", "f", "g"});
  CHECK(axis.first() == "a");
  CHECK(axis.last() == "h");
  const Terminal terminal;
  CHECK(axis.Strip(terminal, {{"a", "h"}}, 8) == "========");
  CHECK(axis.Strip(terminal, {{"a", "b"}, {"g", "h"}}, 8) == "==    ==");
  CHECK(axis.Strip(terminal, {{"c", "d"}}, 8) == "  ==    ");
  CHECK(axis.Strip(terminal, {{"c", "c"}}, 4) == " -  ");
  CHECK(axis.Strip(terminal, {}, 4) == "    ");
}

TEST_CASE("KeyAxis: the order is the family's, and an unknown one has no axis") {
  const KeyAxis reverse(ReverseBytewiseComparator(), {"a", "b", "c", "d"});
  CHECK(reverse.first() == "d");
  CHECK(reverse.Strip({}, {{"d", "c"}}, 4) == "==  ");
  const KeyAxis unknown(nullptr, {"a", "b"});
  CHECK(unknown.empty());
  CHECK(unknown.Strip({}, {{"a", "b"}}, 4).empty());
}

TEST_CASE("ShortKey: any bytes fit, escaped and on one line") {
  CHECK(ShortKey("user:1", 10) == "user:1");
  CHECK(DisplayWidth(ShortKey(std::string(1000, '\0'), 12)) == 12);
  CHECK(ShortKey("a\nb", 10) == "a\\nb");
}

}  // namespace
}  // namespace varve::cli
