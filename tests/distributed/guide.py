# SPDX-License-Identifier: Apache-2.0
"""What the guides of web/docs show in Python works."""
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "web/docs"


def run_page(name, folder):
    """Runs the blocks of a page, one after the other, in a folder. Returns what they printed."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (PAGES / f"{name}.md").read_text(), re.M | re.S)
    done = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True)
    if not blocks or done.returncode != 0:
        raise AssertionError(f"{name}.md: {len(blocks)} blocks, exit code {done.returncode}: {done.stderr[-4000:]}")
    return done.stdout
