# SPDX-License-Identifier: Apache-2.0
"""What mypy has to refuse, a line for each comment: stubs_test.py. It is not run."""
import varve

db = varve.open("path")
db["text"]  # refused
db[b"key"] = "text"  # refused
db.put(b"key", b"value", durability="later")  # refused
len(db)  # refused
text: str = db[b"key"]  # refused
sure: bytes = db.get(b"key")  # refused
db.snapshot().put(b"key", b"value")  # refused
for key in db.keys(b"a"):  # refused
    pass
varve.open("path", compression=b"zstd")  # refused
varve.open(7)  # refused
db.read_only = True  # refused
