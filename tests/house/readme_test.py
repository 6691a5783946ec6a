"""The embedding example of README.md compiles, and what the README names is there."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SAMPLE_ROWS, SOURCE_ROOT, compiler, run, write_sample

README = (SOURCE_ROOT / "README.md").read_text()
MAIN = """
int main(int, char** arguments) { return PrintBatches(arguments[1]).ok() ? 0 : 1; }
"""


class Readme(unittest.TestCase):
    def test_the_example_compiles_and_scans_a_file(self):
        (example,) = re.findall(r"```cpp\n(.*?)```", README, re.DOTALL)
        self.assertLessEqual(len(example.splitlines()), 20)
        includes = [f"-I{path}" for path in os.environ["SLUICE_INCLUDES"].split(os.pathsep)]
        library = os.environ["SLUICE_SHARED_LIBRARY"]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "example.cc").write_text(example + MAIN)
            flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", *includes]
            linked = [library, f"-Wl,-rpath,{os.path.dirname(library)}"]
            command = [*compiler(), *flags, "-o", folder / "example", folder / "example.cc", *linked]
            outcome = run(command)
            self.assertEqual(outcome.returncode, 0, outcome.stdout)
            write_sample(folder / "sample.parquet")
            outcome = run([folder / "example", folder / "sample.parquet"])
            self.assertEqual(outcome.returncode, 0, outcome.stdout)
        rows = [int(line.removesuffix(" rows")) for line in outcome.stdout.splitlines()]
        self.assertTrue(0 < sum(rows) < SAMPLE_ROWS, outcome.stdout)

    def test_the_files_it_points_to_are_there(self):
        for target in re.findall(r"\]\(([^)]+)\)", README):
            self.assertTrue((SOURCE_ROOT / target).exists(), target)
