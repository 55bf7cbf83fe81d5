// SPDX-License-Identifier: Apache-2.0
#include "cli/help/man_page.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/defaults.h"
#include "cli/help/help.h"
#include "cli/output/lines.h"
#include "core/base/text/printable.h"
#include "varve/version.h"

namespace varve::cli {
namespace {

// Text as troff prints it. Escapes what troff would interpret, and characters that it would replace
// by others: ' and ` by quotation marks, - by a hyphen.
std::string Escaped(std::string_view text) {
  std::string out;
  // A line that begins with . or ' is a request. The latter is escaped below.
  if (text.starts_with('.')) out = "\\&";
  while (!text.empty()) {
    const Character character = FirstCharacter(text);
    const char c = text.front();
    if (character.size > 1) {
      char name[16];
      std::snprintf(name, sizeof name, "\\[u%04X]", character.code_point);
      out += name;
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
    text.remove_prefix(character.size > 1 ? character.size : 1);
  }
  return out;
}

std::string Bold(std::string_view text) { return "\\fB" + Escaped(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Escaped(text) + "\\fR"; }

// "varve-sst-info".
std::string PageName(const Command& command) {
  std::string name = "varve-" + std::string(command.name);
  for (char& c : name) c = c == ' ' ? '-' : c;
  return name;
}

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string Sentence(std::string_view text) {
  return Escaped(Upper(text.substr(0, 1)) + std::string(text.substr(1)) + ".") + "\n";
}

std::string Title(const std::string& name, std::string_view summary) {
  return ".TH " + Escaped(Upper(name)) + " 1 \"\" \"varve " + Escaped(VARVE_VERSION) +
         "\" \"User Commands\"\n"
         // No hyphenation (the register is what .TP restores) and no justification.
         ".nr HY 0\n.nh\n.ad l\n"
         ".SH NAME\n" +
         Escaped(name) + " \\- " + Escaped(summary) + "\n";
}

std::string Examples(std::string_view lines) {
  std::string out = ".PP\n.RS 4\n.EX\n";
  for (const std::string_view line : SplitLines(lines)) out += Escaped(line) + "\n";
  return out + ".EE\n.RE\n";
}

std::string Item(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + Escaped(text) + "\n";
}

std::string Reference(std::string_view page, std::string_view behind = "") {
  return ".BR " + Escaped(page) + " (1)" + std::string(behind) + "\n";
}

std::string Synopsis(const Command& command, const std::vector<Parameter>& parameters) {
  std::string out = ".SH SYNOPSIS\n" + Bold("varve " + std::string(command.name));
  for (const Parameter& parameter : parameters) {
    if (!parameter.positional) continue;
    const std::string word = Italic(parameter.name) + (parameter.repeats() ? " ..." : "");
    out += parameter.required ? " " + word : " [" + word + "]";
  }
  return out + " [" + Italic("flag") + " ...]\n";
}

std::string OptionItem(const Parameter& parameter) {
  std::string tag;
  if (parameter.positional) {
    tag = Italic(parameter.name);
  } else {
    if (!parameter.short_name().empty()) tag = Bold(parameter.short_name()) + ", ";
    tag += Bold(parameter.long_name());
    if (!parameter.is_switch()) tag += " " + Italic("value");
  }
  std::string text = parameter.help;
  if (!parameter.choices.empty()) text += ":";
  for (const std::string& choice : parameter.choices) text += " " + choice;
  return Item(tag, text);
}

std::string OptionItems(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const bool positional : {true, false}) {
    for (const Parameter& parameter : parameters) {
      if (parameter.positional == positional) out += OptionItem(parameter);
    }
  }
  return out;
}

// Splits "0 found, 1 absent": each part begins with its code, after a comma. Empty if the text
// begins with none, as for `shell`.
std::vector<std::pair<std::string_view, std::string_view>> ExitCodesOf(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> codes;
  if (std::isdigit(static_cast<unsigned char>(text.front())) == 0) return codes;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    size_t end = blank;
    while (end < text.size() && !(text.substr(end, 2) == ", " && end + 2 < text.size() &&
                                  std::isdigit(static_cast<unsigned char>(text[end + 2])) != 0)) {
      ++end;
    }
    codes.emplace_back(text.substr(0, blank),
                       end == blank ? "" : text.substr(blank + 1, end - blank - 1));
    text = end == text.size() ? "" : text.substr(end + 2);
  }
  return codes;
}

// The stable meaning for scripts.
std::string_view ExitStatusOf(ExitCode code) {
  switch (code) {
    case kDone:
      return "the answer is yes: done, found, equal";
    case kNegative:
      return "the answer is no: absent, different";
    case kUsage:
      return "usage, or an input refused as a whole: nothing was changed";
    case kEnvironment:
      return "I/O: no such file, permission, disk full";
    case kCorrupt:
      return "corruption; the message names file, offset, stored and computed value";
    case kBusyTarget:
      return "busy: the lock is held";
    case kUnsupported:
      return "not supported; the message names the feature";
    case kPartial:
      return "partial: lines were rejected, a log is damaged, something was lost";
    case kRefused:
      return "refused: read-only, not confirmed, or it exists already";
    case kBug:
      return "a bug in varve";
  }
  return "";
}

std::string ExitStatus(const Command& command) {
  std::string out = ".SH EXIT STATUS\n", others;
  const auto own = ExitCodesOf(command.exit_codes);
  if (own.empty()) out += Escaped(command.exit_codes) + ".\n";
  for (const auto& [code, meaning] : own) {
    out += Item(Bold(code), meaning.empty() ? "done" : meaning);
  }
  for (const auto& [code, meaning] : ExitCodeMeanings()) {
    const std::string number = std::to_string(code);
    bool said = code == kDone || code == kNegative;
    for (const auto& [own_code, own_meaning] : own) said = said || own_code == number;
    if (!said) others += (others.empty() ? "" : ", ") + number + " " + std::string(meaning);
  }
  return out + ".PP\nAs for every command: " + Escaped(others) + ".\n";
}

std::string SettingItem(const Setting& setting) {
  return ".TP\n" + Bold(setting.variable) + "\nThe default of " +
         Bold("--" + std::string(setting.name)) + ".\n";
}

std::string Environment(const Command& command, const std::vector<Parameter>& parameters) {
  std::string out = ".SH ENVIRONMENT\n";
  for (const Setting& setting : Settings()) {
    for (const Parameter& parameter : parameters) {
      if (TakesSetting(command, parameter, setting)) out += SettingItem(setting);
    }
  }
  return out + ".PP\nThe others, and the file that says the same, are in\n" +
         Reference("varve", ".");
}

// varve(1), and the other commands of its group.
std::string SeeAlso(const Command& command) {
  std::vector<std::string> pages = {"varve"};
  const std::string group(command.name.substr(0, command.name.find(' ')));
  for (const Command& other : CommandTable()) {
    if (&other != &command && other.name.starts_with(group + " ")) pages.push_back(PageName(other));
  }
  std::string out = ".SH SEE ALSO\n";
  for (const std::string& page : pages) out += Reference(page, &page == &pages.back() ? "" : ",");
  return out;
}

}  // namespace

std::string ManPage(const Command& command) {
  const DeclaredParameters declared(command);
  return Title(PageName(command), command.summary) + Synopsis(command, declared.list()) +
         ".SH DESCRIPTION\n" + Sentence(command.summary) + Examples(command.examples) +
         ".SH OPTIONS\n" + OptionItems(declared.list()) + ExitStatus(command) +
         Environment(command, declared.list()) + SeeAlso(command);
}

std::string ManPage() {
  std::string out = Title("varve", kTagline) + ".SH SYNOPSIS\n" + Bold("varve") + " " +
                    Italic("command") + " [" + Italic("argument") + " ...] [" + Italic("flag") +
                    " ...]\n.SH DESCRIPTION\n" +
                    Sentence(
                        "reads and writes databases in the format of RocksDB, reads those of "
                        "LevelDB, and shows what is inside them") +
                    Sentence(
                        "what only reads never writes: no LOCK, no LOG, no temporary file in "
                        "the database; one that another process is writing is read as it was "
                        "at one moment") +
                    Examples(kOverviewExamples) + ".SH COMMANDS\n";
  for (const Command& command : CommandTable()) {
    out += ".TP\n" + Reference(PageName(command)) + Escaped(command.summary) + "\n";
  }
  OutputOptions output;
  Parameters shared;
  DeclareOutput(shared, &output);
  out += ".SH OPTIONS\nEvery command takes these; they may stand in front of it, too.\n" +
         OptionItems(shared.list()) + ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : ExitCodeMeanings()) {
    out += Item(Bold(std::to_string(code)), ExitStatusOf(code));
  }
  out += ".SH ENVIRONMENT\n";
  for (const Setting& setting : Settings()) out += SettingItem(setting);
  out +=
      Item(Bold("NO_COLOR"), "If it is not empty, colours are only printed with --color always.") +
      Item(
          Bold("VARVE_HTTP_CACHE"),
          "Directory for what is read from URLs, as --http-cache; VARVE_HTTP_CACHE_SIZE: its size, "
          "1GiB if it is not set.") +
      Item(Bold("VARVE_HTTP_AUTHORIZATION"),
           "The Authorization header for URLs; else their user and password, or ~/.netrc.") +
      Item(Bold("VARVE_HTTP_TIMEOUT"), "Seconds in which a read from a URL ends, 60 if not set.") +
      Item(Bold("AWS_ACCESS_KEY_ID") + ", " + Bold("AWS_SECRET_ACCESS_KEY") + ", " +
               Bold("AWS_SESSION_TOKEN") + ", " + Bold("AWS_REGION") + ", " +
               Bold("AWS_ENDPOINT_URL"),
           "Credentials and place of what s3:// URLs name.") +
      Item(Bold("TMPDIR"), "Where temporary files are made, /tmp if it is not set.") +
      ".SH FILES\n" +
      Item(Bold("$XDG_CONFIG_HOME/varve/config") + ", " + Bold("~/.config/varve/config"),
           "The same defaults, one a line, as in cache = 256MiB. The environment goes first.") +
      ".SH SEE ALSO\n" + Reference("varve-help", ",") + Reference("varve-config", ",") +
      Reference("varve-options");
  return out;
}

}  // namespace varve::cli
