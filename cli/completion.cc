// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <algorithm>
#include <set>

#include "cli/command.h"
#include "cli/commands/bench/workload.h"
#include "cli/help/help.h"
#include "cli/run_command.h"
#include "core/base/text/text.h"
#include "core/inspect/lsm/lsm_report.h"
#include "varve/environment.h"
#include "varve/option_table.h"

namespace varve::cli {
namespace {

// A command's parameters, looked up by what is typed.
class Declared : public DeclaredParameters {
 public:
  using DeclaredParameters::DeclaredParameters;

  const Parameter* Flag(std::string_view word) const {
    const std::string_view name = word.substr(0, word.find('='));
    for (const Parameter& parameter : list()) {
      if (parameter.positional) continue;
      if (name == parameter.long_name() || name == parameter.short_name()) return &parameter;
    }
    return nullptr;
  }
  // The n-th one, or the last if that takes the rest.
  const Parameter* Positional(size_t n) const {
    const Parameter* last = nullptr;
    for (const Parameter& parameter : list()) {
      if (!parameter.positional) continue;
      if (n-- == 0) return &parameter;
      last = &parameter;
    }
    return last != nullptr && last->repeats() ? last : nullptr;
  }
};

// The words before the cursor.
struct TypedLine {
  std::vector<std::string> positionals;
  const Parameter* awaiting = nullptr;  // The flag whose value comes next.
  bool only_positionals = false;        // Behind "--".
};

TypedLine ReadTyped(const Declared& declared, const std::vector<std::string>& words) {
  TypedLine line;
  for (const std::string& word : words) {
    if (line.awaiting != nullptr) {
      line.awaiting = nullptr;
    } else if (line.only_positionals || word == "-" || !word.starts_with('-')) {
      line.positionals.push_back(word);
    } else if (word == "--") {
      line.only_positionals = true;
    } else if (const Parameter* flag = declared.Flag(word);
               flag != nullptr && !flag->is_switch() && word.find('=') == std::string::npos) {
      line.awaiting = flag;
    }
  }
  return line;
}

void AddFamilies(const TypedLine& line, Candidates* out) {
  if (line.positionals.empty()) return;
  const auto report =
      ReportLsm(*NativeEnvironment().file_system, line.positionals.front(), LsmQuery{});
  if (!report.ok()) return;  // Running the command will report the error.
  for (const FamilyReport& family : report->families) {
    out->words.push_back({EscapeForDisplay(family.name), std::to_string(family.files) + " files"});
  }
}

// NAME= of every option, and after that the values of options with few values.
void AddEngineOptions(const std::string& current, Candidates* out) {
  const size_t equals = current.find('=');
  for (const OptionRow& row : OptionTable()) {
    const std::string name = std::string(row.name) + "=";
    if (equals == std::string::npos) {
      out->words.push_back({name, std::string(row.help)});
      continue;
    }
    if (current.substr(0, equals + 1) != name || row.range.find('|') == std::string_view::npos) {
      continue;
    }
    std::string_view rest = row.range;
    while (!rest.empty()) {
      const size_t bar = rest.find('|');
      out->words.push_back({name + std::string(rest.substr(0, bar)), ""});
      rest = bar == std::string_view::npos ? "" : rest.substr(bar + 1);
    }
  }
}

Candidates FirstWords() {
  Candidates words;
  std::set<std::string> seen;
  for (const Command& command : CommandTable()) {
    const std::string first(command.name.substr(0, command.name.find(' ')));
    if (!seen.insert(first).second) continue;
    words.words.push_back(
        {first, first == command.name ? std::string(command.summary) : "a group of commands"});
  }
  return words;
}

Candidates SecondWords(const std::string& group) {
  Candidates words;
  for (const Command& command : CommandTable()) {
    if (!command.name.starts_with(group + " ")) continue;
    words.words.push_back(
        {std::string(command.name.substr(group.size() + 1)), std::string(command.summary)});
  }
  return words;
}

// All values of `parameter`, whatever their prefix.
Candidates ValuesOf(const Parameter& parameter, const TypedLine& line, const std::string& current) {
  Candidates values;
  for (const std::string& choice : parameter.choices) values.words.push_back({choice, ""});
  switch (parameter.names) {
    case Names::kNothing:
    case Names::kNewFamily:
      break;
    case Names::kFile:
      values.files = true;
      break;
    case Names::kFamily:
      AddFamilies(line, &values);
      break;
    case Names::kEngineOption:
      AddEngineOptions(current, &values);
      break;
    case Names::kWorkload:
#ifdef VARVE_HAS_BENCH
      for (const bench::Workload& workload : bench::WorkloadTable()) {
        values.words.push_back({std::string(workload.name), std::string(workload.summary)});
      }
#endif
      break;
    case Names::kCommand:
      if (line.positionals.empty()) return FirstWords();
      if (line.positionals.size() == 1) return SecondWords(line.positionals[0]);
      break;
  }
  return values;
}

Candidates AllCandidates(std::vector<std::string> before, const std::string& current) {
  if (before.empty()) return FirstWords();
  size_t used = 0;
  const Command* const command = FindCommand(before, &used);
  if (command == nullptr) return before.size() == 1 ? SecondWords(before[0]) : Candidates{};
  before.erase(before.begin(), before.begin() + static_cast<ptrdiff_t>(used));

  const Declared declared(*command);
  const TypedLine line = ReadTyped(declared, before);
  if (line.awaiting != nullptr) return ValuesOf(*line.awaiting, line, current);
  if (line.only_positionals || !current.starts_with('-')) {
    const Parameter* const positional = declared.Positional(line.positionals.size());
    return positional == nullptr ? Candidates{} : ValuesOf(*positional, line, current);
  }
  const size_t equals = current.find('=');
  const Parameter* const flag = declared.Flag(current);
  if (equals != std::string::npos && flag != nullptr && !flag->is_switch()) {
    Candidates values = ValuesOf(*flag, line, current.substr(equals + 1));
    for (Candidate& value : values.words) value.word.insert(0, current, 0, equals + 1);
    return values;
  }
  Candidates flags;
  for (const Parameter& parameter : declared.list()) {
    if (!parameter.positional) flags.words.push_back({parameter.long_name(), parameter.help});
  }
  return flags;
}

// bash replaces from the last word break on ("=" and ":" are some), and inserts answers literally:
// a database must not inject a command into the user's line through the name of a family.
constexpr std::string_view kBashScript = R"script(_varve() {
  local candidate current="${COMP_WORDS[COMP_CWORD]}" line="${COMP_LINE:0:COMP_POINT}"
  COMPREPLY=()
  while IFS= read -r candidate; do
    case "$candidate" in
      :files) compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do
          COMPREPLY+=("$candidate")
        done < <(compgen -f -- "$current");;
      *=) compopt -o nospace 2>/dev/null; COMPREPLY+=("$(printf %q "$candidate")");;
      *) COMPREPLY+=("$(printf %q "$candidate")");;
    esac
  done < <("${COMP_WORDS[0]}" completion bash --breaks "$COMP_WORDBREAKS" --line "$line" 2>/dev/null)
}
complete -F _varve varve
)script";

