#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a database."""
import unittest
import xml.etree.ElementTree

import varve
from scratch import Scratch

SVG = "{http://www.w3.org/2000/svg}"


def shown(view):
    """It is well-formed, whatever the names and keys are."""
    return xml.etree.ElementTree.fromstring(f"<all>{view._repr_html_()}</all>".replace("<br>", "<br/>"))


class NotebookTest(Scratch):
    def test_the_levels_of_a_family(self):
        with varve.open(self.home / "db", create_if_missing=True, disable_auto_compactions=True) as db:
            for number in range(100):
                db[b"%02d" % number] = b"value"
            db.compact()
            for low in (20, 60):
                for number in range(low, low + 20):
                    db[b"%02d" % number] = b"new"
                db.flush()
            newest, oldest, bottom = shown(db).iter(SVG + "rect")
        place = {rect: (float(rect.get("x")), float(rect.get("width"))) for rect in (newest, oldest, bottom)}
        self.assertLess(place[oldest][0] + place[oldest][1], place[newest][0])
        self.assertLess(place[bottom][0], place[oldest][0])
        self.assertGreater(place[bottom][0] + place[bottom][1], place[newest][0] + place[newest][1])
        self.assertEqual(3, len({rect.get("y") for rect in place}))
        self.assertIn("20 entries, '60' to '79'", newest.find(SVG + "title").text)

    def test_all_families_and_their_names(self):
        with varve.open(self.home / "db", create_if_missing=True) as db:
            family = db.create_family("<script>")
            family[b"<&>\xff"] = b"value"
            family.flush()
            both = shown(db)
            self.assertEqual(["default", "<script>"], [name.text for name in both.iter("b")])
            self.assertEqual(1, len(list(both.iter(SVG + "rect"))))
            self.assertEqual(["<script>"], [name.text for name in shown(family).iter("b")])

    def test_of_many_files_those_that_can_be_seen(self):
        with varve.open(self.home / "db", create_if_missing=True, disable_auto_compactions=True, write_buffer_size=65536,
                        target_file_size_base=4096, compression="none", block_size=256) as db:
            for number in range(9000):
                db[b"%06d" % number] = b"x" * 400
            db.compact()
            self.assertGreater(len(db.files()), 700)
            drawn = len(list(shown(db).iter(SVG + "rect")))
        self.assertLessEqual(drawn, 641)
        self.assertGreater(drawn, 300)

    def test_keys_in_reverse(self):
        with varve.open(self.home / "db", create_if_missing=True, comparator="rocksdb.ReverseBytewiseComparator") as db:
            db[b"a"] = db[b"b"] = b"value"
            db.flush()
            rect, = shown(db).iter(SVG + "rect")
        self.assertGreater(float(rect.get("width")), 600)

    def test_a_closed_one_has_its_repr(self):
        db = varve.open(self.home / "db", create_if_missing=True)
        family = db.create_family("f")
        db.close()
        self.assertEqual((None, None), (db._repr_html_(), family._repr_html_()))


if __name__ == "__main__":
    unittest.main()
