// SPDX-License-Identifier: Apache-2.0
#include "core/python/compaction.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/python/bytes.h"
#include "core/python/compaction_queue.h"
#include "core/python/errors.h"
#include "core/python/interruptible.h"
#include "core/python/open_db.h"
#include "core/python/options.h"
#include "core/python/pickling.h"
#include "varve/compaction_service.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

nb::dict ToDict(const CompactionWorkerReport& report) {
  nb::dict dict;
  dict["id"] = ToStr(report.id);
  dict["family"] = ToStr(Name{report.family});
#define MEMBER(name) dict[#name] = report.name
  MEMBER(input_level);
  MEMBER(output_level);
  MEMBER(input_tables);
  MEMBER(input_bytes);
  MEMBER(input_entries);
  MEMBER(output_tables);
  MEMBER(output_bytes);
  MEMBER(output_entries);
  MEMBER(micros);
#undef MEMBER
  return dict;
}

CompactionWorkerOptions WorkerOptions(const std::optional<Path>& directory, int threads) {
  constexpr int kThreadsMax = 256;
  if (threads < 0 || threads > kThreadsMax) throw nb::value_error("threads: 0 to 256 is needed");
  CompactionWorkerOptions options;
  if (directory) options.directory = directory->text;
  options.max_subcompactions = threads;
  return options;
}

// Runs a worker, which gives up on Ctrl-C.
template <typename Work>
Result<CompactionWorkerReport> Interruptible(CompactionWorkerOptions options, const Work& work) {
  Result<CompactionWorkerReport> report = CompactionWorkerReport();
  RunInterruptible([&](const std::atomic<bool>& cancelled) {
    options.cancelled = &cancelled;
    report = work(options);
    return Status::Ok();
  });
  return report;
}

nb::dict RunJob(const Path& job, const std::optional<Path>& directory, int threads) {
  return ToDict(Unwrap(
      Interruptible(WorkerOptions(directory, threads), [&](const CompactionWorkerOptions& options) {
        return RunCompactionJob(options, job.text);
      })));
}

nb::bytes RunSentJob(const Bytes& job, const std::optional<Path>& directory, int threads) {
  std::string result;
  const Result<CompactionWorkerReport> report =
      Interruptible(WorkerOptions(directory, threads), [&](const CompactionWorkerOptions& options) {
        return RunSentCompactionJob(options, job.view(), &result);
      });
  if (result.empty()) Check(report.status());  // Otherwise it tells of the failure.
  return ToBytes(result);
}

nb::object RunFirstJob(const Path& folder, const std::optional<Path>& directory, int threads) {
  bool found = false;
  Result<CompactionWorkerReport> report =
      Interruptible(WorkerOptions(directory, threads), [&](const CompactionWorkerOptions& options) {
        return RunFirstCompactionJob(options, folder.text, &found);
      });
  if (!found && report.ok()) return nb::none();
  return ToDict(Unwrap(std::move(report)));
}

}  // namespace

CompactionChoice::CompactionChoice(const nb::object& service, Options* options) {
  if (service.is_none()) return;
  if (nb::isinstance<nb::str>(service)) {
    nb::dict text;
    text["compaction_service"] = service;
    SetOptions(text, options);
    return;
  }
  if (!nb::isinstance<nb::callable>(service)) {
    throw nb::type_error("compaction_service: a str or a function is needed");
  }
  const nb::handle named =
      nb::hasattr(service, "__qualname__") ? nb::handle(service) : service.type();
  queue_ =
      std::make_shared<CompactionQueue>("python:" + ToText(nb::str(named.attr("__qualname__"))));
  nb::module_::import_("varve._compaction").attr("start")(queue_, service);
  options->custom_compaction_service = queue_.get();
}

CompactionChoice::~CompactionChoice() {
  if (queue_ != nullptr) queue_->Close();
}

std::shared_ptr<DB> CompactionChoice::Own(std::unique_ptr<DB> db) && {
  if (queue_ == nullptr) return db;
  return {db.release(), [queue = std::move(queue_)](DB* closed) {
            delete closed;
            queue->Close();
          }};
}

