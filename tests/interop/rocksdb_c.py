# SPDX-License-Identifier: Apache-2.0
"""RocksDB through its C interface (include/rocksdb/c.h of 11.8.1), as much of it as the tests need.

A Library is one loaded librocksdb; a Database is one open database of it, with all its column families. What
RocksDB reports as an error is raised as RocksDbError. Not thread-safe.
"""
import ctypes

POINTER, SIZE, TEXT, FLAG, INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_ubyte, ctypes.c_int
ERROR = ctypes.POINTER(ctypes.c_void_p)

# Result and arguments of each function that is called.
FUNCTIONS = {
    "free": (None, [POINTER]),
    "create_default_env": (POINTER, []),
    "options_create": (POINTER, []),
    "options_destroy": (None, [POINTER]),
    "options_get_compression": (INT, [POINTER]),
    "options_set_create_if_missing": (None, [POINTER, FLAG]),
    "get_options_from_string": (None, [POINTER, TEXT, POINTER, ERROR]),
    "load_latest_options": (None, [TEXT, POINTER, FLAG, POINTER, ERROR, ctypes.POINTER(SIZE), ERROR, ERROR, ERROR]),
    "open_column_families": (POINTER, [POINTER, TEXT, INT, POINTER, POINTER, POINTER, ERROR]),
    "open_for_read_only_column_families": (POINTER, [POINTER, TEXT, INT, POINTER, POINTER, POINTER, FLAG, ERROR]),
    "list_column_families": (POINTER, [POINTER, TEXT, ctypes.POINTER(SIZE), ERROR]),
    "list_column_families_destroy": (None, [POINTER, SIZE]),
    "create_column_family": (POINTER, [POINTER, POINTER, TEXT, ERROR]),
    "drop_column_family": (None, [POINTER, POINTER, ERROR]),
    "column_family_handle_destroy": (None, [POINTER]),
    "close": (None, [POINTER]),
    "verify_checksum": (None, [POINTER, ERROR]),
    "writeoptions_create": (POINTER, []),
    "writeoptions_set_sync": (None, [POINTER, FLAG]),
    "readoptions_create": (POINTER, []),
    "flushoptions_create": (POINTER, []),
    "writebatch_create": (POINTER, []),
    "writebatch_destroy": (None, [POINTER]),
    "writebatch_put_cf": (None, [POINTER, POINTER, TEXT, SIZE, TEXT, SIZE]),
    "writebatch_delete_cf": (None, [POINTER, POINTER, TEXT, SIZE]),
    "writebatch_delete_range_cf": (None, [POINTER, POINTER, TEXT, SIZE, TEXT, SIZE]),
    "write": (None, [POINTER, POINTER, POINTER, ERROR]),
    "flush_cf": (None, [POINTER, POINTER, POINTER, ERROR]),
    "compact_range_cf": (None, [POINTER, POINTER, TEXT, SIZE, TEXT, SIZE]),
    "get_cf": (POINTER, [POINTER, POINTER, POINTER, TEXT, SIZE, ctypes.POINTER(SIZE), ERROR]),
    "create_iterator_cf": (POINTER, [POINTER, POINTER, POINTER]),
    "iter_destroy": (None, [POINTER]),
    "iter_seek_to_first": (None, [POINTER]),
    "iter_seek_to_last": (None, [POINTER]),
    "iter_next": (None, [POINTER]),
    "iter_prev": (None, [POINTER]),
    "iter_valid": (FLAG, [POINTER]),
    "iter_key": (POINTER, [POINTER, ctypes.POINTER(SIZE)]),
    "iter_value": (POINTER, [POINTER, ctypes.POINTER(SIZE)]),
    "iter_get_error": (None, [POINTER, ERROR]),
    "checkpoint_object_create": (POINTER, [POINTER, ERROR]),
    "checkpoint_object_destroy": (None, [POINTER]),
    "checkpoint_create": (None, [POINTER, TEXT, ctypes.c_uint64, ERROR]),
    "envoptions_create": (POINTER, []),
    "sstfilewriter_create": (POINTER, [POINTER, POINTER]),
    "sstfilewriter_destroy": (None, [POINTER]),
    "sstfilewriter_open": (None, [POINTER, TEXT, ERROR]),
    "sstfilewriter_put": (None, [POINTER, TEXT, SIZE, TEXT, SIZE, ERROR]),
    "sstfilewriter_delete_range": (None, [POINTER, TEXT, SIZE, TEXT, SIZE, ERROR]),
    "sstfilewriter_finish": (None, [POINTER, ERROR]),
    "ingestexternalfileoptions_create": (POINTER, []),
    "ingest_external_file_cf": (None, [POINTER, POINTER, POINTER, SIZE, POINTER, ERROR]),
}


class RocksDbError(Exception):
    pass


