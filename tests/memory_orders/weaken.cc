// SPDX-License-Identifier: Apache-2.0
#include "tests/memory_orders/weaken.h"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

extern "C" const char __executable_start;

namespace varve::memory_orders {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// What is weakened at once: an access in the source, wherever the compiler put it.
struct Site {
  std::string file;  // Below core/.
  int line = 0;
  std::string operation;
  Order order = kRelaxed;
  auto operator<=>(const Site&) const = default;
};

// The line of the product that calls the atomic. False: the access is not of the product's own.
bool FindSite(const std::string& lines, const Access& access, Site* site) {
  std::istringstream in(lines);
  bool first = true;
  for (std::string frame; in >> frame; first = false) {
    if (frame.find("/core/") == std::string::npos) {
      // std::atomic's own functions; not those of shared_ptr, which are the library's to order.
      const bool atomics = frame.find("/atomic") != std::string::npos;
      if (frame.find("/tests/") != std::string::npos || !atomics) return false;
      continue;
    }
    if (first) return false;
    const size_t colon = frame.rfind(':');
    *site = {frame.substr(frame.rfind("/core/") + 1), 0, access.operation, access.order};
    site->line = std::atoi(frame.c_str() + colon + 1);
    site->file.resize(site->file.rfind(':'));
    return true;
  }
  return false;
}

std::string TextOf(const Site& site) {
  std::ifstream in(std::string(VARVE_SOURCE) + "/" + site.file);
  std::string text;
  for (int i = 0; i < site.line && std::getline(in, text); ++i) {
  }
  return Trimmed(text);
}

// Whether the call says with which order it loads if it fails; otherwise the other order implies
// it.
bool SaysOrderOfFailure(const Site& site) {
  std::ifstream in(std::string(VARVE_SOURCE) + "/" + site.file);
  std::string text, call;
  for (int i = 1; std::getline(in, text); ++i) {
    if (i < site.line) continue;
    call += text;
    if (i >= site.line + 2 || text.find(';') != std::string::npos) break;
  }
  const size_t first = call.find("memory_order_");
  return first != std::string::npos && call.find("memory_order_", first + 1) != std::string::npos;
}

std::vector<Order> WeakerThan(Order order, const std::string& operation) {
  switch (order) {
    case kAcqRel:
      return {kAcquire, kRelease, kRelaxed};
    case kSeqCst:
      if (operation == "store") return {kRelease, kRelaxed};
      if (operation == "load" || operation == "otherwise load") return {kAcquire, kRelaxed};
      return {kAcqRel, kAcquire, kRelease, kRelaxed};
    default:
      return {kRelaxed};
  }
}

// A line of the file of those that are kept, but for the reason at its end.
std::string KeyOf(const Site& site, Order to) {
  return site.file + " | " + TextOf(site) + " | " + site.operation + ": " + NameOf(site.order) +
         " -> " + NameOf(to);
}

std::map<std::string, bool> ReadKept(const std::string& file) {
  std::map<std::string, bool> kept;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t why = line.rfind(" | ");
    if (why != std::string::npos) kept[Trimmed(line.substr(0, why))] = false;
  }
  return kept;
}

}  // namespace

std::function<std::string(const void*)> SourceLines(const std::set<const void*>& addresses) {
  const auto base = reinterpret_cast<uintptr_t>(&__executable_start);
  std::ostringstream command;
  command << "addr2line -aie /proc/" << getpid() << "/exe";
  // The address after a call: one before it is of the call.
  for (const void* address : addresses) {
    command << " 0x" << std::hex << reinterpret_cast<uintptr_t>(address) - base - 1 << std::dec;
  }
  std::map<const void*, std::string> lines;
  if (FILE* const pipe = popen(command.str().c_str(), "r")) {
    auto at = addresses.end();
    std::string text;
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) {
      if (c != '\n') {
        text.push_back(static_cast<char>(c));
        continue;
      }
      if (text.starts_with("0x")) {
        at = at == addresses.end() ? addresses.begin() : std::next(at);
      } else if (at != addresses.end()) {
        lines[*at] += text.substr(0, text.find(' ')) + " ";
      }
      text.clear();
    }
    pclose(pipe);
  }
  return [lines](const void* address) {
    const auto found = lines.find(address);
    return found == lines.end() ? std::string() : found->second;
  };
}

