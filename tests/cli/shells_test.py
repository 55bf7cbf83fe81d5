#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in bash, zsh and fish, and the prompt of `varve shell`, each at a terminal of its own.

    shells_test.py VARVE [unittest arguments]"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

VARVE = pathlib.Path(sys.argv[1]).resolve()


class Terminal:
    """A program at a terminal of 200 columns: what is typed, and what is shown for it."""

    def __init__(self, words, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(words[0], words, {**env, "TERM": "xterm", "COLUMNS": "200"})
        import fcntl, struct, termios
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.shown = ""

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, pattern, seconds=60):
        """What was shown up to the pattern; what follows is kept."""
        end = time.monotonic() + seconds
        while True:
            self.shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.shown)  # These divide words.
            found = re.search(pattern, self.shown)
            if found:
                before, self.shown = self.shown[:found.end()], self.shown[found.end():]
                return before
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise AssertionError(f"{pattern!r} does not show:\n{self.shown[-3000:]}")
            try:
                self.shown += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"it ended before {pattern!r} showed:\n{self.shown[-3000:]}")

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-shells-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.db = cls.home / "db"
        cls.env = {"PATH": f"{VARVE.parent}:{os.environ['PATH']}", "HOME": str(cls.home),
                   "LC_ALL": "C.UTF-8"}
        records = "".join(f"key{i:05}\tvalue{i}\n" for i in range(2000))
        subprocess.run([VARVE, "load", cls.db, "-", "-q"], input=records.encode(), check=True)
        for name in ("users", "under scores"):
            subprocess.run([VARVE, "cf", "create", cls.db, name, "-q"], check=True)

    def at(self, words):
        terminal = Terminal(words, self.env)
        self.addCleanup(terminal.close)
        return terminal


# What is typed before Tab, and what it becomes.
COMPLETIONS = (
    ("varve multig", "varve multiget "),
    ("varve sst ver", "varve sst verify "),
    ("varve scan db --keys-o", "varve scan db --keys-only "),
    ("varve scan db --format jsonl --col", "varve scan db --format jsonl --color "),
    ("varve scan db --format ra", "varve scan db --format raw "),
    ("varve scan db --cf use", "varve scan db --cf users "),
    ("varve load db - --option write_buffer_s", "varve load db - --option write_buffer_size="),
    ("varve load db - --option checksum=crc", "varve load db - --option checksum=crc32c"),
    ("varve bench run fillr", "varve bench run fillrandom "),
    ("varve completion fi", "varve completion fish "),
    ("varve scan d", "varve scan db/"),
)


