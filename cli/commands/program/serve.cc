// SPDX-License-Identifier: Apache-2.0
// varve serve.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/process/confinement.h"
#include "cli/url_targets.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "varve/environment.h"
#include "webview/api/engine/engine_records.h"
#include "webview/http/users.h"
#include "webview/http/webview.h"

namespace varve::cli {

struct Served {
  std::string url;
  bool confined;
};

namespace {

const api::Fields<Served>& ServeFields() {
  static const auto fields =
      api::Fields<Served>()
          .Text("url", &Served::url,
                "the address to open, with its token; without if there are users")
          .Flag("confined", &Served::confined,
                "the process has given up its rights to other files than the targets");
  return fields;
}

// Handles SIGINT and SIGTERM, which are blocked in every thread started while it lives. After the
// first signal the program shuts down; after four seconds, or a second signal, it ends immediately,
// as it does before it serves. Nothing is lost: acknowledged writes are synced, and readers leave
// no files behind.
class Stopping {
 public:
  // `tidy_up` is called on a thread of its own if the program ends before what it is at.
  Stopping(Console& console, std::function<void()> tidy_up)
      : console_(console), tidy_up_(std::move(tidy_up)) {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
    thread_ = std::thread([this] { Watch(); });
  }
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;
  ~Stopping() {
    stopped_.store(true, std::memory_order_relaxed);
    // It may still wait for the first signal, which it has blocked: this ends no process.
    // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  // Returns when the program should end.
  void Await() {
    MutexLock lock(mu_);
    serving_ = true;
    while (!asked_) changed_.Wait(mu_);
  }

 private:
  static constexpr timespec kPatience = {.tv_sec = 4, .tv_nsec = 0};

  void Watch() {
    int signal = 0;
    sigwait(&set_, &signal);
    bool serving = false;
    {
      MutexLock lock(mu_);
      asked_ = true;
      serving = serving_;
      changed_.NotifyAll();
    }
    if (stopped_.load(std::memory_order_relaxed)) return;
    while (serving && sigtimedwait(&set_, nullptr, &kPatience) < 0 && errno == EINTR) {
    }
    if (stopped_.load(std::memory_order_relaxed)) return;
    console_.Note("varve serve: stopped; unfinished work was given up");
    tidy_up_();
    _exit(kDone);
  }

  Console& console_;
  const std::function<void()> tidy_up_;
  sigset_t set_, before_;
  std::atomic<bool> stopped_{false};
  Mutex mu_;
  CondVar changed_;
  bool serving_ GUARDED_BY(mu_) = false;
  bool asked_ GUARDED_BY(mu_) = false;
  std::thread thread_;
};

class Serve : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &targets_, "database directories, tables, MANIFESTs or logs");
    parameters.Option("port", &port_, "port to listen on (default: any that is free)");
    parameters.Option("listen", &listen_,
                      "address to listen on instead of this machine's own; needs --token-file or "
                      "--users");
    parameters.Option("token-file", &token_file_,
                      "file with the token, readable by you alone (default: a new token)");
    parameters.Option(
        "users", &users_file_,
        "file of several users with rights, made by varve users; it is read again when "
        "it changes");
    parameters.Option("plugins", &plugins_,
                      "folder whose files *.js are plugins that the page offers");
    parameters.Option(
        "write", &write_,
        "open the database for writing, so that clients can set options, flush, compact, write "
        "batches and add tables, which they upload or which are in its folder \"ingest\"");
    parameters.Size("upload-limit", &upload_limit_,
                    "with --write, bytes of all tables that are uploaded and not added yet "
                    "(default: 64GiB)");
    parameters.Option("upload-expiry", &upload_expiry_,
                      "with --write, seconds after which an upload is removed that nobody asked "
                      "for (default: 3600)");
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
    parameters.Option("as-root", &as_root_, "allow running as root");
    parameters.Option("unconfined", &unconfined_,
                      "keep the rights to files other than the targets (default: give them up, by "
                      "Landlock, if the kernel has it)");
  }

  Result<ExitCode> Run(Console& console) override {
    if (geteuid() == 0 && !as_root_) {
      return Refuse(
          console, "varve serve", "forbidden",
          "a server should not run as root: run it as the user who owns the database, or add "
          "--as-root");
    }
    ASSIGN_OR_RETURN(WebViewOptions options, MakeWebViewOptions());
    options.note = [&console](const std::string& text) { console.Error("varve serve: " + text); };
    if (write_ && targets_.size() != 1) {
      return Status::InvalidArgument("--write needs exactly one database");
    }
    std::optional<OwnScratch> scratch;
    bool confined = false;
    if (!unconfined_) {  // Before any thread is started.
      scratch.emplace();
      ASSIGN_OR_RETURN(const Needs needs, WhatItNeeds(scratch->path()));
      ASSIGN_OR_RETURN(confined, Confine(needs));
    }
    Stopping stop(console, [&scratch] { scratch.reset(); });
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // If the parent process dies, nobody could stop this one.
    std::unique_ptr<DB> db;            // Outlives the view.
    if (write_) {
      ASSIGN_OR_RETURN(db, OpenForWriting(console, targets_[0], engine_, false));
    }
    ASSIGN_OR_RETURN(const auto view, db == nullptr ? WebView::Show(targets_, options)
                                                    : WebView::Start(*db, options));
    Announce(console, *view, confined);
    stop.Await();
    // Closed first: this ends a compaction that a request waits for.
    const Status closed = db == nullptr ? Status::Ok() : db->Close();
    view->Stop();
    RETURN_IF_ERROR(closed);
    console.Note("varve serve: stopped");
    return kDone;
  }

