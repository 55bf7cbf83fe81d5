// SPDX-License-Identifier: Apache-2.0
#include "core/base/try.h"
#include "core/inspect/verify/findings.h"

namespace varve {
namespace {

// Verifies a table outside a database.
class LoneTableVerification : public Verification {
 public:
  LoneTableVerification(FileSystem& fs, std::string path, VerifyProgressFn progress)
      : fs_(fs),
        path_(std::move(path)),
        progress_(std::move(progress)),
        findings_(&report_, progress_) {}

  Result<bool> Step() override {
    if (table_ != nullptr) return table_->Step();
    const size_t slash = path_.rfind('/');
    const std::string name = slash == std::string::npos ? path_ : path_.substr(slash + 1);
    ASSIGN_OR_RETURN(findings_.bytes_total, fs_.FileSize(path_));
    ASSIGN_OR_RETURN(table_, BeginTableVerification(fs_, path_, name, {}, &findings_));
    return table_ != nullptr;
  }
  const VerifyReport& report() const override { return report_; }

 private:
  FileSystem& fs_;
  const std::string path_;
  const VerifyProgressFn progress_;
  VerifyReport report_;
  Findings findings_;
  std::unique_ptr<TableVerification> table_;
};

}  // namespace

std::unique_ptr<Verification> NewTableVerification(FileSystem& fs, std::string path,
                                                   VerifyProgressFn progress) {
  return std::make_unique<LoneTableVerification>(fs, std::move(path), std::move(progress));
}

Result<VerifyReport> VerifyTable(FileSystem& fs, const std::string& path,
                                 const VerifyProgressFn& progress) {
  return Finish(*NewTableVerification(fs, path, progress));
}

}  // namespace varve