class Completion(Case):
    def check(self, terminal, prompt):
        for typed, expected in COMPLETIONS:
            with self.subTest(typed):
                terminal.type(typed + "\t")
                terminal.wait_for(re.escape(expected.rstrip()))
                terminal.type("\x15\n")  # The line is wiped, and the next prompt waited for.
                terminal.wait_for(prompt)

    def test_bash(self):
        (self.home / "rc.bash").write_text(f"PS1='ready> '\nbind 'set enable-bracketed-paste off'\n"
                                           f"cd {self.home}\nsource <(varve completion bash)\n")
        bash = self.at(["bash", "--noprofile", "--rcfile", str(self.home / "rc.bash"), "-i"])
        bash.wait_for("ready> ")
        self.check(bash, "ready> ")

    def test_zsh(self):
        (self.home / ".zshrc").write_text(f"PS1='ready> '\nunsetopt zle_bracketed_paste 2>/dev/null\n"
                                          f"cd {self.home}\nsource <(varve completion zsh)\n")
        zsh = self.at(["zsh", "-i"])
        zsh.wait_for("ready> ")
        self.check(zsh, "ready> ")

    def fish(self, line):
        script = f"cd {self.home}; varve completion fish | source; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, env=self.env,
                              timeout=60)
        self.assertEqual(done.stderr, b"")
        return [row.split("\t") for row in done.stdout.decode().splitlines()]

    def test_fish(self):
        for typed, expected in COMPLETIONS:
            with self.subTest(typed):
                self.assertEqual([row[0] for row in self.fish(typed)],
                                 [expected.rstrip().rsplit(" ", 1)[1]])
        self.assertIn(["verify", "check every block, entry, separator, filter answer and count of a "
                       "table"], self.fish("varve sst "))

    def test_what_is_offered(self):
        def offered(*words):
            out = subprocess.run([VARVE, "completion", "bash", "--", *words], check=True,
                                 capture_output=True).stdout.decode()
            return out.splitlines()
        self.assertEqual(offered("scan", str(self.db), "--cf", ""),
                         ["default", "users", "under scores"])
        self.assertIn("csv", offered("scan", "-F", ""))
        self.assertEqual(offered("scan", "--format=js"), ["--format=json", "--format=jsonl"])
        self.assertIn("compression=zstd", offered("load", "x", "-", "--option", "compression="))
        self.assertIn("readrandom", offered("bench", "compare", "--workload", ""))
        self.assertEqual(offered("scan", ""), [":files"])
        self.assertEqual(offered("get", str(self.db), ""), [])
        self.assertIn("create", offered("cf", ""))
        self.assertIn("sst", offered("help", ""))

    def test_bash_takes_names_of_families_for_words(self):
        db, place = self.home / "names", self.home / "place"
        place.mkdir()
        (place / "file").touch()
        names = ["*", ";touch made;=", "$(touch made)", "a b=", r"line\nend\xff", r"a\\b"]
        subprocess.run([VARVE, "put", db, "--create", "k", "v", "-q"], check=True)
        for name in names:
            subprocess.run([VARVE, "cf", "create", db, name, "-q"], check=True)
        script = f"""source <(varve completion bash)
            COMP_WORDS=(varve get {db} --cf ''); COMP_CWORD=4
            COMP_LINE="varve get {db} --cf "; COMP_POINT=${{#COMP_LINE}}
            _varve
            eval "printf '%s\\n' ${{COMPREPLY[*]}}" """
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=place, env=self.env, timeout=60,
                              capture_output=True)
        self.assertEqual(done.stdout.decode().splitlines(), ["default", *names], done.stderr)
        self.assertEqual([path.name for path in place.iterdir()], ["file"])

    def test_an_unknown_shell_is_refused(self):
        done = subprocess.run([VARVE, "completion", "tcsh"], capture_output=True)
        self.assertEqual(done.returncode, 2)


