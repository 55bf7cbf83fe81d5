// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/job_for.h"

#include "tests/unit/engine/engine_parts.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

TEST_CASE("JobFor: what the tables of a job will say of family and database") {
  ContextFixture t;
  t.context.db_session_id = "SESSION";
  ColumnFamilyOptions options;
  options.merge_operator = MergeOperatorByName("max");
  options.write_buffer_size = 4711;
  const JobContext job = JobFor(t.context, *t.AddFamily(7, options));
  CHECK_EQ(job.origin.family_id, 7);
  CHECK_EQ(job.origin.family_name, "family7");
  CHECK_EQ(job.origin.merge_operator, options.merge_operator->name());
  CHECK_EQ(job.origin.db_id, t.context.db_id);
  CHECK_EQ(job.origin.db_session_id, "SESSION");
  CHECK_EQ(job.options.write_buffer_size, 4711);
  CHECK(job.options.comparator == BytewiseComparator());
  CHECK_EQ(job.directory, "db");
  CHECK(job.env.file_system == &t.fs);
  CHECK_EQ(JobFor(t.context, *t.AddFamily(8)).origin.merge_operator, "nullptr");
}

TEST_CASE("JobFor: new tables go to the first path, and those of a read-only opening to none") {
  ContextFixture t;
  ColumnFamilyOptions options;
  CHECK_EQ(JobFor(t.context, *t.AddFamily(1, options)).table_directory, "db");
  options.cf_paths = {{"fast", 1}, {"slow", 0}};
  Family* const family = t.AddFamily(2, options);
  CHECK_EQ(JobFor(t.context, *family).table_directory, "fast");
  CHECK_EQ(JobFor(t.context, *family).path_id, 0);
  t.context.read_only = true;
  CHECK_EQ(JobFor(t.context, *family).table_directory, "db");
}

TEST_CASE("JobFor: the options are those of now, and the snapshots those that live") {
  ContextFixture t;
  Family* const family = t.AddFamily(0);
  t.context.visible = 5;
  const Snapshot five = t.context.snapshots->Take();
  t.context.visible = 9;
  {
    const Snapshot nine = t.context.snapshots->Take();
    CHECK(JobFor(t.context, *family).snapshots == std::vector<Sequence>{5, 9});
  }
  CHECK(JobFor(t.context, *family).snapshots == std::vector<Sequence>{5});
  t.context.AssertNotShared();
  ColumnFamilyOptions changed = family->options();
  changed.table.block_size = 12345;
  family->ChangeOptions(changed);
  CHECK_EQ(JobFor(t.context, *family).options.table.block_size, 12345);
}

TEST_CASE("JobFor: how files are read and written is as the database was opened") {
  for (const bool on : {false, true}) {
    Options options;
    options.use_direct_io_for_flush_and_compaction = on;
    options.paranoid_checks = on;
    options.compaction_readahead_size = on ? 123 : 456;
    ContextFixture t(options);
    const JobContext job = JobFor(t.context, *t.AddFamily(0));
    CHECK_EQ(job.direct_io, on);
    CHECK_EQ(job.paranoid_checks, on);
    CHECK_EQ(job.readahead_size, on ? 123 : 456);
  }
}

}  // namespace
}  // namespace varve
