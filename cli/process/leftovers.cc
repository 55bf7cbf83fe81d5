// SPDX-License-Identifier: Apache-2.0
#include "cli/process/leftovers.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "cli/process/system_error.h"
#include "core/base/threads/mutex.h"

namespace varve::cli {
namespace {

// While it lives, waits for the signals that end a process, and calls `arrived`, which does not
// return, with `mutex` locked. Ignored signals (as in background jobs) stay ignored. SIGPIPE is
// only blocked: the thread that writes gets EPIPE, and calls EndIfPipeClosed().
class SignalWatch {
 public:
  using Arrived = void (*)(int signal);

  SignalWatch(Mutex* mutex, Arrived arrived) : mutex_(*mutex), done_(eventfd(0, EFD_CLOEXEC)) {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now = {};
      sigaction(signal, nullptr, &now);
      if (now.sa_handler != SIG_IGN) sigaddset(&signals_, signal);
    }
    sigset_t blocked = signals_;
    sigaddset(&blocked, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
    arriving_ = signalfd(-1, &signals_, SFD_CLOEXEC);
    thread_ = std::thread([this, arrived] { Wait(arrived); });
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch() {
    eventfd_write(done_, 1);
    thread_.join();
    close(arriving_);
    close(done_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  // Requires the mutex, so that no signal is being handled, and a thread that blocks the signals.
  bool HasOne() const {
    sigset_t pending;
    sigpending(&pending);
    sigandset(&pending, &pending, &signals_);
    return sigisemptyset(&pending) == 0;
  }

 private:
  void Wait(Arrived arrived) const {
    pollfd either[2] = {{arriving_, POLLIN, 0}, {done_, POLLIN, 0}};
    while (poll(either, 2, -1) < 0 && errno == EINTR) continue;
    if ((either[0].revents & POLLIN) == 0) return;
    MutexLock lock(mutex_);
    signalfd_siginfo info;
    if (read(arriving_, &info, sizeof(info)) == sizeof(info)) {
      arrived(static_cast<int>(info.ssi_signo));
    }
  }

  Mutex& mutex_;
  sigset_t signals_, before_;
  int arriving_ = -1;
  const int done_;
  std::thread thread_;
};

using Before = TemporaryPath::Before;

struct Registry {
  Mutex mutex;
  std::map<std::string, Before> paths GUARDED_BY(mutex);
  std::set<pid_t> children GUARDED_BY(mutex);
  int watchers GUARDED_BY(mutex) = 0;
  std::unique_ptr<SignalWatch> watch GUARDED_BY(mutex);

  // Without an Unlock(), which clang would miss: threads that release something meanwhile must
  // wait.
  bool TryLockForGood() NO_THREAD_SAFETY_ANALYSIS { return mutex.TryLock(); }
  void LockForGood() NO_THREAD_SAFETY_ANALYSIS { mutex.Lock(); }
  // Tells clang that the mutex is locked where it cannot see that.
  void AssertLocked() const ASSERT_CAPABILITY(mutex) {}

  bool empty() const REQUIRES(mutex) { return paths.empty() && children.empty() && watchers == 0; }
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;  // Threads may outlive main.
  return *registry;
}

// Running threads must not create files in it any more: renaming the directory makes their paths
// invalid.
void RemoveAll(const std::string& path) {
  std::error_code error;
  const std::string away = path + ".removed";
  std::filesystem::rename(path, away, error);
  std::filesystem::remove_all(error ? path : away, error);
}

void Remove(const std::string& path, const Before& before) {
  if (!before.names) return RemoveAll(path);
  const Before now = Before::Of(path);
  if (!now.names) return;
  for (const std::string& name : *now.names) {
    if (!before.names->contains(name)) RemoveAll(path + "/" + name);
  }
}

// Called with the lock, and holds it to the end: threads that release something meanwhile must
// wait.
void Leave(int signal) {
  Registry& registry = TheRegistry();
  registry.AssertLocked();
  for (const pid_t child : registry.children) kill(child, signal);
  for (const auto& [path, before] : registry.paths) Remove(path, before);
  ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
}

template <typename Change>
void Register(Change change) {
  Registry& registry = TheRegistry();
  MutexLock lock(registry.mutex);
  if (registry.empty()) registry.watch = std::make_unique<SignalWatch>(&registry.mutex, &Leave);
  change(registry);
}

template <typename Change>
void Unregister(Change change) {
  Registry& registry = TheRegistry();
  // Destroyed without the lock, for which its thread may be waiting.
  std::unique_ptr<SignalWatch> last;
  MutexLock lock(registry.mutex);
  change(registry);
  if (registry.empty()) last = std::move(registry.watch);
}

}  // namespace

void RemoveLeftovers() {
  Registry& registry = TheRegistry();
  if (!registry.TryLockForGood()) return;
  registry.AssertLocked();
  for (const pid_t child : registry.children) kill(child, SIGTERM);
  for (const auto& [path, before] : registry.paths) Remove(path, before);
}

void EndIfSignalled() {
  Registry& registry = TheRegistry();
  {
    MutexLock lock(registry.mutex);
    if (registry.watch == nullptr || !registry.watch->HasOne()) return;
  }
  for (;;) pause();
}

void EndIfPipeClosed(int error) {
  if (error != EPIPE) return;
  struct sigaction now = {};
  sigaction(SIGPIPE, nullptr, &now);
  if (now.sa_handler == SIG_IGN) return;
  Registry& registry = TheRegistry();
  registry.LockForGood();
  registry.AssertLocked();
  Leave(SIGPIPE);
}

LeftoverWatch::LeftoverWatch() {
  Register([](Registry& registry) {
    registry.AssertLocked();
    ++registry.watchers;
  });
}
LeftoverWatch::~LeftoverWatch() {
  Unregister([](Registry& registry) {
    registry.AssertLocked();
    --registry.watchers;
  });
}

Before TemporaryPath::Before::Of(const std::string& path) {
  Before before;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    // A link that leads nowhere exists, too, and is kept.
    before.is_file = std::filesystem::exists(std::filesystem::symlink_status(path, error));
    return before;
  }
  before.names.emplace();
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    before.names->insert(entry.path().filename().string());
  }
  return before;
}

TemporaryPath::TemporaryPath(std::string path, Before before)
    : path_(std::move(path)), kept_(before.is_file) {
  if (kept_) return;
  Register([&](Registry& registry) {
    registry.AssertLocked();
    registry.paths.emplace(path_, std::move(before));
  });
}

TemporaryPath::~TemporaryPath() {
  if (kept_) return;
  Unregister([&](Registry& registry) {
    registry.AssertLocked();
    const auto entry = registry.paths.extract(path_);
    if (!entry.empty()) Remove(path_, entry.mapped());
  });
}

void TemporaryPath::Keep() {
  if (!kept_)
    Unregister([&](Registry& registry) {
      registry.AssertLocked();
      registry.paths.erase(path_);
    });
  kept_ = true;
}

Result<TemporaryDirectory> TemporaryDirectory::Create(const std::string& prefix) {
  std::string path = (std::filesystem::temp_directory_path() / (prefix + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) return SystemError(path);
  return TemporaryDirectory(
      std::make_unique<TemporaryPath>(path, TemporaryPath::Before::Nothing()));
}

Result<TemporaryDirectory> TemporaryDirectory::CreateAt(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  auto entry = std::make_unique<TemporaryPath>(path);
  if (mkdir(path.c_str(), 0755) != 0) return SystemError(path);
  return TemporaryDirectory(std::move(entry));
}

ChildProcess::ChildProcess(pid_t id) : id_(id) {
  Register([&](Registry& registry) {
    registry.AssertLocked();
    registry.children.insert(id_);
  });
}

ChildProcess::~ChildProcess() {
  Unregister([&](Registry& registry) {
    registry.AssertLocked();
    registry.children.erase(id_);
  });
}

}  // namespace varve::cli
