// SPDX-License-Identifier: Apache-2.0
// `varve VERB TARGET [ARGS] [FLAGS]`.
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/run_command.h"

int main(int argc, char** argv) {
  try {
    return varve::cli::RunWords(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    varve::cli::ReportFailure("varve", varve::Status::IoError("out of memory"), false);
    return varve::cli::kEnvironment;
  } catch (const std::exception& error) {
    varve::cli::ReportFailure("varve", varve::Status::IoError(error.what()), false);
    return varve::cli::kBug;
  }
}
