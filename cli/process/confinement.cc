// SPDX-License-Identifier: Apache-2.0
#include "cli/process/confinement.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "cli/process/system_error.h"
#include "core/base/scratch_directory.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

// Of the kernel's include/uapi/linux/landlock.h. Ours, since a system's headers may be older than
// the kernel that the program runs on.
constexpr uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2,
                   kReadDirectory = 1 << 3, kRemoveDirectory = 1 << 4, kRemoveFile = 1 << 5,
                   kMakeDirectory = 1 << 7, kMakeFile = 1 << 8, kRefer = 1 << 13,
                   kTruncate = 1 << 14, kDevice = 1 << 15;
constexpr uint64_t kOfFirstVersion = (1 << 13) - 1;
constexpr uint64_t kConnect = 1 << 1;

constexpr uint64_t kRead = kReadFile | kReadDirectory;
constexpr uint64_t kWrite = kRead | kWriteFile | kRemoveDirectory | kRemoveFile | kMakeDirectory |
                            kMakeFile | kRefer | kTruncate;
constexpr uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDevice;

struct RulesetAttributes {
  uint64_t file_system;
  uint64_t network;  // From version 4 on.
};
struct [[gnu::packed]] PathRule {
  uint64_t allowed;
  int32_t parent;
};

struct PortRule {
  uint64_t allowed;
  uint64_t port;
};

long CreateRuleset(const RulesetAttributes* attributes, size_t size, uint32_t flags) {
  return syscall(SYS_landlock_create_ruleset, attributes, size, flags);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

class Ruleset {
 public:
  explicit Ruleset(int version)
      : file_system_(kOfFirstVersion | (version >= 2 ? kRefer : 0) |
                     (version >= 3 ? kTruncate : 0) | (version >= 5 ? kDevice : 0)),
        network_(version >= 4),
        fd_(Create(file_system_, version)) {}

  bool made() const { return fd_.get() >= 0; }

  Status Allow(const std::string& path, uint64_t rights) {
    const Descriptor there(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat info = {};
    if (there.get() < 0 || fstat(there.get(), &info) != 0) return Status::Ok();
    if (!S_ISDIR(info.st_mode)) rights &= kOfFiles;
    const PathRule rule{rights & file_system_, there.get()};
    constexpr int kBeneathPath = 1;
    if (syscall(SYS_landlock_add_rule, fd_.get(), kBeneathPath, &rule, 0) == 0) return Status::Ok();
    return SystemError(path + ": landlock_add_rule");
  }

  Status AllowPort(uint16_t port) {
    if (!network_) return Status::Ok();
    const PortRule rule{kConnect, port};
    constexpr int kNetPort = 2;
    if (syscall(SYS_landlock_add_rule, fd_.get(), kNetPort, &rule, 0) == 0) return Status::Ok();
    return SystemError("landlock_add_rule of a port");
  }

  Status Restrict() {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return SystemError("PR_SET_NO_NEW_PRIVS");
    if (syscall(SYS_landlock_restrict_self, fd_.get(), 0) == 0) return Status::Ok();
    return SystemError("landlock_restrict_self");
  }

 private:
  static int Create(uint64_t file_system, int version) {
    const RulesetAttributes attributes{file_system, kConnect};
    const size_t size = version >= 4 ? sizeof(attributes) : sizeof(attributes.file_system);
    return static_cast<int>(CreateRuleset(&attributes, size, 0));
  }

  const uint64_t file_system_;
  const bool network_;
  const Descriptor fd_;
};

// The links in a directory that lead to files: tables may have been moved to another disk so. A
// directory behind a link is not part of a database, and might be all there is.
std::vector<std::string> LinkedFiles(const std::string& directory) {
  struct Close {
    void operator()(DIR* dir) const { closedir(dir); }
  };
  std::vector<std::string> linked;
  const std::unique_ptr<DIR, Close> dir(opendir(directory.c_str()));
  if (dir == nullptr) return linked;
  while (const dirent* entry = readdir(dir.get())) {
    if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) continue;
    const std::string path = directory + "/" + entry->d_name;
    struct stat info = {};
    if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) linked.push_back(path);
  }
  return linked;
}

}  // namespace

Result<bool> Confine(const Needs& needs) {
  constexpr uint32_t kAskVersion = 1;
  const long version = CreateRuleset(nullptr, 0, kAskVersion);
  if (version < 1) return false;
  Ruleset rules(static_cast<int>(version));
  if (!rules.made()) return SystemError("landlock_create_ruleset");
  for (const std::string& path : needs.read) {
    RETURN_IF_ERROR(rules.Allow(path, kRead));
    for (const std::string& linked : LinkedFiles(path)) {
      RETURN_IF_ERROR(rules.Allow(linked, kReadFile));
    }
  }
  for (const std::string& path : needs.write) RETURN_IF_ERROR(rules.Allow(path, kWrite));
  for (const uint16_t port : needs.ports) RETURN_IF_ERROR(rules.AllowPort(port));
  if (!needs.scratch.empty()) {
    RETURN_IF_ERROR(rules.Allow(needs.scratch, kWrite));
    RETURN_IF_ERROR(rules.Allow(needs.scratch + "/..", kRemoveDirectory));
  }
  RETURN_IF_ERROR(rules.Restrict());
  return true;
}

OwnScratch::OwnScratch() {
  std::string name = ScratchDirectory() + "/varve-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return;
  path_ = std::move(name);
  setenv("TMPDIR", path_.c_str(), /*overwrite=*/1);
}

OwnScratch::~OwnScratch() {
  if (!path_.empty()) rmdir(path_.c_str());
}

}  // namespace varve::cli
