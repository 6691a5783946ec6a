"""Runs the unittest cases of one file and prints them as TAP, so that each counts as a test.

usage: tap.py FILE_test.py
"""

import importlib.util
import os
import sys
import unittest


class TapResult(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lines = []

    def add(self, word, test, note="", details=""):
        self.lines.append(f"{word} {len(self.lines) + 1} {test.id().split('.', 1)[-1]}{note}")
        for line in details.splitlines():
            self.lines[-1] += f"\n# {line}"

    def addSuccess(self, test):
        self.add("ok", test)

    def addSkip(self, test, reason):
        self.add("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, error):
        self.add("not ok", test, details=self._exc_info_to_string(error, test))

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.add("not ok", subtest, details=self._exc_info_to_string(error, test))


def main():
    # As where the file itself is run.
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
    spec = importlib.util.spec_from_file_location("case", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    sys.modules["case"] = module
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = TapResult()
    suite.run(result)
    if not result.lines:
        sys.exit(f"{sys.argv[1]} has no test")
    print(f"1..{len(result.lines)}")
    print("\n".join(result.lines))


main()
