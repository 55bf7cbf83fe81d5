// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/options_file.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "core/base/try.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr std::string_view kTablePrefix = "TableOptions/";

// Unique per section: a kind is one line of text.
std::string SectionKey(std::string_view kind, std::string_view family) {
  return std::string(kind).append("\n").append(family);
}

bool IsTableKind(std::string_view kind) { return kind.starts_with(kTablePrefix); }

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view StripComment(std::string_view line) {
  for (size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] != '\\') return line.substr(0, at);
  }
  return line;
}

std::string EscapeFamily(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '\r' || c == '\n') {
      out += c == '\r' ? "\\r" : "\\n";
      continue;
    }
    if (c == '\\' || c == '#' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

// Nullopt if a backslash ends the text.
std::optional<std::string> UnescapeFamily(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    out += text[i] == 'r' ? '\r' : text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

class Parser {
 public:
  Result<OptionsFile> Parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      RETURN_IF_ERROR(ParseLine(Trim(StripComment(text.substr(0, end)))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!Has(kDatabaseSection, "")) return Wrong("there is no [DBOptions]");
    if (!Has(kFamilySection, kDefaultFamily)) {
      return Wrong("there is no [CFOptions \"default\"]");
    }
    return std::move(file_);
  }

 private:
  Status Wrong(std::string_view why) const {
    return Status::Corruption("OPTIONS line " + std::to_string(line_) + ": " + std::string(why));
  }

  Status ParseLine(std::string_view line) {
    if (line.empty()) return {};
    if (line.front() == '[') return ParseSection(line);
    if (file_.sections.empty()) return Wrong("a statement in front of any section");
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return Wrong("a statement without '='");
    const std::string_view name = Trim(line.substr(0, equals));
    if (name.empty()) return Wrong("a value without a name");
    if (!names_.insert(name).second) return Wrong("an option is there twice");
    file_.sections.back().values.emplace_back(name, Trim(line.substr(equals + 1)));
    return {};
  }

  Status ParseSection(std::string_view line) {
    if (line.size() < 2 || line.back() != ']') return Wrong("a section without ']'");
    line = line.substr(1, line.size() - 2);
    OptionsSection section;
    section.kind = Trim(line.substr(0, line.find('"')));
    if (const size_t quote = line.find('"'); quote != std::string_view::npos) {
      const std::string_view quoted = Trim(line.substr(quote));
      if (quoted.size() < 2 || quoted.back() != '"') return Wrong("a family without its quote");
      const std::optional<std::string> name = UnescapeFamily(quoted.substr(1, quoted.size() - 2));
      if (!name) return Wrong("a family's name ends inside an escape");
      section.family = *name;  // May be empty, which is a valid name.
    } else if (section.kind == kFamilySection || IsTableKind(section.kind)) {
      return Wrong("[" + section.kind + "] without a family");
    }
    RETURN_IF_ERROR(CheckSection(section));
    sections_.insert(SectionKey(section.kind, section.family));
    names_ = {};  // clear() would take time proportional to the largest section.
    file_.sections.push_back(std::move(section));
    return {};
  }

  Status CheckSection(const OptionsSection& section) const {
    if (Has(section.kind, section.family)) return Wrong("a section is there twice");
    if (section.kind == kVersionSection || section.kind == kDatabaseSection) {
      return section.family.empty() ? Status::Ok() : Wrong("this section has no family");
    }
    if (section.kind == kFamilySection) {
      const bool first = !Has(kFamilySection, kDefaultFamily);
      if (first && section.family != kDefaultFamily) return Wrong("\"default\" must come first");
      return {};
    }
    if (!IsTableKind(section.kind)) return Wrong("unknown section");
    if (!Has(kFamilySection, section.family)) {
      return Wrong("the table options of a family in front of the family's own");
    }
    return {};
  }

  bool Has(std::string_view kind, std::string_view family) const {
    return sections_.contains(SectionKey(kind, family));
  }

  OptionsFile file_;
  std::unordered_set<std::string> sections_;  // Those of file_.
  // Of the last section's options; they point into the text.
  std::unordered_set<std::string_view> names_;
  uint64_t line_ = 0;
};

std::string SectionTitle(const OptionsSection& section) {
  if (section.kind == kVersionSection || section.kind == kDatabaseSection) return section.kind;
  return section.kind + " \"" + EscapeFamily(section.family) + "\"";
}

}  // namespace

const std::string* OptionsSection::Find(std::string_view name) const {
  for (const auto& [key, value] : values) {
    if (key == name) return &value;
  }
  return nullptr;
}

void OptionsSection::Set(std::string_view name, std::string value) {
  for (auto& [key, old] : values) {
    if (key != name) continue;
    old = std::move(value);
    return;
  }
  values.emplace_back(name, std::move(value));
}

const OptionsSection* OptionsFile::Find(std::string_view kind, std::string_view family) const {
  for (const OptionsSection& section : sections) {
    if (section.kind == kind && section.family == family) return &section;
  }
  return nullptr;
}

FamilySections::FamilySections(const OptionsFile& file) {
  for (const OptionsSection& section : file.sections) {
    if (section.kind == kFamilySection) sections_[section.family].family = &section;
    if (IsTableKind(section.kind)) sections_[section.family].table = &section;
  }
}

FamilySections::Pair FamilySections::Of(std::string_view family) const {
  const auto found = sections_.find(family);
  return found == sections_.end() ? Pair() : found->second;
}

Result<OptionsFile> ParseOptionsFile(std::string_view text) {
  if (text.size() > kOptionsFileSizeMax) {
    return Status::Corruption("OPTIONS file of " + std::to_string(text.size()) + " bytes");
  }
  return Parser().Parse(text);
}

std::string FormatOptionsFile(const OptionsFile& file) {
  std::string out;
  for (const OptionsSection& section : file.sections) {
    if (!out.empty()) out += '\n';
    out += "[" + SectionTitle(section) + "]\n";
    for (const auto& [name, value] : section.values) out += "  " + name + "=" + value + "\n";
  }
  return out;
}

}  // namespace varve
