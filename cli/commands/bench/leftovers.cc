// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/leftovers.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace varve::cli::bench {
namespace {

// Waits for SIGINT and SIGTERM while it lives, and calls `arrived`, which does not return.
class SignalWatch {
 public:
  using Arrived = void (*)(int signal);

  explicit SignalWatch(Arrived arrived) : done_(eventfd(0, EFD_CLOEXEC)) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
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

 private:
  void Wait(Arrived arrived) const {
    pollfd either[2] = {{arriving_, POLLIN, 0}, {done_, POLLIN, 0}};
    while (poll(either, 2, -1) < 0 && errno == EINTR) continue;
    signalfd_siginfo info;
    if ((either[0].revents & POLLIN) != 0 && read(arriving_, &info, sizeof(info)) == sizeof(info)) {
      arrived(static_cast<int>(info.ssi_signo));
    }
  }

  sigset_t signals_, before_;
  int arriving_ = -1;
  const int done_;
  std::thread thread_;
};

struct Registry {
  std::mutex mutex;
  std::set<std::string> directories;
  std::set<pid_t> children;
  std::unique_ptr<SignalWatch> watch;

  bool empty() const { return directories.empty() && children.empty(); }
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;  // Threads may outlive main.
  return *registry;
}

// Nothing may be made in it any more, which a thread at work would do: what it opens by name is
// not found once the directory has another.
void Remove(const std::string& directory) {
  std::error_code error;
  const std::string away = directory + ".removed";
  std::filesystem::rename(directory, away, error);
  std::filesystem::remove_all(error ? directory : away, error);
}

// The lock is kept to the end: whoever would drop something meanwhile has to wait for it.
void Leave(int signal) {
  Registry& registry = TheRegistry();
  registry.mutex.lock();
  for (const pid_t child : registry.children) kill(child, signal);
  for (const std::string& directory : registry.directories) Remove(directory);
  ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
}

template <typename T>
void Add(std::set<T> Registry::* set, const T& entry) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  if (registry.empty()) registry.watch = std::make_unique<SignalWatch>(&Leave);
  (registry.*set).insert(entry);
}

template <typename T>
void Drop(std::set<T> Registry::* set, const T& entry) {
  Registry& registry = TheRegistry();
  std::unique_ptr<SignalWatch> last;  // Ends without the lock, for which its thread may wait.
  const std::lock_guard lock(registry.mutex);
  (registry.*set).erase(entry);
  if (registry.empty()) last = std::move(registry.watch);
}

}  // namespace

Result<TemporaryDirectory> TemporaryDirectory::Create(const std::string& prefix) {
  std::string path = (std::filesystem::temp_directory_path() / (prefix + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) return Status::IoError(path + ": " + std::strerror(errno));
  Add(&Registry::directories, path);
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;  // A temporary directory that stays behind harms nobody.
  std::filesystem::remove_all(path_, ignored);
  Drop(&Registry::directories, path_);
}

ChildProcess::ChildProcess(pid_t id) : id_(id) { Add(&Registry::children, id_); }
ChildProcess::~ChildProcess() { Drop(&Registry::children, id_); }

}  // namespace varve::cli::bench
