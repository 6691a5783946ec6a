"""The top level is fixed, and each of its folders says what it is for."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, run

FOLDERS = ["bench", "catalog", "engine", "format", "subprojects", "tests", "tools"]
FILES = ["LICENSE", "README.md", "meson.build"]


class TopLevel(unittest.TestCase):
    def test_only_the_fixed_names_are_tracked(self):
        listing = run(["git", "-C", SOURCE_ROOT, "ls-files"])
        if listing.returncode != 0:
            self.skipTest("not a git checkout")
        names = {path.split("/")[0] for path in listing.stdout.splitlines()}
        surplus = {name for name in names if not name.startswith(".")} - {*FOLDERS, *FILES}
        self.assertEqual(surplus, set())

    def test_every_folder_has_a_readme_of_one_page(self):
        for folder in FOLDERS:
            with self.subTest(folder):
                lines = (SOURCE_ROOT / folder / "README.md").read_text().splitlines()
                self.assertGreater(len(lines), 3)
                self.assertLessEqual(len(lines), 60)
