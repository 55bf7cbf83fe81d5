# SPDX-License-Identifier: Apache-2.0
"""`python -m varve` is the program `varve` of this package, which also loads Parquet files here:

    python -m varve load DB data.parquet [--key-column id] [--key-schema id:u64be] ...

They are read by pyarrow; all else is the program's `load` (varve help load).
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib import import_module, metadata

_ROWS_OF_BATCH = 1 << 16


def program() -> str:
    """Where the program of this package is."""
    places = [pathlib.Path(sysconfig.get_path("scripts"), "varve")]
    try:
        places = [pathlib.Path(str(file.locate())) for file in metadata.files("varve") or ()
                  if file.name == "varve"] + places
    except metadata.PackageNotFoundError:
        pass
    places.append(pathlib.Path(__file__).parent.parent / "bin/varve")  # pip install --target
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place.resolve())
    raise SystemExit("varve: the program `varve` is not installed with this package: "
                     "it was built without (VARVE_BUILD_CLI)")


def _load_parquet(file: str, words: Sequence[str]) -> int:
    """`varve load` of these words and of the file's records, and its exit code."""
    try:
        pyarrow = import_module("pyarrow")
        import_module("pyarrow.parquet")
    except ImportError:
        print(f"varve: {file} needs pyarrow: pip install 'varve[parquet]'", file=sys.stderr)
        return 2
    try:
        table = pyarrow.parquet.ParquetFile(file)
    except (OSError, pyarrow.ArrowException) as error:
        print(f"varve: {file}: {error}", file=sys.stderr)
        return 3 if isinstance(error, OSError) else 4
    loading = subprocess.Popen([program(), *words, "--input-format", "arrow", "-"], stdin=subprocess.PIPE)
    assert loading.stdin is not None
    try:
        stream = pyarrow.ipc.new_stream(loading.stdin, table.schema_arrow)
        for batch in table.iter_batches(_ROWS_OF_BATCH):
            stream.write_batch(batch)
        stream.close()
        loading.stdin.close()
    except BrokenPipeError:
        pass  # It ended first, and has said why.
    except BaseException as error:
        # Before the end of the stream is written: nothing of a part of the file is to be there.
        loading.kill()
        loading.wait()
        if not isinstance(error, (OSError, pyarrow.ArrowException)):
            raise
        print(f"varve: {file}: {error}", file=sys.stderr)
        return 4
    return loading.wait()


def main(words: Sequence[str]) -> int:
    files = [word for word in words[1:] if word.endswith(".parquet") and not word.startswith("-")]
    if words[:1] == ["load"] and files:
        if len(files) > 1:
            print("varve: load one Parquet file at a time", file=sys.stderr)
            return 2
        code = _load_parquet(files[0], [word for word in words if word != files[0]])
        return code if code >= 0 else 128 - code
    name = program()
    os.execv(name, [name, *words])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
