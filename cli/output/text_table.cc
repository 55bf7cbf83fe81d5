// SPDX-License-Identifier: Apache-2.0
#include "cli/output/text_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "cli/output/plain_text.h"
#include "core/base/text/text.h"

namespace varve::cli {
namespace {

constexpr size_t kNarrowest = 40;
constexpr std::string_view kGap = "  ";
constexpr std::array<std::string_view, 9> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

bool LocaleHasUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos ||
           text.find("utf8") != std::string_view::npos;
  }
  return false;
}

std::string Padded(const std::string& cell, size_t width, TextTable::Align align) {
  const size_t taken = DisplayWidth(cell);
  const std::string blanks(width > taken ? width - taken : 0, ' ');
  return align == TextTable::Align::kRight ? blanks + cell : cell + blanks;
}

void TrimEnd(std::string* line) {
  while (line->ends_with(' ')) line->pop_back();
}

}  // namespace

Terminal TerminalOf(const Console& console) {
  Terminal terminal;
  terminal.unicode = LocaleHasUtf8();
  terminal.color = console.color();
  terminal.there = console.out_is_terminal();
  winsize size = {};
  if (console.out_is_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0) {
    terminal.width = std::max<size_t>(size.ws_col, kNarrowest);
  }
  return terminal;
}

std::string Tinted(const Terminal& terminal, Tint tint, std::string_view text) {
  if (!terminal.color || tint == Tint::kNone) return std::string(text);
  constexpr std::array<std::string_view, 6> kCodes = {"0", "1", "2", "31", "33", "32"};
  return TintMark(kCodes[static_cast<size_t>(tint)]) + std::string(text) + TintMark(kCodes[0]);
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    if (const size_t mark = TintMarkLength(text); mark > 0) {
      text.remove_prefix(mark);
      continue;
    }
    const auto lead = static_cast<uint8_t>(text[0]);
    if ((lead & 0xC0) != 0x80) width++;  // Continuation bytes belong to the previous character.
    text.remove_prefix(1);
  }
  return width;
}

std::string Fit(std::string_view text, size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const size_t kept = width > 3 ? width - 3 : 0;
  size_t end = 0, columns = 0;
  bool tinted = false;
  while (end < text.size()) {
    if (const size_t mark = TintMarkLength(text.substr(end)); mark > 0) {
      tinted = true;
      end += mark;
      continue;
    }
    const bool starts = (static_cast<uint8_t>(text[end]) & 0xC0) != 0x80;
    if (starts && columns++ == kept) break;
    end++;
  }
  return std::string(text.substr(0, end)) + (tinted ? TintMark("0") : "") +
         std::string(std::min<size_t>(width, 3), '.');
}

std::string FitCell(const Terminal& terminal, std::string_view text, size_t width) {
  return terminal.there ? Fit(text, width) : std::string(text);
}

std::string Wrapped(std::string_view text, size_t width, size_t indent) {
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + std::exchange(line, {}) + "\n";
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (indent + DisplayWidth(line) + 1 + DisplayWidth(word) > width) end_line();
    line += (line.empty() || word.empty() ? "" : " ") + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  end_line();
  return out;
}

std::string ShortKey(std::string_view key, size_t width) {
  // No need to escape a long key completely: an escaped byte takes at least one column, and UTF-8
  // at most four bytes per column.
  const std::string text = EscapeForDisplay(key.substr(0, 4 * width + 4));
  return Fit(text, width);
}

std::string Bar(const Terminal& terminal, double fraction, size_t width) {
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (!terminal.unicode) {
    auto filled = static_cast<size_t>(fraction * static_cast<double>(width));
    if (fraction > 0) filled = std::max<size_t>(filled, 1);
    return std::string(filled, '#');
  }
  auto eighths = static_cast<size_t>(fraction * static_cast<double>(width) * 8);
  if (fraction > 0) eighths = std::max<size_t>(eighths, 1);
  std::string bar;
  for (size_t i = 0; i < eighths / 8; i++) bar += kEighths[8];
  return bar + std::string(kEighths[eighths % 8]);
}

