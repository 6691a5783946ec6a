"""Each public header compiles alone, twice over, without a warning and without exceptions."""

import concurrent.futures
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, compiler, public_headers, run

INCLUDES = os.environ["SLUICE_INCLUDES"].split(os.pathsep)
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion"]
FLAGS += ["-Wno-sign-conversion", "-Werror", "-fsyntax-only", "-x", "c++"]


def compile_alone(header, *flags):
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as source:
        source.write(f"#include <{header}>\n#include <{header}>\n")
        source.flush()
        paths = [f"-I{path}" for path in INCLUDES]
        return run([*compiler(), *FLAGS, *flags, *paths, source.name])


class PublicHeaders(unittest.TestCase):
    def check(self, *flags):
        headers = list(public_headers())
        self.assertGreater(len(headers), 10)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = pool.map(lambda header: compile_alone(header, *flags), headers)
        for header, outcome in zip(headers, outcomes):
            with self.subTest(header):
                self.assertEqual(outcome.returncode, 0, outcome.stdout)

    def test_compile_alone(self):
        self.check()

    def test_compile_alone_without_exceptions(self):
        self.check("-fno-exceptions")

    def test_a_header_that_does_not_stand_alone_is_seen(self):
        with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
            header.write("#pragma once\ninline std::string missing() { return {}; }\n")
            header.flush()
            self.assertNotEqual(compile_alone(header.name[1:], "-I/").returncode, 0)
