// SPDX-License-Identifier: Apache-2.0
#include "tests/answers/judge.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace varve {
namespace {

constexpr uint64_t kFailuresShownEach = 2;

// What the verifier finds and no read of the contents has to meet.
constexpr std::array<std::string_view, 19> kBeyondReads = {
    "the properties say",  // A count of what was read well.
    "the bounds that the MANIFEST gives",
    "has sequence numbers outside",
    "begins within",  // Two blocks share bytes.
    "the index points back",
    "its separator in the index is not behind",
    "its last key is after its separator",       // By its sequence: a snapshot's read may miss it.
    "goes on behind its own separator",          // Likewise, or no key is between the two.
    "begins before the separator",               // Likewise.
    "its first key is not after the separator",  // Searches go on in the next block.
    "the index: a block's entry",                // One that was decoded forwards at open.
    "a range deletion begins after its end",
    "the trailer says",  // Of a filter, or a block that only other readers use.
    "its trailer says",
    "is missing",  // A blob file that no entry of the present state points to.
    "the MANIFEST says",
    "filter",
    "wide columns: ",  // Of a version that a later one hides.
    "blob: checksum",  // Of a value that no entry of the present state points to.
};

bool IsBeyondReads(const Finding& finding) {
  return std::any_of(kBeyondReads.begin(), kBeyondReads.end(), [&](std::string_view known) {
    return finding.what.find(known) != std::string::npos;
  });
}

}  // namespace

void Judge::Compare(const VerifyReport& report, const Answers& reads) {
  ++compared_;
  const auto worst = report.worst();
  if (worst == Finding::Severity::kWarning) {
    if (!reads.wrong.empty()) Fail("sound, but " + reads.wrong);
    return;
  }
  if (worst != Finding::Severity::kError) return;
  ++damaged_;
  if (!reads.wrong.empty() || reads.unsupported) return;
  for (const Finding& finding : report.findings) {
    if (finding.severity != Finding::Severity::kError || IsBeyondReads(finding)) continue;
    return Fail("all reads succeed, but " + finding.layer + " " + finding.file + ": " +
                finding.what);
  }
}

void Judge::Fail(const std::string& what) {
  ++failures_;
  if (++here_ <= kFailuresShownEach && failures_ <= failures_shown_)
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), what.c_str());
}

}  // namespace varve
