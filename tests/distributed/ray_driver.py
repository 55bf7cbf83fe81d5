# SPDX-License-Identifier: Apache-2.0
"""A write through Ray, alone in a process that may be killed: ray_driver.py DATABASE."""
import os
import pathlib
import random
import sys

import pyarrow
import ray
import varve.ray
from loads import NEW


def begin():
    here = str(pathlib.Path(__file__).resolve().parent)
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, log_to_driver=False, logging_level="ERROR",
             _node_ip_address="127.0.0.1",
             runtime_env={"env_vars": {"PYTHONPATH": f"{os.environ['PYTHONPATH']}:{here}"}})
    ray.data.DataContext.get_current().enable_progress_bars = False


def new_rows():
    """NEW, in no order."""
    keys = list(NEW)
    random.Random(1).shuffle(keys)
    tables = [pyarrow.table({"key": keys[first:first + 2500], "value": [b"new"] * 2500})
              for first in range(0, len(keys), 2500)]
    return ray.data.from_arrow(tables)


if __name__ == "__main__":
    begin()
    varve.ray.write(new_rows(), sys.argv[1])
