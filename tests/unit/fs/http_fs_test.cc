// SPDX-License-Identifier: Apache-2.0
// Against a server of the test's own, which answers range requests for one file. Faults of servers
// are in tests/cli/url_test.py.
#include "core/fs/http/http_fs.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/fs/http/http_client.h"
#include "core/fs/http/http_file.h"

namespace varve {
namespace {

// Serves /file on a port of its own. Connections are answered once and closed.
class OneFile {
 public:
  explicit OneFile(std::string bytes) : bytes_(std::move(bytes)) {
    fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(fd_, 64) == 0);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] { Serve(); });
  }
  ~OneFile() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    ::close(fd_);
  }

  std::unique_ptr<FileSystem> Files(HttpOptions options = {}) {
    ListFolder none = [](FileSystem&, const std::string& directory, const SizesOfFiles&) {
      return Result<std::vector<DirectoryEntry>>(Status::NotFound(directory));
    };
    auto root = ParseUrl(url_);
    REQUIRE(root.ok());
    auto files = NewHttpFileSystem(*root, options, NativeEnvironment(), none);
    REQUIRE_MESSAGE(files.ok(), files.status().ToString());
    return *std::move(files);
  }
  // The Range headers received since the last call, sorted.
  std::vector<std::string> TakeRanges() {
    const std::scoped_lock lock(mu_);
    std::sort(ranges_.begin(), ranges_.end());
    return std::exchange(ranges_, {});
  }
  std::string path() const { return url_ + "/file"; }
  std::atomic<int> version{1};

 private:
  void Serve() {
    while (true) {
      const int client = ::accept(fd_, nullptr, nullptr);
      if (client < 0) return;
      std::string head;
      char buffer[4096];
      while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = ::read(client, buffer, sizeof(buffer));
        if (got <= 0) break;
        head.append(buffer, static_cast<size_t>(got));
      }
      const std::string answer = Answer(head);
      for (size_t done = 0; done < answer.size();) {
        const ssize_t sent =
            ::send(client, answer.data() + done, answer.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) break;
        done += static_cast<size_t>(sent);
      }
      ::close(client);
    }
  }

  std::string Answer(const std::string& head) {
    const std::string end = "Connection: close\r\n";
    if (!head.starts_with("GET /file ")) {
      return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n" + end + "\r\n";
    }
    const size_t at = head.find("Range: bytes=");
    const std::string range = head.substr(at + 13, head.find("\r\n", at) - at - 13);
    {
      const std::scoped_lock lock(mu_);
      ranges_.push_back(range);
    }
    unsigned long long first = 0, last = 0;
    if (range[0] == '-') {
      first = bytes_.size() - std::min<size_t>(bytes_.size(), std::stoull(range.substr(1)));
      last = bytes_.size() - 1;
    } else {
      std::sscanf(range.c_str(), "%llu-%llu", &first, &last);
      last = std::min<unsigned long long>(last, bytes_.size() - 1);
    }
    return "HTTP/1.1 206 Partial Content\r\nETag: \"" + std::to_string(version) +
           "\"\r\nContent-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) +
           "/" + std::to_string(bytes_.size()) +
           "\r\nContent-Length: " + std::to_string(last - first + 1) + "\r\n" + end + "\r\n" +
           bytes_.substr(first, last - first + 1);
  }

  const std::string bytes_;
  int fd_ = -1;
  std::string url_;
  std::mutex mu_;
  std::vector<std::string> ranges_;
  std::thread thread_;
};

std::string Content(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761U >> 13);
  return bytes;
}

TEST_CASE("reads that are near are one request, others run at the same time") {
  const std::string content = Content(2'000'000);
  OneFile server(content);
  const auto files = server.Files();
  const auto file = files->OpenForRead(server.path(), false);
  REQUIRE_MESSAGE(file.ok(), file.status().ToString());
  CHECK(*(*file)->Size() == content.size());
  CHECK(server.TakeRanges() == std::vector<std::string>{"-131072"});

  std::vector<std::string> buffers(5, std::string(100, '\0'));
  const std::vector<uint64_t> offsets = {0, 65'530, 150'000, 1'000'000, 1'999'950};
  std::vector<ReadRequest> requests;
  for (size_t i = 0; i < offsets.size(); ++i) {
    requests.push_back({.offset = offsets[i], .size = 100, .buffer = buffers[i].data()});
  }
  (*file)->ReadMany(requests);
  for (const ReadRequest& request : requests) {
    REQUIRE_MESSAGE(request.status.ok(), request.status.ToString());
    CHECK(request.result == content.substr(request.offset, 100));
  }
  CHECK(server.TakeRanges() == std::vector<std::string>{"0-196607", "983040-1048575"});
  (*file)->ReadMany(requests);
  CHECK(server.TakeRanges().empty());
}

TEST_CASE("all of a file, and beyond its end") {
  const std::string content = Content(500'000);
  OneFile server(content);
  const auto files = server.Files({.memory_bytes = 1});  // Nothing stays.
  const auto file = files->OpenForRead(server.path(), false);
  REQUIRE(file.ok());
  std::string buffer(600'000, '\0');
  CHECK(*(*file)->Read(0, buffer.size(), buffer.data()) == content);
  CHECK(*(*file)->Read(499'999, 10, buffer.data()) == content.substr(499'999));
  CHECK((*file)->Read(500'000, 10, buffer.data())->empty());
  CHECK((*file)->Read(UINT64_MAX - 5, 10, buffer.data())->empty());
  for (uint64_t at = 0; at < content.size(); at += 4'096) {
    const auto part = (*file)->Read(at, 4'096, buffer.data());
    REQUIRE(part.ok());
    CHECK(*part == content.substr(at, 4'096));
  }
}

TEST_CASE("bytes of another version of the file are an error, which names both") {
  OneFile server(Content(1'000'000));
  const auto files = server.Files();
  const auto file = files->OpenForRead(server.path(), false);
  REQUIRE(file.ok());
  server.version = 2;
  char buffer[10];
  const Status status = (*file)->Read(0, 10, buffer).status();
  CHECK(status.code() == Code::kIoError);
  CHECK(status.message() ==
        server.path() + "@0: the file has changed: its ETag was '\"1\"', now it is '\"2\"'");
}

TEST_CASE("names that are not there, and changes") {
  OneFile server("x");
  const auto files = server.Files();
  const std::string none = server.path() + "2";
  CHECK(files->OpenForRead(none, false).status().code() == Code::kNotFound);
  CHECK_FALSE(files->Exists(none));
  CHECK(files->Exists(server.path()));
  CHECK(*files->FileSize(server.path()) == 1);
  CHECK_FALSE(files->Create(none, false).ok());
  CHECK_FALSE(files->Remove(server.path()).ok());
  CHECK_FALSE(files->Lock(server.path()).ok());
}

}  // namespace
}  // namespace varve
