# SPDX-License-Identifier: Apache-2.0
"""A write through Spark, alone in a process that may be killed: spark_driver.py DATABASE [FOLDER]. With a folder, one of
its tasks waits."""
import os
import pathlib
import sys
import tempfile

from faults import Fault
from loads import ROWS
from pyspark.sql import SparkSession, functions
from varve.spark import register, sorted_by_key


def session(master, **settings):
    here = pathlib.Path(__file__).resolve().parent
    builder = SparkSession.builder.master(master).appName("varve")
    for name, value in {
            "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": 4, "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
            "spark.executorEnv.PYTHONPATH": f"{os.environ['PYTHONPATH']}:{here}", "spark.pyspark.python": sys.executable,
            "spark.sql.warehouse.dir": tempfile.gettempdir(), **settings}.items():
        builder = builder.config(name, str(value))
    made = builder.getOrCreate()
    register(made)
    return made


def new_rows(spark):
    """NEW, in no order."""
    keys = spark.range(0, ROWS, 2, 5).select(functions.format_string("%06d", "id").alias("key"))
    return keys.orderBy(functions.hash("key")).withColumn("value", functions.lit("new"))


def save(frame, path, **options):
    frame.write.format("varve").mode("append").options(**options).save(path)


def main(database, folder=None):
    frame = sorted_by_key(new_rows(session("local[2]")), partitions=4)
    if folder is not None:
        frame = frame.mapInArrow(Fault(folder, "wait"), frame.schema)
    save(frame, database)


if __name__ == "__main__":
    main(*sys.argv[1:])
