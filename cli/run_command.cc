// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <variant>

#include "cli/advice.h"
#include "cli/arguments/parser.h"
#include "cli/arguments/suggestion.h"
#include "cli/command_output.h"
#include "cli/defaults.h"
#include "cli/help/help.h"
#include "cli/ldb/ldb.h"
#include "cli/output/output_file.h"
#include "cli/output/plain_text.h"
#include "cli/url_targets.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/target.h"
#include "varve/environment.h"

namespace varve::cli {

const Command* FindCommand(const std::vector<std::string>& words, size_t* used) {
  const Command* found = nullptr;
  std::string name;
  for (size_t n = 0; n < words.size() && n < 2; ++n) {
    name += (n == 0 ? "" : " ") + words[n];
    for (const Command& command : CommandTable()) {
      if (command.name == name) {
        found = &command;
        *used = n + 1;
      }
    }
  }
  return found;
}

namespace {

bool IsHelpFlag(const std::string& word) { return word == "-h" || word == "--help"; }

bool AsksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (IsHelpFlag(word)) return true;
  }
  return false;
}

void CollectWords(const Parameter& parameter, std::vector<std::string>* words) {
  if (const auto* one = std::get_if<std::string*>(&parameter.destination)) {
    words->push_back(**one);
  } else if (const auto* some = std::get_if<std::optional<std::string>*>(&parameter.destination)) {
    if (**some) words->push_back(***some);
  } else if (const auto* many = std::get_if<std::vector<std::string>*>(&parameter.destination)) {
    words->insert(words->end(), (*many)->begin(), (*many)->end());
  }
}

std::string TextOf(const Parameters& parameters, std::string_view name) {
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.name != name) continue;
    const auto* const text = std::get_if<std::optional<std::string>*>(&parameter.destination);
    if (text != nullptr) return (*text)->value_or("");
  }
  return "";
}

// A file that the command reads or makes and that the output would overwrite; empty if there is
// none. Keys and values are files only as @file.
std::string FileThatWouldChange(const Parameters& parameters, const std::string& output) {
  if (IsStandardInput(output)) return "standard input";
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.name == "o,output" || parameter.name == "rejects") continue;  // Written to.
    const bool file = parameter.names == Names::kFile;
    std::vector<std::string> words;
    CollectWords(parameter, &words);
    for (const std::string& word : words) {
      if (!file && !word.starts_with('@')) continue;
      const std::string path = file ? word : word.substr(1);
      if (IsSameOrWithin(output, path)) return path;
    }
  }
  return "";
}

// Why the command may not write to its output file; empty if it may.
std::string WhyNotWritten(const Parameters& parameters, const std::string& output) {
  const std::string rejects = TextOf(parameters, "rejects");
  for (const auto& [flag, path] : {std::pair("-o ", output), std::pair("--rejects ", rejects)}) {
    const std::string file = path.empty() ? "" : FileThatWouldChange(parameters, path);
    if (!file.empty()) return flag + path + " would change " + file;
    if (!path.empty() && IsNameOfDatabaseFile(path)) {
      return flag + path + " is a name that the database in that directory uses for its own files";
    }
  }
  if (!output.empty() && !rejects.empty() && IsSameOrWithin(output, rejects)) {
    return "-o and --rejects are the same file, " + output;
  }
  return "";
}

// Nothing is written into a LevelDB directory, whatever it is.
Status CheckNoneInLevelDb(const Parameters& parameters, const std::string& output) {
  for (const std::string& path : {output, TextOf(parameters, "rejects")}) {
    if (!path.empty()) RETURN_IF_ERROR(CheckNotInLevelDb(*NativeEnvironment().file_system, path));
  }
  return Status::Ok();
}

bool NamesAnInput(const Parameters& parameters, const Status& status) {
  for (const Parameter& parameter : parameters.list()) {
    auto* const inputs = std::get_if<std::vector<std::string>*>(&parameter.destination);
    if (!parameter.positional || inputs == nullptr) continue;
    for (const std::string& input : **inputs) {
      if (std::string_view(status.message()).starts_with(input)) return true;
    }
  }
  return false;
}

// The database or file on the command line that the message begins with; the first one if there is
// none.
std::string DamagedTarget(const Parameters& parameters, const Status& status) {
  FileSystem& fs = *NativeEnvironment().file_system;
  std::string first, named;
  for (const Parameter& parameter : parameters.list()) {
    std::vector<std::string> words;
    CollectWords(parameter, &words);
    if (first.empty() && parameter.positional && !words.empty()) first = words[0];
    for (const std::string& word : words) {
      const bool begins = status.message().starts_with(word);
      if (begins && word.size() > named.size() && fs.Exists(word)) named = word;
    }
  }
  return named.empty() ? first : named;
}