 private:
  std::string UsersFile() const { return users_file_ ? http::ResolveUsersPath(*users_file_) : ""; }

  Result<WebViewOptions> MakeWebViewOptions() const {
    ASSIGN_OR_RETURN(const Options engine, MakeOptions(engine_));
    if (engine_.accept_loss && !write_) {
      return Status::InvalidArgument("--accept-loss needs --write");
    }
    if ((upload_limit_ || upload_expiry_) && !write_) {
      return Status::InvalidArgument("--upload-limit and --upload-expiry need --write");
    }
    constexpr uint64_t kExpiryMax = 366 * 86400;
    if (upload_expiry_.value_or(1) < 1 || upload_expiry_.value_or(1) > kExpiryMax) {
      return Status::InvalidArgument("--upload-expiry is 1 to " + std::to_string(kExpiryMax));
    }
    WebViewOptions options{.address = listen_.value_or(""),
                           .token_file = token_file_.value_or(""),
                           .users_file = UsersFile(),
                           .plugins = plugins_.value_or(""),
                           .records = api::EngineRecords(engine),
                           .write = write_};
    if (port_ > std::numeric_limits<uint16_t>::max()) {
      return Status::InvalidArgument("--port is a number from 1 to 65535");
    }
    options.port = static_cast<uint16_t>(port_);
    options.upload_bytes = upload_limit_.value_or(options.upload_bytes);
    options.upload_expiry_seconds = upload_expiry_.value_or(options.upload_expiry_seconds);
    if (plugins_) {
      const auto files = NativeEnvironment().file_system->List(*plugins_);
      if (!files.ok()) {
        return Status::InvalidArgument("--plugins: " + std::string(files.status().message()));
      }
    }
    if (token_file_ && users_file_) {
      return Status::InvalidArgument("--token-file and --users exclude each other");
    }
    if (listen_ && !token_file_ && !users_file_) {
      return Status::InvalidArgument(
          "--listen lets other machines connect, so it needs --token-file: a file, readable "
          "only by you, with a token for those who may connect (openssl rand -hex 16 > token; "
          "chmod 600 token); or --users");
    }
    return options;
  }

  Result<Needs> WhatItNeeds(const std::string& scratch) const {
    Needs needs{.read = targets_, .write = {}, .scratch = scratch};
    if (token_file_) needs.read.push_back(*token_file_);
    if (users_file_) {  // It is replaced by another of its name, in its folder.
      const std::filesystem::path folder = std::filesystem::path(UsersFile()).parent_path();
      needs.read.push_back(folder.empty() ? "." : folder.string());
    }
    if (plugins_) needs.read.push_back(*plugins_);
    needs.read.insert(needs.read.end(), {"/proc/locks", "/dev/null"});
    // What the C library looks at by itself: processors, memory, the time zone.
    needs.read.insert(needs.read.end(), {"/sys/devices/system/cpu", "/etc/localtime",
                                         "/proc/sys/vm/overcommit_memory"});
    if (write_) needs.write = targets_;
    RETURN_IF_ERROR(AllowUrls(targets_, &needs));
    return needs;
  }

  void Announce(Console& console, const WebView& view, bool confined) const {
    if (listen_) {
      console.Error(
          "warning: other machines can reach " + *listen_ + " port " + std::to_string(view.port()) +
          ". Nothing is encrypted: anyone between the two can read the token and the data. "
          "Prefer a tunnel: ssh -L " +
          std::to_string(view.port()) + ":127.0.0.1:" + std::to_string(view.port()) +
          " and no --listen.");
    }
    if (WantsDocument(console)) {
      PrintReport(console, kServeDocument, {view.url(), confined});
    } else {
      console.out().Write(view.url() + "\n");
    }
    console.out().Flush();
    console.Note(users_file_ ? "varve serve: users open the address above and sign in, or put "
                               "#token=TOKEN behind it; Ctrl-C stops"
                             : "varve serve: open the address above in a browser; Ctrl-C stops");
    if (!confined && !unconfined_) {
      console.Note(
          "varve serve: this kernel has no Landlock, so the process keeps your rights to "
          "all files");
    }
  }

  std::vector<std::string> targets_;
  uint64_t port_ = 0;
  std::optional<std::string> listen_, token_file_, users_file_, plugins_;
  std::optional<uint64_t> upload_limit_, upload_expiry_;
  EngineFlags engine_;
  bool write_ = false, as_root_ = false, unconfined_ = false;
};

}  // namespace

const CommandDocument<Served> kServeDocument = {"varve.serve/1", ServeFields};

const Command kServe = {"serve", "show databases in a web browser, on this machine only",
                        "varve serve ./db\nvarve serve ./db --port 8420\nvarve serve a.sst "
                        "b.sst\nvarve serve ./db --write\nvarve serve ./db --users ./users",
                        "0 stopped by SIGINT or SIGTERM, 8 refused to run as root (see --as-root)",
                        [] { return MakeInvocation<Serve>(); }};

}  // namespace varve::cli
