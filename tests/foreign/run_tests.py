"""Runs the tests of this folder; the last line is "N passed, N failed, N skipped".

Thousands of predicates take minutes, and are asked where SLUICE_LONG is set.
"""

import os
import pathlib
import sys
import unittest


def main():
    here = pathlib.Path(__file__).parent
    names = sorted(path.stem for path in here.glob("*_test.py"))
    if not os.environ.get("SLUICE_LONG"):
        names.remove("opinion_test")
    tests = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    failed = {case.id() if not hasattr(case, "test_case") else case.test_case.id()
              for case, _ in result.failures + result.errors}
    passed = result.testsRun - len(failed) - len(result.skipped)
    print(f"{passed} passed, {len(failed)} failed, {len(result.skipped)} skipped", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
