// SPDX-License-Identifier: Apache-2.0
// varve shell: the same verbs at a prompt, for one target.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>
#include <utility>

#include "cli/arguments/parser.h"
#include "cli/arguments/shell_words.h"
#include "cli/commands/commands.h"
#include "cli/completion.h"
#include "cli/help/help.h"
#include "cli/input/prompt.h"
#include "cli/output/output_file.h"
#include "cli/run_command.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/target.h"

namespace varve::cli {
namespace {

std::vector<std::string> StartingWith(const std::set<std::string>& words,
                                      const std::string& prefix) {
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (word.starts_with(prefix)) found.push_back(word);
  }
  return found;
}

// The target of a shell's verbs, and the names in it.
class ShellTarget {
 public:
  static Result<ShellTarget> Open(const std::string& path) {
    ShellTarget target;
    target.path_ = path;
    ASSIGN_OR_RETURN(
        target.kind_,
        RequireKind(*NativeEnvironment().file_system, path, "not a database or one of its files",
                    {TargetKind::kDatabase, TargetKind::kTable, TargetKind::kManifest,
                     TargetKind::kWal, TargetKind::kUnknown}));
    return target;
  }

  const std::string& path() const { return path_; }

  // `words` with the target inserted where `command`, whose name has `used` words, expects it.
  std::vector<std::string> Imply(const Command& command, size_t used,
                                 std::vector<std::string> words) const {
    const std::string first = FirstPositional(command);
    const auto at = words.begin() + static_cast<ptrdiff_t>(used);
    const bool is_table = kind_ == TargetKind::kTable;
    if (first == "target" || (first == "file" && is_table)) {
      words.insert(at, path_);
    } else if (first == "file" && !is_table) {
      for (auto word = at; word != words.end(); ++word) {
        if (word->starts_with('-')) continue;
        const std::string inside = path_ + "/" + *word;
        FileSystem& fs = *NativeEnvironment().file_system;
        if (!fs.Exists(*word) && fs.Exists(inside)) *word = inside;
        break;
      }
    }
    return words;
  }

  static std::string FirstPositional(const Command& command) {
    const std::unique_ptr<Invocation> invocation = command.make();
    Parameters parameters;
    invocation->Declare(parameters);
    for (const Parameter& parameter : parameters.list()) {
      if (parameter.positional) return parameter.name;
    }
    return "";
  }

  // Read each time: another process may be writing.
  std::set<std::string> Tables() const {
    std::set<std::string> names;
    if (kind_ != TargetKind::kDatabase) return names;
    const auto report = ReportLsm(*NativeEnvironment().file_system, path_);
    if (!report.ok()) return names;
    for (const FamilyReport& family : report->families) {
      for (const LevelReport& level : family.levels) {
        for (const FileReport& file : level.files) names.insert(file.name);
      }
    }
    return names;
  }

 private:
  std::string path_;
  TargetKind kind_ = TargetKind::kUnknown;
};

// Completion after the words `before`, with the implied target.
std::vector<std::string> Offers(const ShellTarget& target, const std::string& before,
                                const std::string& current) {
  auto split = SplitWords(before);
  if (!split.ok()) return {};
  std::vector<std::string> words = *std::move(split);
  if (!words.empty() && words.front() == ".mode") words = {"scan", "--format"};
  size_t used = 0;
  const Command* const command = FindCommand(words, &used);
  bool tables = false;
  if (command != nullptr) {
    tables = words.size() == used && ShellTarget::FirstPositional(*command) == "file";
    words = target.Imply(*command, used, std::move(words));
  }
  std::set<std::string> offers;
  for (const Candidate& candidate : Complete(words, current).words) offers.insert(candidate.word);
  if (words.empty()) offers.insert({"exit", ".mode", ".output"});
  if (tables && !current.starts_with('-')) offers.merge(target.Tables());
  return StartingWith(offers, current);
}

// Reads a script line byte by byte, so that a verb that reads standard input continues right behind
// it.
bool ReadScriptLine(std::string* line) {
  line->clear();
  for (char c = 0;;) {
    const ssize_t got = read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return !line->empty();
    if (c == '\n') return true;
    line->push_back(c);
  }
}

// While it lives, Ctrl-C ends child processes but not the shell.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &before_);
  }
  ~IgnoreInterrupts() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ = {};
};

