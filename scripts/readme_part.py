# SPDX-License-Identifier: Apache-2.0
"""A part of a README that a script beside it makes, between the lines `<!-- SCRIPT -->` and `<!-- end -->`."""
import pathlib
import sys

END = "<!-- end -->\n"


def keep(script, source, made):
    """Writes the part into the README, or with --check ends with an error if it is another. `script`: its path."""
    script = pathlib.Path(script).resolve()
    readme = script.with_name("README.md")
    begin = f"<!-- {script.name} -->\n"
    text = readme.read_text()
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(END)
    kept = before + begin + made + END + after
    if "--check" not in sys.argv:
        readme.write_text(kept)
    elif kept != text:
        place = script.parent.relative_to(pathlib.Path(__file__).resolve().parents[1])
        sys.exit(f"{place}/README.md is not what {source} says: run {place}/{script.name}")
