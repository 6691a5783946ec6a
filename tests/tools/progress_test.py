"""Long work shows progress: on a terminal, and where it does not run into results."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from command import CONFORMANCE, CORPUS, PLAIN, SLUICE, on_terminal

# So much work at most, by how often one thing is done, until progress must have been seen.
MOST = 20_000
SHOWN = re.compile(r"\r\d+ ")
ERASE = "\r\x1b[K"


@unittest.skipUnless(CORPUS.exists(), "no corpus")
class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name
        (pathlib.Path(folder.name) / "d").mkdir()
        for i in range(20):
            (pathlib.Path(folder.name) / "d" / f"{i}.parquet").symlink_to(PLAIN)

    def repeated(self, arguments, **options):
        """Runs `arguments` of an ever larger number until they show progress; returns that number
        and what was written."""
        times = 50
        while times <= MOST:
            status, text = on_terminal(*arguments(times), cwd=self.path, **options)
            self.assertEqual(status, 0, text)
            if SHOWN.search(text):
                return times, text
            times *= 4
        self.fail("no progress was shown")

    def cat(self, form):
        return lambda times: [SLUICE, "cat", "--columns", "bool_col", "--format", form,
                              *["d"] * times]

    def test_nothing_else_is_printed(self):
        _, text = self.repeated(self.cat("none"))
        self.assertRegex(text, r"\r\d+ rows")
        self.assertTrue(text.endswith(ERASE))

    def test_counting(self):
        def count(times):
            return [SLUICE, "cat", "--count", *["d"] * times]

        _, text = self.repeated(count)
        self.assertRegex(text, r"\r\d+ rows")
        self.assertRegex(text, re.escape(ERASE) + r"\d+00\r\n$")

    def test_results_go_elsewhere_or_meet_it(self):
        times, text = self.repeated(self.cat("csv"), stdout=subprocess.DEVNULL)
        self.assertRegex(text, r"\r\d+ rows")
        _, text = on_terminal(*self.cat("csv")(times), cwd=self.path)
        self.assertIn("true", text)
        self.assertNotRegex(text, SHOWN)
        self.assertNotIn(ERASE, text)

    def test_inspect(self):
        def inspect(times):
            return [SLUICE, "inspect", "--pages", "--json", *["d"] * times]

        _, text = self.repeated(inspect, stdout=subprocess.DEVNULL)
        self.assertRegex(text, r"\r\d+ column chunks")

    def test_conformance(self):
        def conformance(times):
            return [CONFORMANCE, CORPUS, "--batch-rows", *[7] * times]

        _, text = self.repeated(conformance, stdout=subprocess.DEVNULL)
        self.assertRegex(text, r"\r\d+ of \d+ files")

    def test_standard_error_is_no_terminal(self):
        times, _ = self.repeated(self.cat("none"))
        run = subprocess.run(self.cat("none")(times), cwd=self.path, capture_output=True, check=True)
        self.assertEqual(run.stderr, b"")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
