# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a database: a row for each level, with its files by the ranks of their keys."""

from __future__ import annotations

import html as markup
from typing import TYPE_CHECKING, Any

from ._errors import Shutdown

if TYPE_CHECKING:
    from ._varve import DB, Family

_WIDTH = 640  # Of the map, in pixels; files that begin in one pixel are drawn as one.
_ROW, _BAR = 18, 12
_LABEL = 190
_LEVEL0_ROWS = 12
_FAMILIES = 16
_KEY_BYTES = 40


def html(family: Family) -> str | None:
    """A map of each family of a database, or of this one. None if it is closed: its repr() says so."""
    from ._varve import DB

    try:
        return _maps_of(family) if isinstance(family, DB) else _map_of(family, family.name)
    except Shutdown:
        return None


def _maps_of(family: DB) -> str:
    names = family.families()
    more = f"<p>and {len(names) - _FAMILIES} more families</p>" if len(names) > _FAMILIES else ""
    return "".join(_map_of(family.family(name), name) for name in names[:_FAMILIES]) + more


def _map_of(family: Family, name: str) -> str:
    files = family.files()
    size = _bytes(sum(file["size"] for file in files))
    title = f"<b>{markup.escape(name)}</b> {len(files)} files, {size}"
    return f"<div>{title}<br>{_svg(family, files)}</div>" if files else f"<div>{title}</div>"


def _svg(family: Family, files: list[dict[str, Any]]) -> str:
    keys = {file[end] for file in files for end in ("smallest_key", "largest_key")}
    backwards = "ReverseBytewise" in family.options().get("comparator", "")
    rank = {key: number for number, key in enumerate(sorted(keys, reverse=backwards))}
    scale = _WIDTH / max(len(rank), 1)
    rows: list[tuple[str, list[dict[str, Any]]]] = []
    for level in family.levels():
        here = [file for file in files if file["level"] == level["level"]]
        label = f"L{level['level']}  {len(here)} files, {_bytes(level['bytes'])}"
        if level["level"] > 0:
            rows += [(label, here)] if here else []
            continue
        here.sort(key=lambda file: -int(file["largest_sequence"]))
        rows += [(label if number == 0 else "", [file]) for number, file in enumerate(here[:_LEVEL0_ROWS])]
        if len(here) > _LEVEL0_ROWS:
            rows.append((f"and {len(here) - _LEVEL0_ROWS} older", []))
    drawn = []
    for number, (label, here) in enumerate(rows):
        y = number * _ROW
        drawn.append(f'<text x="0" y="{y + _BAR - 2}" xml:space="preserve">{label}</text>')
        taken = -1
        for file in sorted(here, key=lambda file: rank[file["smallest_key"]]):
            left = rank[file["smallest_key"]] * scale
            if int(left) <= taken:
                continue
            taken = int(left)
            width = max((rank[file["largest_key"]] + 1) * scale - left - 0.5, 1)
            drawn.append(f'<rect fill="#4477aa" x="{_LABEL + left:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}">'
                         f"<title>{_about(file)}</title></rect>")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LABEL + _WIDTH}" height="{len(rows) * _ROW}" '
            f'font-family="monospace" font-size="11" fill="currentColor">{"".join(drawn)}</svg>')


def _about(file: dict[str, Any]) -> str:
    keys = " to ".join(repr(file[end][:_KEY_BYTES])[1:] for end in ("smallest_key", "largest_key"))
    return markup.escape(f"{file['number']:06}.sst  {_bytes(file['size'])}, {file['entries']} entries, {keys}")


def _bytes(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