std::string TextTable::Render(size_t indent) const {
  const size_t columns = columns_.size();
  std::vector<size_t> widths(columns, 0);
  for (const std::vector<std::string>& row : rows_) {
    for (size_t i = 0; i < columns; i++) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  size_t used = indent;
  size_t last = 0;
  for (size_t i = 0; i < columns; i++) {
    if (widths[i] == 0) continue;
    widths[i] = std::max(widths[i], DisplayWidth(columns_[i].header));
    used += widths[i] + kGap.size();
    last = i;
  }
  used -= used > indent ? kGap.size() : 0;
  // Shrinks the widest columns first, but none to nothing.
  constexpr size_t kLeast = 8;
  for (; terminal_.there && used > terminal_.width; used--) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeast) break;
    --*widest;
  }
  std::string out;
  const auto line = [&](const auto& cell_of, Tint tint) {
    std::string text(indent, ' ');
    for (size_t i = 0; i < columns; i++) {
      if (widths[i] == 0) continue;
      const std::string cell = Fit(cell_of(i), widths[i]);
      text += Padded(cell, widths[i], columns_[i].align);
      if (i != last) text += kGap;
    }
    TrimEnd(&text);
    out += Tinted(terminal_, tint, text) + "\n";
  };
  const bool headed = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return !column.header.empty(); });
  if (headed) line([&](size_t i) { return columns_[i].header; }, Tint::kDim);
  for (const std::vector<std::string>& row : rows_) {
    line([&](size_t i) { return row[i]; }, Tint::kNone);
  }
  return out;
}

KeyAxis::KeyAxis(const Comparator* order, std::vector<std::string_view> boundaries)
    : order_(order), boundaries_(std::move(boundaries)) {
  if (order_ == nullptr) {
    boundaries_.clear();
    return;
  }
  std::sort(boundaries_.begin(), boundaries_.end(),
            [this](std::string_view a, std::string_view b) { return order_->Compare(a, b) < 0; });
  boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end(),
                                [this](std::string_view a, std::string_view b) {
                                  return order_->Compare(a, b) == 0;
                                }),
                    boundaries_.end());
}

size_t KeyAxis::Rank(std::string_view key) const {
  const auto it = std::lower_bound(
      boundaries_.begin(), boundaries_.end(), key,
      [this](std::string_view a, std::string_view b) { return order_->Compare(a, b) < 0; });
  return static_cast<size_t>(it - boundaries_.begin());
}

std::string KeyAxis::Strip(const Terminal& terminal, const std::vector<Range>& ranges,
                           size_t width) const {
  if (boundaries_.empty() || width == 0) return "";
  // The covered share of each column, by rank: [from, to + 1) of the boundaries.
  std::vector<double> covered(width, 0);
  const double scale = static_cast<double>(width) / static_cast<double>(boundaries_.size());
  for (const auto& [from, to] : ranges) {
    const double begin = static_cast<double>(Rank(from)) * scale;
    const double end = static_cast<double>(Rank(to) + 1) * scale;
    for (auto i = static_cast<size_t>(begin); i < width && static_cast<double>(i) < end; i++) {
      const double left = std::max(begin, static_cast<double>(i));
      const double right = std::min(end, static_cast<double>(i) + 1);
      covered[i] += right - left;
    }
  }
  std::string strip;
  for (const double part : covered) {
    const size_t grade = part <= 0.001 ? 0 : part < 0.35 ? 1 : part < 0.85 ? 2 : 3;
    constexpr std::array<std::string_view, 4> kBlocks = {" ", "░", "▒", "█"};
    constexpr std::array<std::string_view, 4> kPlain = {" ", ".", "-", "="};
    strip += terminal.unicode ? kBlocks[grade] : kPlain[grade];
  }
  return strip;
}

}  // namespace varve::cli