// Its exit code, or 128 and the signal that ended it.
int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Runs a verb in a separate process: Ctrl-C, a closed pipe or lack of memory end only that process.
// `reading_end`: of the pipe that `output` writes to, or -1. The child closes it, so that the pipe
// has no reader left when the real reader exits.
pid_t StartVerb(std::vector<std::string> words, int output, int reading_end) {
  std::cout.flush();
  const pid_t process = fork();
  if (process != 0) return process;
  if (reading_end >= 0) close(reading_end);
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (output != STDOUT_FILENO) dup2(output, STDOUT_FILENO);
  const int code = RunWordsOrReport(std::move(words));
  std::cout.flush();
  std::_Exit(code);
}

pid_t StartProgram(const std::string& program, int input) {
  const pid_t process = fork();
  if (process != 0) return process;
  signal(SIGINT, SIG_DFL);
  dup2(input, STDIN_FILENO);
  execl("/bin/sh", "sh", "-c", program.c_str(), nullptr);
  std::_Exit(127);
}

std::string HistoryFile() {
  const char* const home = std::getenv("HOME");
  return home == nullptr ? "" : std::string(home) + "/.varve_history";
}

class Shell : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &path_, "the database or file that the verbs work on");
  }
  ~Shell() override { CloseOutput(); }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ShellTarget target, ShellTarget::Open(path_));
    return isatty(STDIN_FILENO) == 1 ? Talk(console, target) : RunScript(console, target);
  }

 private:
  ExitCode Talk(Console& console, const ShellTarget& target) {
    Prompt prompt([&](const std::string& before,
                      const std::string& current) { return Offers(target, before, current); },
                  HistoryFile());
    console.Note("help lists the verbs, exit ends the shell; the verbs work on " + target.path());
    std::string text;  // The lines so far, while a quote is open.
    for (;;) {
      const Prompt::Answer answer =
          prompt.ReadLine(text.empty() ? "varve " + target.path() + "> " : "...> ");
      if (answer.kind == Prompt::Answer::kEnd) break;
      if (answer.kind == Prompt::Answer::kInterrupted) {
        text.clear();
        continue;
      }
      text += (text.empty() ? "" : "\n") + answer.line;
      if (!SplitWords(text).ok()) continue;
      bool leave = false;
      RunLine(console, target, std::exchange(text, {}), &leave);
      if (leave) break;
    }
    return kDone;
  }

  // A negative answer (1) is not an error; an error stops the script.
  ExitCode RunScript(Console& console, const ShellTarget& target) {
    std::string line, text;
    WordSplitter words;  // Of `text`, which is not parsed again for each line.
    int code = kDone;
    for (uint64_t number = 1; ReadScriptLine(&line); ++number) {
      if (!text.empty()) line.insert(0, "\n");
      text += line;
      words.Add(line);
      if (!words.Check().ok()) continue;
      words = {};
      bool leave = false;
      code = RunLine(console, target, text, &leave);
      if (code > kNegative) {
        console.Error("varve shell: stopped at line " + std::to_string(number) + ": " +
                      EscapeForDisplay(text));
        return static_cast<ExitCode>(code);
      }
      text.clear();
      if (leave) return static_cast<ExitCode>(code);
    }
    if (text.empty()) return static_cast<ExitCode>(code);
    ReportFailure("varve shell", words.Check(), false);
    return kUsage;
  }

  int RunLine(Console& console, const ShellTarget& target, const std::string& text, bool* leave) {
    const auto [line, program] = SplitPipe(text);
    auto words = SplitWords(line);
    if (!words.ok()) {
      ReportFailure("varve shell", words.status(), false);
      return kUsage;
    }
    if (words->empty()) return kDone;
    if (words->front() == "varve") words->erase(words->begin());  // Allows pasted command lines.
    if (words->empty()) words->emplace_back("help");
    if (words->front() == "exit" || words->front() == "quit") {
      *leave = true;
      return kDone;
    }
    if (words->front() == "shell") {
      console.Error("varve shell: this is a shell already");
      return kUsage;
    }
    if (words->front() == ".mode") return SetMode(console, *words);
    if (words->front() == ".output") return SetOutput(console, *words);
    if (words->front().starts_with('.')) {
      console.Error("varve shell: there is no '" + EscapeForDisplay(words->front()) +
                    "'; there are .mode and .output");
      return kUsage;
    }
    if (words->front() == "help" && words->size() == 1) {
      console.out().Write(std::string(kShellHelp));
      console.out().Flush();
    }
    size_t used = 0;
    if (const Command* command = FindCommand(*words, &used)) {
      words = target.Imply(*command, used, *std::move(words));
      if (!mode_.empty() && command->name != "help" && !GivesFormat(*words)) {
        words->insert(words->begin() + static_cast<ptrdiff_t>(used), {"--format", mode_});
      }
    }
    return program.empty() ? RunAlone(*std::move(words)) : RunInto(*std::move(words), program);
  }

  int RunAlone(std::vector<std::string> words) const {
    const IgnoreInterrupts ignored;
    const pid_t verb = StartVerb(std::move(words), output_, /*reading_end=*/-1);
    if (verb < 0) return CannotStart();
    const int code = WaitFor(verb);
    // The terminal has printed ^C; the prompt should begin on a new line.
    if (code == 128 + SIGINT && isatty(STDERR_FILENO) == 1) std::cerr << "\n";
    return code;
  }

  // Only the verb's exit code counts, and a reader that exits early is not an error.
  static int RunInto(std::vector<std::string> words, const std::string& program) {
    const IgnoreInterrupts ignored;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return CannotStart();
    const pid_t verb = StartVerb(std::move(words), ends[1], ends[0]);
    const pid_t reader = StartProgram(program, ends[0]);
    close(ends[0]);
    close(ends[1]);
    if (verb < 0 || reader < 0) return CannotStart();
    WaitFor(reader);
    const int code = WaitFor(verb);
    return code == 128 + SIGPIPE ? static_cast<int>(kDone) : code;
  }

  static int CannotStart() {
    ReportFailure("varve shell", Status::IoError(std::string("fork: ") + std::strerror(errno)),
                  false);
    return kEnvironment;
  }

  static bool GivesFormat(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.starts_with("-F") || word.starts_with("--format") || word == "--json";
    });
  }

  // .mode FORMAT: the default format of all verbs; .mode alone restores their own.
  int SetMode(Console& console, const std::vector<std::string>& words) {
    OutputOptions unused;
    Parameters shared;
    DeclareOutput(shared, &unused);
    std::vector<std::string> asked = {"--format"};
    asked.insert(asked.end(), words.begin() + 1, words.end());
    if (words.size() > 1) {
      if (const Status parsed = ParseWords(shared, asked); !parsed.ok()) {
        console.Error("varve shell: .mode: " + std::string(parsed.message()));
        return kUsage;
      }
    }
    mode_ = words.size() > 1 ? words[1] : "";
    return kDone;
  }

  // .output FILE: redirects the output of all following verbs; .output alone: back to the terminal.
  int SetOutput(Console& console, const std::vector<std::string>& words) {
    if (words.size() > 2) {
      console.Error("varve shell: .output takes one file");
      return kUsage;
    }
    if (words.size() == 2 && CheckNotInLevelDb(*NativeEnvironment().file_system, words[1]).code() ==
                                 Code::kNotSupported) {
      console.Error("varve shell: .output " + words[1] + " would be in a LevelDB database");
      return kUnsupported;
    }
    if (words.size() == 2 && (IsSameOrWithin(words[1], path_) || IsStandardInput(words[1]) ||
                              IsNameOfDatabaseFile(words[1]))) {
      return Refuse(console, "varve shell", "read_only",
                    ".output " + words[1] + " would change what is read here");
    }
    CloseOutput();
    if (words.size() == 1) return kDone;
    output_ = open(words[1].c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (output_ >= 0) return kDone;
    output_ = STDOUT_FILENO;
    console.Error("varve shell: " + EscapeForDisplay(words[1]) + ": " + std::strerror(errno));
    return kEnvironment;
  }

  void CloseOutput() {
    if (output_ != STDOUT_FILENO) close(output_);
    output_ = STDOUT_FILENO;
  }

  static constexpr std::string_view kShellHelp =
      "at this prompt, besides the commands below, without their target:\n"
      "  .mode FORMAT     print in this format from now on (.mode alone: no longer)\n"
      "  .output FILE     print into this file from now on (.output alone: no longer)\n"
      "  VERB ... | less  into a program\n"
      "  'a               a quote may end on a later line\n"
      "  exit             leave; Ctrl-C stops a verb, or drops the line\n\n";

  std::string path_, mode_;
  int output_ = STDOUT_FILENO;
};

}  // namespace

const Command kShell = {
    "shell", "a prompt for these verbs, on one target",
    "varve shell ./db\n"
    "printf 'get bash\\nlsm show\\n' | varve shell ./db\n"
    "# at the prompt: .mode jsonl, .output FILE, scan | less",
    "that of the last verb; a script stops at the first error and ends with its code",
    [] { return MakeInvocation<Shell>(); }};

}  // namespace varve::cli
