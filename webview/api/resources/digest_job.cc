// SPDX-License-Identifier: Apache-2.0
// The job that digests every visible record of a database, family by family in order of their ids,
// as in `varve db info --digest` and a dump's trailer.
#include "core/base/hash/content_digest.h"
#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

struct DigestReport {
  ContentDigest digest = {};
  std::vector<std::string> missing;  // Missing files. Their data is older than what is read.
};

const Fields<ContentDigest>& ContentDigestFields() {
  static const auto fields =
      Fields<ContentDigest>("ContentDigest")
          .Hex("xxh3", &ContentDigest::hex, "of all records, in the order of families and keys")
          .Number("records", Unit::kCount, &ContentDigest::count, "that were read");
  return fields;
}

const Fields<DigestReport>& DigestFields() {
  static const auto fields =
      Fields<DigestReport>()
          .Object("digest", &DigestReport::digest, ContentDigestFields(),
                  "one number for all visible records")
          .Texts("missing", &DigestReport::missing,
                 "files that are not there; what was in them is older than what is read");
  return fields;
}

class DigestTask : public JobTask {
 public:
  DigestTask(std::shared_ptr<RecordReader> reader, std::vector<std::string> families,
             std::vector<std::string> missing)
      : reader_(std::move(reader)),
        families_(std::move(families)),
        report_{.missing = std::move(missing)} {}

  Result<bool> Step(JobControl& control) override {
    std::string_view key, value;
    while (next_ < families_.size()) {
      const std::string& family = families_[next_];
      if (cursor_ == nullptr) {
        ASSIGN_OR_RETURN(cursor_, reader_->Scan(family, {}, std::nullopt));
      }
      for (int i = 0; i < kRecordsBetweenLooks; ++i) {
        if (cursor_->Next(&key, &value)) {
          report_.digest.Add(family, key, value);
          continue;
        }
        RETURN_IF_ERROR(cursor_->status());
        cursor_.reset();
        ++next_;
        break;
      }
      control.report({.done = report_.digest.count(), .total = 0, .unit = "records"});
      if (control.ShouldPause()) return next_ == families_.size();
    }
    return true;
  }

  std::string_view schema() const override { return kDigestDocument.name; }
  Json ResultJson() const override { return DigestFields().ToJson(report_); }
  int exit_code() const override { return report_.missing.empty() ? 0 : 4; }

 private:
  const std::shared_ptr<RecordReader> reader_;
  const std::vector<std::string> families_;
  size_t next_ = 0;
  std::unique_ptr<RecordCursor> cursor_;
  DigestReport report_;
};

Answer<std::vector<Right>> NeedsOfDigest(const Call& call, const Done&) {
  return std::vector{call.OnTarget(Access::kRead)};
}

Answer<std::unique_ptr<JobTask>> MakeDigestJob(const Call& call, const Done&) {
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  ASSIGN_OR_RETURN(std::shared_ptr<RecordReader> reader, call.Records());
  std::vector<std::string> families;
  for (const FamilyReport& family : lsm->families) families.push_back(family.name);
  return std::unique_ptr<JobTask>(
      std::make_unique<DigestTask>(std::move(reader), std::move(families), lsm->missing));
}

}  // namespace

JobKind DigestJob() {
  return NewJobKind<Done>("digest", "one number for all visible records", EmptyShape(),
                          NeedsOfDigest, MakeDigestJob);
}

constexpr DocumentSchema kDigestDocument = {
    .name = "varve.digest/1",
    .make = [](std::string_view name) { return Document(name, DigestFields().Members()); },
    .stands_on_logs = true};

}  // namespace varve::api
