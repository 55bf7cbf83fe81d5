# SPDX-License-Identifier: Apache-2.0
"""Fewest operations with which something still fails: delta debugging, in one place for all suites.

After A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), with pieces taken out only."""


def shrink(items, fails, is_over=lambda: False):
    """A part of `items`, in order, for which `fails` is true, as it is for `items`. Where is_over() did not end it, no
    single item can be left out. Never none of them."""
    items = list(items)
    size = len(items) // 2
    while size > 0:
        removed = False
        end = len(items)
        while end > 0:  # From the end: what comes later depends on what came before.
            begin = max(0, end - size)
            rest = items[:begin] + items[end:]
            if is_over():
                return items
            if rest and fails(rest):
                items, removed = rest, True
            end = begin
        if size > 1 or not removed:
            size //= 2
    return items


def parse_list(text):
    """[1, 2, 3, 9] of "1-3,9"."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def list_of(numbers):
    """The other way round."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)