void BindCompaction(nb::module_& module) {
  nb::class_<CompactionOffer>(
      module, "CompactionJob",
      "A compaction that a database gives to the function that open() was given as its "
      "compaction_service.")
      .def_prop_ro(
          "id", [](const CompactionOffer& self) { return ToStr(self.job().id); },
          nb::sig("def id(self) -> str"), "Never used twice; letters, digits and '-'.")
      .def_prop_ro(
          "data", [](const CompactionOffer& self) { return ToBytes(self.bytes()); },
          nb::sig("def data(self) -> bytes"), "The job: what run_sent_compaction_job() takes.")
      .def_prop_ro(
          "path", [](const CompactionOffer& self) { return ToStr(self.job().path); },
          nb::sig("def path(self) -> str"),
          "The file with these bytes: what run_compaction_job() takes.")
      .def_prop_ro(
          "folder", [](const CompactionOffer& self) { return ToStr(self.job().folder); },
          nb::sig("def folder(self) -> str"),
          "Of this job, in the directory of the database. A worker writes its tables there.")
      .def_prop_ro(
          "family", [](const CompactionOffer& self) { return ToStr(Name{self.job().family}); },
          nb::sig("def family(self) -> str"), "The name of the column family.")
      .def_prop_ro(
          "input_bytes", [](const CompactionOffer& self) { return self.job().input_bytes; },
          "Of the tables to be read.")
      .def_prop_ro("cancelled", &CompactionOffer::cancelled,
                   "Whether nobody waits for it any more: the database is being closed, or it took "
                   "too long.")
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
  nb::class_<CompactionQueue>(module, "CompactionQueue",
                              "The jobs of a database, for varve._compaction.")
      .def(
          "next", [](CompactionQueue& self) { return Unlocked([&] { return self.Next(); }); },
          nb::sig("def next(self) -> CompactionJob | None"),
          "Waits for a job. None: there will be none.")
      .def(
          "end",
          [](CompactionQueue& self, CompactionOffer& job, const Bytes& result) {
            self.End(job, std::string(result.view()));
          },
          "job"_a, "result"_a,
          "There is a result: these bytes, or if there are none, what is in the folder of the job.")
      .def(
          "fail",
          [](CompactionQueue& self, CompactionOffer& job, const Name& error, const Name& text) {
            self.End(job, StatusOf(error.text, text.text));
          },
          "job"_a, "error"_a, "text"_a,
          "There is none, because of an error: the name of its class in varve._errors, and its text.")
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
  module.def(
      "run_compaction_job", &RunJob, "job"_a, nb::kw_only(), "directory"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def run_compaction_job(job: _typeshed.StrOrBytesPath, *, directory: "
              "_typeshed.StrOrBytesPath | None = None, threads: int = 0) -> dict[str, "
              "typing.Any]"),
      "Does the compaction of a job file, as `varve compact-worker JOB` does, and returns what "
      "it did: its tables\nand its result are written beside that file. `directory` is that of "
      "the database as it is seen here, if the\njob names it otherwise. `threads` work at "
      "once; 0: as many as the job says. Busy: there is a result already;\nNotFound: nobody "
      "waits for it; Ctrl-C: another worker may begin.");
  module.def("run_sent_compaction_job", &RunSentJob, "job"_a, nb::kw_only(),
             "directory"_a = nb::none(), "threads"_a = 0,
             nb::sig("def run_sent_compaction_job(job: _typeshed.ReadableBuffer, *, directory: "
                     "_typeshed.StrOrBytesPath | None = None, threads: int = 0) -> bytes"),
             "The same for the bytes of a job (CompactionJob.data), and returns those of the "
             "result, which also tells of\nmost failures. It raises if there can be none.");
  module.def("run_first_compaction_job", &RunFirstJob, "folder"_a, nb::kw_only(),
             "directory"_a = nb::none(), "threads"_a = 0,
             nb::sig("def run_first_compaction_job(folder: _typeshed.StrOrBytesPath, *, directory: "
                     "_typeshed.StrOrBytesPath | None = None, threads: int = 0) -> dict[str, "
                     "typing.Any] | None"),
             "Does the first job of a folder that no other worker is at, as `varve compact-worker "
             "--watch FOLDER` does.\nNone: there is none.");
}

}  // namespace varve::python
