#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The built site is whole and talks to nobody: site_test.py SITE

A page, a style or a script that would fetch anything from another origin is a failure; only a plain
link, which a reader may click, leads elsewhere. What a page links to or shows on its own site is
there, anchors included. scripts/build.sh docs ends with it."""
import html.parser
import os
import pathlib
import re
import sys
import unittest
import urllib.parse

SITE = None
BASE = os.environ.get("DOCS_BASE", "/")  # Where the site will lie.
# Of attributes, those that a browser follows by itself or on a click.
FOLLOWED = {"href", "src", "srcset", "poster", "data", "action", "formaction", "ping", "background"}
FOREIGN = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.I)
IN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?\s*((?:https?:)?//[^"')\s]*)""", re.I)
IN_SCRIPT = re.compile(r"""(?:\b(?:import|from|fetch|importScripts|Worker|SharedWorker|WebSocket|EventSource|"""
                       r"""sendBeacon|URL)\s*\(?\s*|\.(?:src|href|action)\s*=\s*|\bopen\(\s*["'`][A-Z]+["'`],\s*)"""
                       r"""["'`]((?:(?:https?|wss?):)?//[\w[][^"'`]*)""")
NAMES = {"http://a", "http://localhost", "http://x"}  # Bases to parse addresses with, asked by nobody.


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.shown, self.ids, self.styles, self.policies = [], [], set(), [], []
        self.within = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.within = tag
        told = {name: value or "" for name, value in attributes}
        self.ids.update(told[name] for name in ("id", "name") if name in told)
        self.styles.append(told.get("style", ""))
        if tag == "meta" and told.get("http-equiv", "").lower() == "content-security-policy":
            self.policies.append(told["content"])
        if tag == "meta" and told.get("http-equiv", "").lower() == "refresh":
            self.links.append(told["content"].partition("url=")[2])
        for name in FOLLOWED & told.keys():
            if tag == "a" and name == "href":
                self.links.append(told[name])
            else:
                self.shown += [part.split()[0] for part in told[name].split(",") if part.split()] \
                    if name == "srcset" else [told[name]]

    def handle_data(self, data):
        if self.within == "style":
            self.styles.append(data)


class SiteTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.pages = {path.relative_to(SITE): Page(path.read_text()) for path in SITE.rglob("*.html")}

    def files(self, *endings):
        return [path for path in sorted(SITE.rglob("*")) if path.suffix in endings]

    def target(self, page, address):
        """The file of the site that an address on a page is of, and its anchor."""
        path, _, anchor = address.partition("#")
        path = urllib.parse.unquote(path.partition("?")[0])
        if not path:
            return page, anchor
        at = (SITE / path.removeprefix(BASE) if path.startswith("/") else (SITE / page).parent / path).resolve()
        if at.is_dir():
            at /= "index.html"
        elif not at.exists() and at.with_name(at.name + ".html").exists():
            at = at.with_name(at.name + ".html")
        return (at.relative_to(SITE) if at.is_relative_to(SITE) else at), anchor

    def test_what_counts_as_fetching(self):
        page = Page('<a href="https://a.org"><img srcset="b.png 1x, //c.org/d.png 2x"><p style="x: url(//e.org)">'
                    '<link href="http://f.org/g.css"><form action="https://h.org">')
        self.assertEqual(["//c.org/d.png", "http://f.org/g.css", "https://h.org"],
                         [shown for shown in page.shown if FOREIGN.match(shown)])
        self.assertEqual(["//e.org"], IN_STYLE.findall("\n".join(page.styles)))
        self.assertEqual(["//a.org/b.css"], IN_STYLE.findall("@import '//a.org/b.css';"))
        for code in ("import('https://a.org/b.js')", 'import x from"https://a.org/b.js"', "fetch(`//a.org`)",
                     "image.src='http://a.org/b'", "new Worker('https://a.org/w.js')",
                     "request.open('GET', 'https://a.org')"):
            self.assertTrue(IN_SCRIPT.search(code), code)
        for code in ("createElementNS('http://www.w3.org/2000/svg', x)", "fetch('./b')", "// fetch it: //a.org"):
            self.assertFalse(IN_SCRIPT.search(code), code)

    def test_there_are_pages(self):
        self.assertGreater(len(self.pages), 30)
        for needed in ("index.html", "first-steps.html", "reference/index.html", "inspector/index.html"):
            self.assertTrue((SITE / needed).is_file(), needed)

    def test_no_page_fetches_from_elsewhere(self):
        for path, page in self.pages.items():
            self.assertEqual([], [shown for shown in page.shown if FOREIGN.match(shown)], path)
            self.assertEqual([], IN_STYLE.findall("\n".join(page.styles)), path)

    def test_pages_have_a_policy_that_forbids_it(self):
        for path, page in self.pages.items():
            if path.parts[0] == "reference":  # Doxygen's; held by the other tests.
                continue
            self.assertEqual(1, len(page.policies), path)
            rules = dict((rule.split()[0], rule.split()[1:]) for rule in page.policies[0].split(";") if rule.split())
            self.assertIn(rules["default-src"], (["'self'"], ["'none'"]), path)
            for name, sources in rules.items():
                allowed = [s for s in sources if not re.fullmatch(
                    r"'(self|none|wasm-unsafe-eval|sha256-.*)'|data:|blob:", s)]
                self.assertEqual(["'unsafe-inline'"] if name == "style-src" and allowed else [], allowed, path)

    def test_no_style_and_no_script_fetches_from_elsewhere(self):
        for path in self.files(".css"):
            self.assertEqual([], IN_STYLE.findall(path.read_text()), path)
        for path in self.files(".js", ".mjs", ".html"):
            found = [each for each in IN_SCRIPT.findall(path.read_text()) if each.rstrip("/") not in NAMES]
            self.assertEqual([], found, path)

    def test_no_dead_link(self):
        dead = []
        for path, page in self.pages.items():
            for address in page.links + page.shown:
                if re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.I):
                    continue
                to, anchor = self.target(path, address)
                if not (SITE / to).is_file():
                    dead.append(f"{path}: {address}")
                elif anchor and path.parts[0] != "reference" and not anchor.startswith("/") and \
                        to in self.pages and urllib.parse.unquote(anchor) not in self.pages[to].ids:
                    dead.append(f"{path}: {address}: no such place on that page")
        self.assertEqual([], dead)


if __name__ == "__main__":
    SITE = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