constexpr std::string_view kZshScript = R"script(#compdef varve
_varve() {
  local line word
  local -a words_ plain open open_help plain_help
  words_=("${(@Q)words[2,CURRENT-1]}")
  for line in "${(@f)$("${(Q)words[1]}" completion zsh -- "${words_[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    word="${line%%$'\t'*}"
    case "$word" in
      '') ;;
      :files) _files;;
      *=) open+=("$word"); open_help+=("$word  ${line#*$'\t'}");;
      *) plain+=("$word"); plain_help+=("$word  ${line#*$'\t'}");;
    esac
  done
  (( $#open )) && compadd -l -S '' -d open_help -- "${open[@]}"
  (( $#plain )) && compadd -l -d plain_help -- "${plain[@]}"
  return 0
}
if [ "$funcstack[1]" = "_varve" ]; then
  _varve "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u; }
  compdef _varve varve
fi
)script";

constexpr std::string_view kFishScript = R"script(function __varve_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion fish -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo -- $line
        end
    end
end
complete -c varve -f -a '(__varve_complete)'
)script";

}  // namespace

Candidates Complete(const std::vector<std::string>& before, const std::string& current) {
  Candidates candidates = AllCandidates(before, current);
  std::erase_if(candidates.words,
                [&](const Candidate& candidate) { return !candidate.word.starts_with(current); });
  return candidates;
}

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return std::string(kBashScript);
  if (shell == "zsh") return std::string(kZshScript);
  if (shell == "fish") return std::string(kFishScript);
  return "";
}

std::string CompletionAnswer(std::string_view shell, const Candidates& candidates) {
  std::string answer;
  for (const Candidate& candidate : candidates.words) {
    answer += candidate.word;
    if (shell != "bash") answer += "\t" + candidate.help;
    answer += "\n";
  }
  if (candidates.files) answer += ":files\n";
  return answer;
}

}  // namespace varve::cli
