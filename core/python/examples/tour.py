# SPDX-License-Identifier: Apache-2.0
"""The program that web/docs/embed.md shows: tour.py DIRECTORY."""
# region program
import sys

import varve


def run(directory: str) -> None:
    with varve.open(directory, create_if_missing=True) as db:
        batch = varve.WriteBatch()  # All of it or nothing, also after a crash.
        batch.put(b"user:1", b"Ada")
        batch.put(b"user:2", b"Grace")
        batch.delete_range(b"tmp:", b"tmp;")
        db.write(batch, durability="sync")

        db[b"user:3"] = b"Edsger"
        del db[b"user:3"]
        print("user:1 is", db[b"user:1"].decode())
        print(sum(1 for _ in db.keys(prefix=b"user:")), "users")

        with db.snapshot() as before:
            db[b"user:2"] = b"Barbara"
            print(before[b"user:2"].decode(), "was", db[b"user:2"].decode())


try:
    run(sys.argv[1])
except varve.Error as error:
    sys.exit(f"{error.file}@{error.offset}: {error}")  # Which file, and where in it, if it is about one.
# endregion program