class Library:
    """With the functions of FUNCTIONS and those of `more`, in the same form, that this release has."""

    def __init__(self, path, more={}):
        library = ctypes.CDLL(str(path))
        for name, (result, arguments) in (FUNCTIONS | more).items():
            function = getattr(library, "rocksdb_" + name, None)
            if function is None:
                continue
            function.restype, function.argtypes = result, arguments
            setattr(self, "_" + name, function)
        self.env = self._create_default_env()
        self.reading, self.writing, self.flushing = (
            self._readoptions_create(), self._writeoptions_create(), self._flushoptions_create())

    def has(self, name):
        return hasattr(self, "_" + name)

    def call(self, name, *arguments):
        """The function's result, where errptr is its last argument."""
        error = ctypes.c_void_p()
        result = getattr(self, "_" + name)(*arguments, ctypes.byref(error))
        if error.value:
            text = ctypes.string_at(error.value).decode(errors="replace")
            self._free(error)
            raise RocksDbError(text)
        return result

    def options(self, text=""):
        """Options of a database and a family, from "name=value;..."."""
        base, options = self._options_create(), self._options_create()
        self.call("get_options_from_string", base, text.encode(), options)
        self._options_destroy(base)
        return options

    def latest_options(self, path):
        """What the newest OPTIONS file of a database says, which must have no option that is unknown."""
        options, count = ctypes.c_void_p(), SIZE()
        names, families = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("load_latest_options", str(path).encode(), self.env, False, None, ctypes.byref(options),
                  ctypes.byref(count), ctypes.byref(names), ctypes.byref(families))
        names = ctypes.cast(names, ctypes.POINTER(TEXT))
        families = ctypes.cast(families, ctypes.POINTER(POINTER))
        return options, {names[i].decode(): families[i] for i in range(count.value)}

    def families(self, path):
        count = SIZE()
        names = self.call("list_column_families", self._options_create(), str(path).encode(), ctypes.byref(count))
        found = [ctypes.cast(names, ctypes.POINTER(TEXT))[i].decode() for i in range(count.value)]
        self._list_column_families_destroy(names, count)
        return found

    def build_table(self, path, options, records, ranges=()):
        """A table for ingestion, of sorted records and of range deletions."""
        writer = self._sstfilewriter_create(self._envoptions_create(), options)
        self.call("sstfilewriter_open", writer, str(path).encode())
        for key, value in records:
            self.call("sstfilewriter_put", writer, key, len(key), value, len(value))
        for begin, end in ranges:
            self.call("sstfilewriter_delete_range", writer, begin, len(begin), end, len(end))
        self.call("sstfilewriter_finish", writer)
        self._sstfilewriter_destroy(writer)


class Database:
    """With `options` for all families but those of `families`, or as its OPTIONS file says where they are None."""

    def __init__(self, library, path, options=None, read_only=False, sync=False, families={}):
        self.library, self.path = library, str(path).encode()
        if options is None:
            options, self.family_options = library.latest_options(path)
        else:
            try:
                names = library.families(path)
            except RocksDbError:  # There is none yet.
                library._options_set_create_if_missing(options, True)
                names = ["default"]
            self.family_options = dict.fromkeys(names, options) | families
        self.options = options
        names = list(self.family_options)
        handles = (POINTER * len(names))()
        arguments = [options, self.path, len(names), (TEXT * len(names))(*(name.encode() for name in names)),
                     (POINTER * len(names))(*self.family_options.values()), handles]
        if read_only:
            self.db = library.call("open_for_read_only_column_families", *arguments, False)
        else:
            self.db = library.call("open_column_families", *arguments)
        self.handles = dict(zip(names, handles))
        self.writing = library._writeoptions_create()
        library._writeoptions_set_sync(self.writing, sync)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for handle in self.handles.values():
            self.library._column_family_handle_destroy(handle)
        self.library._close(self.db)

    def create_family(self, name):
        options = next(iter(self.family_options.values()))
        self.handles[name] = self.library.call("create_column_family", self.db, options, name.encode())

    def drop_family(self, name):
        handle = self.handles.pop(name)
        self.library.call("drop_column_family", self.db, handle)
        self.library._column_family_handle_destroy(handle)

    def write(self, operations):
        """Commits [("put", family, key, value), ("delete", family, key), ("delete-range", family, begin, end)]."""
        batch = self.library._writebatch_create()
        for kind, family, *words in operations:
            sized = [part for word in words for part in (word, len(word))]
            getattr(self.library, f"_writebatch_{kind.replace('-', '_')}_cf")(batch, self.handles[family], *sized)
        try:
            self.library.call("write", self.db, self.writing, batch)
        finally:
            self.library._writebatch_destroy(batch)

    def flush(self, family="default"):
        self.library.call("flush_cf", self.db, self.library.flushing, self.handles[family])

    def compact(self, family="default"):
        self.library._compact_range_cf(self.db, self.handles[family], None, 0, None, 0)

    def ingest(self, table, family="default"):
        self.library.call("ingest_external_file_cf", self.db, self.handles[family], (TEXT * 1)(str(table).encode()), 1,
                          self.library._ingestexternalfileoptions_create())

    def checkpoint(self, path):
        checkpoint = self.library.call("checkpoint_object_create", self.db)
        self.library.call("checkpoint_create", checkpoint, str(path).encode(), 0)
        self.library._checkpoint_object_destroy(checkpoint)

    def verify(self):
        self.library.call("verify_checksum", self.db)

    def get(self, key, family="default"):
        size = SIZE()
        value = self.library.call("get_cf", self.db, self.library.reading, self.handles[family], key, len(key),
                                  ctypes.byref(size))
        if not value:
            return None
        found = ctypes.string_at(value, size.value)
        self.library._free(value)
        return found

    def scan(self, family="default", reverse=False):
        """All records, as a list."""
        library = self.library
        it = library._create_iterator_cf(self.db, library.reading, self.handles[family])
        begin, step = (library._iter_seek_to_last, library._iter_prev) if reverse else (
            library._iter_seek_to_first, library._iter_next)
        found, size = [], SIZE()
        begin(it)
        while library._iter_valid(it):
            key = ctypes.string_at(library._iter_key(it, ctypes.byref(size)), size.value)
            value = ctypes.string_at(library._iter_value(it, ctypes.byref(size)), size.value)
            found.append((key, value))
            step(it)
        library.call("iter_get_error", it)
        library._iter_destroy(it)
        return found
