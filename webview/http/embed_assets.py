#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs every file of a folder for linking into a program: embed_assets.py OUT PLAIN [APP]

Takes APP, the folder of the web app, if it has an index.html, else PLAIN; HasWebApp() says which.
Writes OUT.S (the bytes, by .incbin), OUT.cc (the
table of webview/http/assets.h) and OUT.d (what they were made from, for ninja)."""
import hashlib
import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json", ".map": "application/json",
         ".wasm": "application/wasm", ".woff2": "font/woff2", ".png": "image/png",
         ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8",
         ".webmanifest": "application/manifest+json"}


def main(out, plain, app=None):
    has_app = app is not None and (app / "index.html").is_file()
    folder = app if has_app else plain
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    assembly, table, names = [".section .rodata\n"], [], []
    for i, file in enumerate(files):
        if file.suffix not in TYPES:
            sys.exit(f"embed_assets: {file}: no type is known for '{file.suffix}'")
        data = file.read_bytes()
        name = "/" + file.relative_to(folder).as_posix()
        tag = hashlib.sha256(data).hexdigest()[:16]
        assembly.append(f'.global varve_asset_{i}\n.balign 16\nvarve_asset_{i}:\n.incbin "{file}"\n')
        names.append(f'extern "C" const char varve_asset_{i}[];')
        table.append(f'    {{"{name}", "{TYPES[file.suffix]}", "\\"{tag}\\"", '
                     f'{{varve_asset_{i}, {len(data)}}}}},')
    assembly.append('.section .note.GNU-stack,"",@progbits\n')
    pathlib.Path(f"{out}.S").write_text("".join(assembly))
    pathlib.Path(f"{out}.cc").write_text(
        "// Made by embed_assets.py.\n#include \"webview/http/assets.h\"\n\n" + "\n".join(names) +
        "\n\nnamespace varve::http {\nnamespace {\nconst Asset kAssets[] = {\n" +
        "\n".join(table) + "\n};\n}  // namespace\nstd::span<const Asset> AllAssets() "
        "{ return kAssets; }\n" +
        f"bool HasWebApp() {{ return {'true' if has_app else 'false'}; }}\n" +
        "}  // namespace varve::http\n")
    folders = {d for f in files for d in f.parents if d.is_relative_to(folder)}
    if app is not None and not has_app:  # If the app appears, a folder around it changes.
        folders |= {folder for folder in (app if app.is_dir() else app.parent,) if folder.is_dir()}
    watched = [*files, *sorted(folders)]
    inputs = " ".join(str(p).replace(" ", "\\ ") for p in watched)
    pathlib.Path(f"{out}.d").write_text(f"{out}.S: {inputs}\n")


if __name__ == "__main__":
    main(*(pathlib.Path(p).resolve() for p in sys.argv[1:]))
