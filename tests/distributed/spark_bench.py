#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long Spark takes to write records with varve.spark, and to put them by foreachPartition with rocksdict:
spark_bench.py RECORDS [DIRECTORY]

Records of random keys of 16 bytes and values of 100 bytes come from Parquet. RocksDB admits one process, so that its rows
are in one partition. Both end with all of it in files.."""
import os
import pathlib
import shutil
import sys
import tempfile
import time

from pyspark.sql import functions
from spark_driver import save, session
from varve.spark import sorted_by_key


def put(path):
    def partition(rows):
        from rocksdict import Options, Rdict, WriteBatch
        options = Options(raw_mode=True)
        options.create_if_missing(True)
        db = Rdict(path, options)
        batch = WriteBatch(raw_mode=True)
        for row in rows:
            batch.put(bytes(row.key), bytes(row.value))
            if len(batch) == 1000:
                db.write(batch)
                batch = WriteBatch(raw_mode=True)
        db.write(batch)
        db.flush()
        db.close()
    return partition


def measured(work):
    begun = time.monotonic()
    work()
    return round(time.monotonic() - begun, 1)


def main(records, home):
    spark = session("local[2]", **{"spark.driver.memory": "3g"})
    source = str(home / "source")
    made = spark.range(0, records, 1, 8).select(functions.unhex(functions.md5(functions.col("id").cast("string"))).alias("key"),
                                                functions.expr("cast(repeat(md5(cast(id + 1 as string)), 4) as binary)")
                                                .substr(1, 100).alias("value"))
    made.write.parquet(source)
    frame = spark.read.parquet(source)
    frame.selectExpr("sum(length(key))", "sum(length(value))").collect()  # Both find it in the cache of the system.
    took = {"varve": measured(lambda: save(sorted_by_key(frame, partitions=8), str(home / "varve"))),
            "rocksdict": measured(lambda: frame.coalesce(1).foreachPartition(put(str(home / "rocksdict"))))}
    count = spark.read.format("varve").load(str(home / "varve")).count()
    if count != records:
        raise AssertionError(f"{count} of {records} records")
    print(f"{records} records: {took} s, {took['rocksdict'] / took['varve']:.1f} times; load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-spark-bench-", dir=sys.argv[2] if len(sys.argv) > 2 else None))
    try:
        main(int(sys.argv[1]), folder)
    finally:
        shutil.rmtree(folder)