// Advice on damage of the target, or on its options. (The inputs of `load` may be damaged as well.)
std::string AdviceOn(const Command& command, const Parameters& parameters, const Status& status) {
  if (status.code() == Code::kNotSupported) return AdviceOnMergeOperator(status.message());
  if (status.code() != Code::kCorruption || command.name == "db repair" ||
      command.name == "sst salvage") {
    return "";
  }
  if (NamesAnInput(parameters, status)) return "";
  return AdviceOnDamage(DamagedTarget(parameters, status), status.message());
}

// The same for an answer that says itself what is damaged, or stands on a part of a log. Which of
// two databases that is, diff's lines say.
std::string AdviceOnAnswer(const Command& command, const Parameters& parameters, ExitCode code,
                           bool partial) {
  const bool damaged = code == kCorrupt || (code == kPartial && partial);
  const bool says_itself = command.name == "db verify" || command.name == "sst verify" ||
                           command.name == "db repair" || command.name == "sst salvage";
  if (!damaged || says_itself || command.name == "diff") return "";
  return AdviceOnDamage(DamagedTarget(parameters, Status::Ok()), "");
}

// Used for errors before the words are parsed.
bool AsksForJson(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json" || words[i] == "-Fjson" || words[i] == "--format=json") return true;
    const bool format = words[i] == "-F" || words[i] == "--format";
    if (format && i + 1 < words.size() && words[i + 1] == "json") return true;
  }
  return false;
}

int RunCommand(const Command& command, std::vector<std::string> words) {
  const std::unique_ptr<Invocation> invocation = command.make();
  OutputOptions output;
  Parameters parameters;
  invocation->Declare(parameters);
  DeclareOutput(parameters, &output, FormatsOf(command));
  UrlFlags urls;
  DeclareUrls(parameters, &urls);
  if (AsksForHelp(words)) {
    std::cout << CommandHelpText(command);
    return kDone;
  }
  const std::string verb = "varve " + std::string(command.name);
  if (Status applied = ApplyDefaults(command, parameters); !applied.ok()) {
    ReportFailure(verb, applied, AsksForJson(words));
    return ExitCodeOf(applied);
  }
  const std::string usual_format = std::exchange(output.format, {});
  Status parsed = ParseWords(parameters, std::move(words));
  if (parsed.ok() && output.json && !output.format.empty() && output.format != "json") {
    parsed = Status::InvalidArgument("--json means -F json, not -F " + output.format);
  }
  if (output.format.empty()) output.format = usual_format;
  output.json = output.json || output.format == "json";
  const bool as_json = output.ProblemsAsJson();
  if (output.output_file == "-" && invocation->OwnOutput() == nullptr) output.output_file.clear();
  if (!parsed.ok()) {
    ReportFailure(verb, parsed, as_json);
    return kUsage;
  }
  if (Status mounted = MountTargets(parameters, urls); !mounted.ok()) {
    ReportFailure(verb, mounted, as_json);
    return ExitCodeOf(mounted);
  }
  if (Status place = CheckNoneInLevelDb(parameters, output.output_file); !place.ok()) {
    ReportFailure(verb, place, as_json);
    return ExitCodeOf(place);
  }
  if (const std::string why = WhyNotWritten(parameters, output.output_file); !why.empty()) {
    ReportRefusal(verb, "read_only", why, as_json);
    return kRefused;
  }
  if (std::string* own = invocation->OwnOutput(); own != nullptr) {
    *own = std::exchange(output.output_file, {});
  }
  Result<std::unique_ptr<Console>> console = Console::Create(output);
  if (!console.ok()) {
    ReportFailure(verb, console.status(), as_json);
    return kEnvironment;
  }
  const Result<ExitCode> code = invocation->Run(**console);
  const Status written = code.ok() ? (*console)->Finish() : (*console)->out().Finish();
  const bool partial = (*console)->partial();
  NoteUrlStats(**console, urls);
  // The old file of -o FILE stays if there is no complete new one.
  console->reset();
  if (!written.ok()) {
    ReportFailure(verb, written, as_json);
    return ExitCodeOf(written);
  }
  if (!code.ok()) {
    ReportFailure(verb, code.status(), as_json, AdviceOn(command, parameters, code.status()));
    return ExitCodeOf(code.status());
  }
  const bool answered = *code == kDone || *code == kNegative;
  const ExitCode end = answered && partial ? kPartial : *code;
  const std::string advice =
      as_json || output.quiet ? "" : AdviceOnAnswer(command, parameters, end, partial);
  if (!advice.empty()) std::cerr << PlainText(verb + ": " + advice + "\n");
  return end;
}

