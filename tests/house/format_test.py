"""Every C++ file is as clang-format 14 would write it."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, run, sources


class Format(unittest.TestCase):
    def test_clang_format_changes_nothing(self):
        formatter = os.environ["SLUICE_CLANG_FORMAT"]
        outcome = run([formatter, "--dry-run", "-Werror", *sources()], cwd=SOURCE_ROOT)
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