namespace {

// The product's orders, and what accesses have them in each part.
using Sites = std::map<Site, std::map<const Part*, std::set<Access>>>;

void AddSites(const Part& part, uint64_t seeds, Sites* sites) {
  std::set<Access> seen;
  RecordAccesses(&seen);
  Simulate(part, 1, std::min<uint64_t>(seeds, 2000), false);
  RecordAccesses(nullptr);
  std::set<const void*> addresses;
  for (const Access& access : seen) addresses.insert(access.from);
  const auto lines = SourceLines(addresses);
  for (const Access& access : seen) {
    Site site;
    if (!FindSite(lines(access.from), access, &site) || !site.file.starts_with(part.files))
      continue;
    if (access.operation == "otherwise load" && !SaysOrderOfFailure(site)) continue;
    (*sites)[site][&part].insert(access);
  }
}

// What fails without an order may need several unlikely choices. It ends at the first failure, so
// only what is hard to find takes this long.
constexpr uint64_t kTimesAsMany = 10;

uint64_t SeedsOf(const Part& part, uint64_t seeds) {
  return seeds == 0 ? kTimesAsMany * part.executions : seeds;
}

// What fails first, of all parts that have the order; empty: nothing.
std::string FailureBy(const std::map<const Part*, std::set<Access>>& parts, Order to,
                      uint64_t seeds) {
  // An execution of a part that has many is short.
  std::vector<const Part*> order;
  for (const auto& [part, accesses] : parts) order.push_back(part);
  std::ranges::sort(order, std::greater(), &Part::executions);
  for (const Part* const part : order) {
    Weaken(parts.at(part), to);
    const Failure failure = Simulate(*part, 1, SeedsOf(*part, seeds), false);
    Weaken({}, kRelaxed);
    if (failure.execution == 0) continue;
    return std::string(part->name) + " " + std::to_string(failure.execution) + ": " +
           failure.what.substr(0, failure.what.find(" at @"));
  }
  return "";
}

}  // namespace

int WeakenAll(const std::vector<const Part*>& parts, const Weakening& what,
              const std::string& kept_file) {
  Sites sites;
  for (const Part* part : parts) AddSites(*part, SeedsOf(*part, what.seeds), &sites);
  std::map<std::string, bool> kept = ReadKept(kept_file);
  std::map<std::string, int> met;  // Lines of one file may have the same text.
  int weakened_count = 0, caught = 0, known = 0, wrong = 0;
  for (const auto& [site, by_part] : sites) {
    for (const Order to : WeakerThan(site.order, site.operation)) {
      std::string key = KeyOf(site, to);
      const int times = ++met[key];
      if (times > 1) key += " (" + std::to_string(times) + ")";
      if (key.find(what.only) == std::string::npos) continue;
      ++weakened_count;
      const auto found = kept.find(key);
      if (found != kept.end()) found->second = true;
      // Those that are kept cost the most time: only a list tries them.
      const std::string failure =
          what.list || found == kept.end() ? FailureBy(by_part, to, what.seeds) : std::string();
      if (what.list) {
        std::cout << site.file << ":" << site.line << ": " << key << " | "
                  << (failure.empty() ? "SURVIVES" : failure) << std::endl;
      }
      if (!failure.empty()) {
        ++caught;
      } else if (found != kept.end()) {
        ++known;
      } else {
        ++wrong;
        std::cout << "not caught: " << site.file << ":" << site.line << ": " << key << std::endl;
      }
    }
  }
  std::cout << sites.size() << " orders, " << weakened_count << " times weakened: " << caught
            << " caught, " << known << " kept" << std::endl;
  for (const auto& [key, is_there] : kept) {
    const bool ours = std::any_of(parts.begin(), parts.end(),
                                  [&](const Part* part) { return key.starts_with(part->files); });
    if (!ours || is_there || !what.only.empty()) continue;
    std::cout << "no such order any more: " << key << std::endl;
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace varve::memory_orders
