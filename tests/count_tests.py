#!/usr/bin/env python3
"""Sums the test cases of a finished `meson test`: each GoogleTest case and each line of TAP is one.

usage: count_tests.py BUILD_DIRECTORY

Prints the tests that failed, then "N passed, N failed, N skipped". A test that failed without a case
that did (it crashed, ran out of time, or leaked) counts as one more failed case.
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree


def gtest_cases(report, started):
    """Outcomes of the report that a GoogleTest program wrote; None where it wrote none this time."""
    if not report.exists() or report.stat().st_mtime < started - 1:
        return None
    try:
        cases = xml.etree.ElementTree.parse(report).iter("testcase")
    except xml.etree.ElementTree.ParseError:
        return None
    outcomes = []
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            outcomes.append("failed")
        elif case.get("status") == "notrun" or case.get("result") == "skipped":
            outcomes.append("skipped")
        else:
            outcomes.append("passed")
    return outcomes


def tap_cases(output):
    if not re.search(r"^1\.\.\d+", output, re.MULTILINE):
        return None
    outcomes = []
    for line in output.splitlines():
        match = re.match(r"(not )?ok\b([^#]*)(# *SKIP)?", line, re.IGNORECASE)
        if match:
            outcomes.append("failed" if match[1] else "skipped" if match[3] else "passed")
    return outcomes


def outcomes_of(build, test):
    # "project:suite / name" or "name".
    name = test["name"].split(" / ")[-1]
    fine = test["result"] in ("OK", "SKIP", "EXPECTEDFAIL")
    outcomes = gtest_cases(build / f"{name}.xml", test["starttime"])
    if outcomes is None:
        outcomes = tap_cases(test.get("stdout") or "")
    if outcomes is None:
        outcomes = [] if not fine else ["skipped" if test["result"] == "SKIP" else "passed"]
    if not fine and "failed" not in outcomes:
        outcomes.append("failed")
    return outcomes


def main():
    build = pathlib.Path(sys.argv[1])
    log = build / "meson-logs" / "testlog.json"
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for line in log.read_text().splitlines() if log.exists() else []:
        test = json.loads(line)
        outcomes = outcomes_of(build, test)
        for outcome in outcomes:
            total[outcome] += 1
        if "failed" in outcomes:
            print(f"failed: {build}: {test['name']} ({test['result']})")
    if sum(total.values()) == 0:
        print(f"failed: {build}: no test ran")
        total["failed"] = 1
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**total))


main()
