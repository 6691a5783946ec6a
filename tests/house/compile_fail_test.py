"""Uses that must not build: each file of tests/compile_fail is legal C++ that a warning catches.

Its first line says which: // -Werror=name
"""

import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, compiler, run

INCLUDES = [f"-I{path}" for path in os.environ["SLUICE_INCLUDES"].split(os.pathsep)]
FILES = sorted((SOURCE_ROOT / "tests" / "compile_fail").glob("*.cc"))


class CompileFail(unittest.TestCase):
    def test_each_file_fails_by_its_warning_alone(self):
        self.assertTrue(FILES)
        for path in FILES:
            with self.subTest(path.name):
                flag = re.match(r"// (-Werror=(\S+))\n", path.read_text())
                command = [*compiler(), "-std=c++20", "-fsyntax-only", *INCLUDES, path]
                self.assertEqual(run(command).returncode, 0, "is not legal without the flag")
                outcome = run([*command, flag[1]])
                self.assertNotEqual(outcome.returncode, 0, "builds with the flag")
                self.assertIn(flag[1], outcome.stdout)