class Script(Case):
    def run_script(self, text, code=0):
        done = subprocess.run([VARVE, "shell", str(self.db)], input=text.encode(), cwd=self.home,
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, code, done)
        return done

    def test_mode_and_output(self):
        out = self.run_script(".mode jsonl\nscan --limit 1\nscan --limit 1 -F text\n.mode\n"
                              "scan --limit 1\n").stdout.decode().splitlines()
        self.assertEqual(len(out), 4)
        self.assertTrue(out[0].startswith('{"key"'))
        self.assertEqual(out[2:], ["key00000\tvalue0"] * 2)
        self.assertEqual(self.run_script(".output f\nscan --limit 1\nget key00007\n.output\n"
                                         "get key00008\n").stdout, b"value8\n")
        self.assertEqual((self.home / "f").read_bytes(), b"key00000\tvalue0\nvalue7\n")
        self.assertIn(b"'jsonl'", self.run_script(".mode jsonll\n", code=2).stderr)
        self.run_script(".output /no/such/place\n", code=3)

    def test_values_of_several_lines(self):
        self.run_script("put multi 'one\n  two\nthree'\nget multi\n")
        done = self.run_script("get multi\n")
        self.assertEqual(done.stdout, b"one\\n  two\\nthree\n")
        done = self.run_script("get key00001\nput open 'never\nends", code=2)
        self.assertEqual(done.stdout, b"value1\n")
        self.assertIn(b"no end", done.stderr)

    def test_pipes(self):
        out = self.run_script("scan --limit 3 | wc -l\nscan | head -1\nput bar 'a|b'\nget bar\n")
        self.assertEqual(out.stdout, b"3\nkey00000\tvalue0\na|b\n")
        self.run_script("get nope | cat\nget key00001\n")
        self.run_script("scan --no-such-flag | cat\nget key00001\n", code=2)

    def test_a_reader_that_has_seen_enough(self):
        # More than a pipe holds: the verb has to learn that nobody reads it any more.
        lines = "".join(f"many{i:06}\tvalue\n" for i in range(20000))
        subprocess.run([VARVE, "load", self.db, "-"], input=lines.encode(), check=True,
                       capture_output=True, timeout=60)
        out = self.run_script("scan | head -1\ncount --prefix many\n")
        self.assertEqual(out.stdout, b"key00000\tvalue0\n20000\n")

    def test_output_never_replaces_a_part_of_the_database(self):
        current = (self.db / "CURRENT").read_bytes()
        for name in ("CURRENT", "new"):
            done = self.run_script(f".output {self.db}/{name}\nscan --limit 1\n", code=8)
            self.assertIn(b"would change", done.stderr)
        self.assertEqual((self.db / "CURRENT").read_bytes(), current)
        self.assertFalse((self.db / "new").exists())

    def test_words_with_a_point(self):
        self.assertIn(b".mode and .output", self.run_script(".modes\n", code=2).stderr)

    def test_a_comment_runs_no_program(self):
        done = self.run_script("get key00001 # or a | touch made\n# or b | touch made\n"
                               "put zz 'a # b|c'\nget zz\nget key00002 | cat # | touch made\n")
        self.assertEqual(done.stdout, b"value1\na # b|c\nvalue2\n")
        self.assertFalse((self.home / "made").exists())

    def test_a_quote_over_many_lines_takes_linear_time(self):
        lines = "a\n" * 200_000
        self.run_script(f"put quoted '{lines}'\n")
        self.assertEqual(self.run_script("get quoted -F raw\n").stdout.decode(), lines)

    def test_a_verb_reads_what_follows_it(self):
        self.assertEqual(self.run_script("multiget -\nkey00003\nkey00004\n").stdout,
                         b"key00003\tvalue3\nkey00004\tvalue4\n")

    def test_a_script_stops_at_an_error(self):
        done = self.run_script("get key00001\nget nope\nfrobnicate\nget key00002\n", code=2)
        self.assertEqual(done.stdout, b"value1\n")
        self.assertIn(b"stopped at line 3", done.stderr)


class Prompt(Case):
    def open(self):
        shell = self.at([str(VARVE), "shell", str(self.db)])
        shell.wait_for("> ")
        return shell

    def test_interrupts_drop_the_line_and_the_verb(self):
        shell = self.open()
        shell.type("get key00001")
        shell.wait_for("get key00001")
        shell.type("\x03")
        shell.wait_for("> ")
        shell.type("get key00002\n")
        self.assertNotIn("value1", shell.wait_for("value2"))
        shell.wait_for("> ")
        shell.type("put open 'begun\n")
        shell.wait_for(r"\.\.\.> ")
        shell.type("\x03")
        shell.wait_for("db> ")
        shell.type("bench run fillrandom --num 900M\n")
        shell.wait_for("fillrandom: ")
        shell.type("\x03")
        shell.wait_for("db> ")
        shell.type("get key00003\n")
        shell.wait_for("value3")
        shell.wait_for("> ")
        shell.type("exit\n")
        self.assertEqual(os.waitpid(shell.pid, 0)[1], 0)
        shell.pid = os.fork() or os._exit(0)  # For close() to wait for.

    def test_several_lines_and_a_pager(self):
        shell = self.open()
        shell.type("put lines 'one\n")
        shell.wait_for(r"\.\.\.> ")
        shell.type("two'\n")
        shell.wait_for("db> ")
        shell.type("get lines\n")
        shell.wait_for(r"one\\ntwo")
        shell.wait_for("> ")
        shell.type("scan --limit 7 | sed 's/^/seen /' | tail -1\n")
        shell.wait_for(r"seen key00006\s+value6")

    def test_tab_offers_values(self):
        shell = self.open()
        for typed, shown in (("scan --format jsonl", "scan --format jsonl"), (".mode cs", ".mode csv"),
                             ("scan --cf use", "scan --cf users"), ("cf dr", "cf drop")):
            shell.type(typed + "\t")
            # The end of the word may come after a move of the cursor.
            shell.wait_for(re.escape(typed) + r"[^!-~]*" + re.escape(shown[len(typed):]))
            shell.type("\x03")
            shell.wait_for("db> ")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
