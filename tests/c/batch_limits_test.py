#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a write batch with a limit of its size takes is what RocksDB 11.8.1's takes, byte for byte.

    batch_limits_test.py LIBRARY ROCKSDB-LIBRARY"""
import ctypes
import subprocess
import sys

CHANGES = (("put", b"key", b"v" * 9), ("delete", b"k"), ("put_log_data", b"log"), ("merge", b"", b"operand"),
           ("singledelete", b"kk"), ("delete_range", b"a", b"bb"), ("put", b"long" * 40, b"value" * 30))
LONGEST = 420


def batches(path):
    """The bytes of a batch of these changes for each limit."""
    library = ctypes.CDLL(path)
    library.rocksdb_writebatch_create_with_params.restype = ctypes.c_void_p
    library.rocksdb_writebatch_data.restype = ctypes.c_void_p
    for limit in range(LONGEST):
        batch = ctypes.c_void_p(library.rocksdb_writebatch_create_with_params(*map(ctypes.c_size_t, (0, limit, 0, 0))))
        for name, *parts in CHANGES:
            sized = [argument for part in parts for argument in (part, ctypes.c_size_t(len(part)))]
            getattr(library, f"rocksdb_writebatch_{name}")(batch, *sized)
        size = ctypes.c_size_t()
        data = library.rocksdb_writebatch_data(batch, ctypes.byref(size))
        yield limit, library.rocksdb_writebatch_count(batch), ctypes.string_at(data, size.value).hex()
        library.rocksdb_writebatch_destroy(batch)


def main(*arguments):
    if arguments[0] == "--worker":  # Two libraries of the same names need two processes.
        for batch in batches(arguments[1]):
            print(*batch)
        return
    ours, theirs = (subprocess.run([sys.executable, __file__, "--worker", library], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.splitlines() for library in arguments)
    assert len(theirs) == LONGEST and len({line.split()[1] for line in theirs}) > len(CHANGES) / 2, theirs
    for mine, wanted in zip(ours, theirs, strict=True):
        assert mine == wanted, f"ours:   {mine}\ntheirs: {wanted}"
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
