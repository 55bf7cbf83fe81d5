// SPDX-License-Identifier: Apache-2.0
// varve ldb.
#include "cli/ldb/ldb.h"

#include "cli/commands/commands.h"

namespace varve::cli {
namespace {

// For the help and for completion. run_command.cc passes the words on before any are parsed here,
// unless flags of varve precede them.
class LdbCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("word", &words_,
                                  "as of RocksDB's ldb: --db=DIRECTORY, a verb, its arguments and "
                                  "options; `varve ldb --help` lists them");
  }
  Result<ExitCode> Run(Console& /*console*/) override {
    return RunLdb(words_) == 0 ? kDone : kNegative;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

const Command kLdb = {
    "ldb", "take the command line of RocksDB's ldb, and print what it prints, for its scripts",
    "varve ldb --db=./db scan --from=a --max_keys=10\n"
    "varve ldb --db=./db --hex put 0x6b 0x76\n"
    "varve ldb --db=./db manifest_dump\n"
    "# a link to varve whose name is ldb is varve ldb",
    "0 done, 1 whatever failed: as ldb", [] { return MakeInvocation<LdbCommand>(); }};

}  // namespace varve::cli
