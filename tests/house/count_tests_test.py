"""tools/check counts what ran: cases, not programs, and a program that died is a failure."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SOURCE_ROOT, run

REPORT = """<testsuites><testsuite name="Suite">
<testcase name="Passes" status="run" result="completed"/>
<testcase name="Fails" status="run" result="completed"><failure message="no"/></testcase>
<testcase name="Skips" status="run" result="skipped"><skipped/></testcase>
</testsuite></testsuites>"""


def logged(name, result, stdout="", started=0):
    return {"name": name, "result": result, "stdout": stdout, "starttime": started}


class CountTests(unittest.TestCase):
    def count(self, tests, reports=()):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "meson-logs").mkdir()
            lines = [json.dumps(test) + "\n" for test in tests]
            (build / "meson-logs" / "testlog.json").write_text("".join(lines))
            for name in reports:
                (build / f"{name}.xml").parent.mkdir(parents=True, exist_ok=True)
                (build / f"{name}.xml").write_text(REPORT)
            output = run([sys.executable, SOURCE_ROOT / "tests" / "count_tests.py", build]).stdout
        return output.splitlines()[-1]

    def test_cases_of_googletest(self):
        last = self.count([logged("a/b", "FAIL")], ["a/b"])
        self.assertEqual(last, "1 passed, 1 failed, 1 skipped")

    def test_lines_of_tap(self):
        output = "1..3\nok 1 a\nnot ok 2 b\n# ok not a case\nok 3 c # SKIP no file\n"
        last = self.count([logged("a", "FAIL", output)])
        self.assertEqual(last, "1 passed, 1 failed, 1 skipped")

    def test_programs_without_cases(self):
        tests = [logged("a", "OK"), logged("b", "SKIP"), logged("c", "FAIL")]
        self.assertEqual(self.count(tests), "1 passed, 1 failed, 1 skipped")

    def test_a_crash_is_a_failure(self):
        self.assertEqual(self.count([logged("a", "FAIL")]), "0 passed, 1 failed, 0 skipped")
        self.assertEqual(self.count([logged("a", "TIMEOUT", "1..2\nok 1 x\n")]),
                         "1 passed, 1 failed, 0 skipped")

    def test_the_report_of_an_earlier_run_does_not_count(self):
        last = self.count([logged("a", "FAIL", started=4e9)], ["a"])
        self.assertEqual(last, "0 passed, 1 failed, 0 skipped")

    def test_no_test_is_a_failure(self):
        self.assertEqual(self.count([]), "0 passed, 1 failed, 0 skipped")
