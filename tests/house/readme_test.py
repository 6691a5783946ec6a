"""The embedding example of README.md compiles, and what the README names is there."""

import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, compiler, run

README = (SOURCE_ROOT / "README.md").read_text()


class Readme(unittest.TestCase):
    def test_the_example_compiles(self):
        (example,) = re.findall(r"```cpp\n(.*?)```", README, re.DOTALL)
        self.assertLessEqual(len(example.splitlines()), 30)
        includes = [f"-I{path}" for path in os.environ["SLUICE_INCLUDES"].split(os.pathsep)]
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "example.cc")
            with open(source, "w") as file:
                file.write(example)
            flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
            outcome = run([*compiler(), *flags, *includes, source])
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
