"""Each public header compiles alone, included twice, without a warning and without exceptions."""

import concurrent.futures
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, compiler, public_headers, run

# A lasting place, so that a compiler cache knows the files again.
SCRATCH = pathlib.Path(os.environ["SLUICE_BUILD_ROOT"]) / "tests" / "house" / "public_headers"
INCLUDES = [f"-I{path}" for path in os.environ["SLUICE_INCLUDES"].split(os.pathsep)]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion"]
FLAGS += ["-Wno-sign-conversion", "-Werror", "-fno-exceptions"]


def compile_alone(header, *flags):
    source = SCRATCH / (header.replace("/", "_") + ".cc")
    text = f"#include <{header}>\n#include <{header}>\n"
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    target = source.with_suffix(".o")
    return run([*compiler(), *FLAGS, *flags, *INCLUDES, "-c", "-o", target, source])


class PublicHeaders(unittest.TestCase):
    def setUp(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)

    def test_compile_alone(self):
        headers = list(public_headers())
        self.assertGreater(len(headers), 10)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = pool.map(compile_alone, headers)
        for header, outcome in zip(headers, outcomes):
            with self.subTest(header):
                self.assertEqual(outcome.returncode, 0, outcome.stdout)

    def test_none_cites_lists_that_users_do_not_have(self):
        citation = re.compile(r"\b(faults?|contracts?|laws?) [A-Z]{0,2}-?\d")
        for path in public_headers().values():
            with self.subTest(path):
                self.assertNotRegex((SOURCE_ROOT / path).read_text(), citation)

    def test_an_older_language_is_told_of_first(self):
        for header in public_headers():
            with self.subTest(header):
                outcome = compile_alone(header, "-std=c++17", "-Wfatal-errors")
                self.assertNotEqual(outcome.returncode, 0)
                errors = [line for line in outcome.stdout.splitlines() if "error:" in line]
                self.assertIn("Sluice needs C++20", errors[0])

    def test_a_header_that_does_not_stand_alone_is_seen(self):
        (SCRATCH / "lacking.h").write_text("inline std::string Lacking() { return {}; }\n")
        self.assertNotEqual(compile_alone("lacking.h", f"-I{SCRATCH}").returncode, 0)