// Moves the flags that every command has from `words[at]` on to a separate list. False at a flag of
// some command: whether it takes the next word is unknown here.
bool TakeSharedFlags(std::vector<std::string>* words, size_t at, std::vector<std::string>* taken) {
  OutputOptions unused;
  Parameters shared;
  DeclareOutput(shared, &unused);
  const auto begin = words->begin() + static_cast<ptrdiff_t>(at);
  auto word = begin;
  while (word != words->end() && word->size() > 1 && word->starts_with('-')) {
    const std::string name = word->substr(0, word->find('='));
    const auto flag =
        std::find_if(shared.list().begin(), shared.list().end(), [&](const Parameter& parameter) {
          const std::string short_name = parameter.short_name();
          return name == parameter.long_name() ||  // Or -F, -Fjson.
                 (!short_name.empty() && word->starts_with(short_name));
        });
    if (flag == shared.list().end()) break;
    const bool whole = name == flag->long_name() ? name == *word : *word == flag->short_name();
    ++word;
    if (whole && !flag->is_switch() && word != words->end()) ++word;
  }
  taken->insert(taken->end(), begin, word);
  words->erase(begin, word);
  return words->size() == at || words->at(at) == "-" || !words->at(at).starts_with('-');
}

// The error for a flag before the command that is not one of the common flags.
std::string MisplacedFlag(const std::string& word) {
  OutputOptions unused;
  Parameters shared;
  DeclareOutput(shared, &unused);
  std::vector<std::string> names;
  for (const Parameter& parameter : shared.list()) names.push_back(parameter.long_name());
  return "'" + word + "' must follow the command" + DidYouMean(word, names);
}

int Dispatch(std::vector<std::string> words) {
  if (words.empty()) {
    std::cerr << OverviewText();
    return kUsage;
  }
  // Its words are not ours: `ldb --db=x get key`.
  if (words[0] == kLdbWord) return RunLdb({words.begin() + 1, words.end()});
  if (IsHelpFlag(words[0])) words[0] = "help";
  if (words[0] == "--version") words[0] = "version";
  // Flags may also precede the verb: varve --json get ./db k.
  std::vector<std::string> flags;
  bool understood = TakeSharedFlags(&words, 0, &flags);
  // `varve help --help` means `varve help`.
  if (!words.empty() && words[0] == "help") std::erase_if(words, IsHelpFlag);
  if (understood && words.size() > 1 && IsGroup(words[0])) {
    if (IsHelpFlag(words[1])) {
      std::cout << GroupHelpText(words[0]);
      return kDone;
    }
    understood = TakeSharedFlags(&words, 1, &flags);
  }
  if (!understood || words.empty()) {
    const auto flag = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
    ReportFailure("varve",
                  Status::InvalidArgument(flag == words.end()
                                              ? "there is no command (varve --help lists them)"
                                              : MisplacedFlag(*flag)),
                  AsksForJson(flags));
    return kUsage;
  }
  size_t used = 0;
  const Command* command = FindCommand(words, &used);
  if (command == nullptr) {
    ReportFailure("varve", UnknownCommand(words), AsksForJson(flags) || AsksForJson(words));
    return kUsage;
  }
  words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(used));
  words.insert(words.begin(), flags.begin(), flags.end());
  return RunCommand(*command, std::move(words));
}

}  // namespace

int RunWords(std::vector<std::string> words) {
  const int code = Dispatch(std::move(words));
  // Help is written directly.
  errno = 0;
  if (std::cout.flush()) return code;
  std::cout.clear();
  ReportFailure("varve",
                Status::IoError(std::string("writing the output: ") +
                                std::strerror(errno != 0 ? errno : EIO)),
                /*as_json=*/false);
  return kEnvironment;
}

int RunWordsOrReport(std::vector<std::string> words) {
  const bool as_json = AsksForJson(words);
  try {
    return RunWords(std::move(words));
  } catch (const std::bad_alloc&) {
    ReportFailure("varve", Status::IoError("out of memory"), as_json);
    return kEnvironment;
  } catch (const std::system_error& error) {
    // E.g. no thread, or no directory for temporary files.
    ReportFailure("varve", Status::IoError(std::string("the system refused: ") + error.what()),
                  as_json);
    return kEnvironment;
  } catch (const std::exception& error) {
    if (as_json) {
      ReportRefusal("varve", "internal", error.what(), as_json);
    } else {
      ReportFailure("varve", Status::IoError(error.what()), as_json);
    }
    return kBug;
  }
}

}  // namespace varve::cli
