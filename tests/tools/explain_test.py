"""sluice explain and sluice verify: what is printed of what a scan does, and the exit status."""

import json
import os
import pathlib
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(__file__))
from command import DAMAGED, FILES, PAGES, PLAIN, Struct, chunk, counts, file_of, row_group, sluice

SVG = "{http://www.w3.org/2000/svg}"


@unittest.skipUnless(FILES.is_dir(), "there is no corpus")
class ExplainTest(unittest.TestCase):
    def explain(self, *arguments):
        ran = sluice("explain", *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stderr, "")
        return ran.stdout

    def test_predicate_and_fates(self):
        text = self.explain(PAGES, "--where", "id >= 7000 and 1 < 2", "--columns", "id,bool_col")
        self.assertIn("where: id >= 7000 and 1 < 2\n", text)
        self.assertIn("filter in the decoder: id >= 7000\n", text)
        self.assertIn("folded: every row passes\n", text)
        self.assertIn("column id: filtered, delivered\n", text)
        self.assertIn("row_group: undecided, some: bounds_undecided\n", text)
        self.assertIn("to_read", text)
        self.assertNotIn(" decoded", text)
        self.assertNotIn("time:", text)

    def test_analysis_agrees_with_cat(self):
        arguments = (PAGES, "--where", "id >= 7000", "--columns", "id,bool_col")
        analyzed = json.loads(self.explain(*arguments, "--analyze", "--json"))
        self.assertTrue(analyzed["is_analyzed"])
        counters = analyzed["counters"]
        stats = counts(sluice("cat", *arguments, "--stats", "--format", "none").stderr)
        for key in ("rows_filtered", "rows_rejected", "rows_delivered", "pages_read"):
            unit, name = key.split("_")
            self.assertEqual(counters[key], stats[unit, name], key)
        for key in ("metadata_bytes", "bytes_requested", "bytes_fetched", "bytes_decompressed",
                    "result_bytes"):
            name = {"metadata_bytes": "of metadata", "result_bytes": "delivered"}.get(key)
            self.assertEqual(counters[key], stats["bytes", name or key.removeprefix("bytes_")], key)
        decoded = 0
        for group in analyzed["files"][0]["row_groups"]:
            for column in group["columns"]:
                fates = [page["fate"] for page in column["pages"]]
                self.assertNotIn("to_read", fates)
                decoded += fates.count("decoded")
                self.assertEqual(sum(one["pages"] for one in column["fates"].values()), len(fates))
        self.assertEqual(decoded, counters["pages_read"])
        text = self.explain(*arguments, "--analyze")
        self.assertIn("    rows: 7300 considered", text)
        total = counts(textwrap.dedent(text.split("\nall:\n")[1].rsplit("  all of it: ")[0]))
        for each in (total, stats):
            for key in [key for key in each if key[0] == "time"]:
                self.assertGreaterEqual(each.pop(key), 0)
        self.assertEqual(total, stats)

    def test_several_files(self):
        explained = json.loads(self.explain(PLAIN, PLAIN, "--where", "id > 100", "--json"))
        self.assertEqual([file["file"] for file in explained["files"]], [str(PLAIN)] * 2)
        for file in explained["files"]:
            self.assertEqual(file["filters"], [{"column": "id", "leaf": 0, "filter": "> 100"}])

    def test_picture(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "file.svg"
            arguments = (PAGES, "--where", "id >= 7000", "--columns", "id", "--analyze")
            explained = json.loads(self.explain(*arguments, "--json", "--svg", path))
            root = xml.etree.ElementTree.parse(path).getroot()
            self.assertEqual(root.tag, SVG + "svg")
            titles = [
                element.text
                for rectangle in root.iter(SVG + "rect")
                for element in rectangle.iter(SVG + "title")
            ]
            pages = explained["files"][0]["row_groups"][0]["columns"][0]["pages"]
            self.assertGreater(len(pages), 10)
            drawn = [title for title in titles if title.startswith("id: row group 0, page")]
            self.assertEqual(len(drawn), len(pages))
            words = {
                "decoded": "decoded",
                "pruned_by_page": "skipped by page statistics",
                "skipped": "skipped by selection",
            }
            for title, page in zip(drawn, pages):
                self.assertTrue(title.endswith(", " + words[page["fate"]]), title)

    def test_failures(self):
        ran = sluice("explain", PLAIN, "--where", "no_such_column = 1")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("no_such_column", ran.stderr)
        ran = sluice("explain", PLAIN, "--svg", "no/such/directory/file.svg")
        self.assertEqual(ran.returncode, 1)
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "copy.parquet"
            path.write_bytes(PLAIN.read_bytes())
            ran = sluice("explain", path, "--svg", pathlib.Path(directory) / "." / "copy.parquet")
            self.assertEqual(ran.returncode, 2)
            self.assertEqual(path.read_bytes(), PLAIN.read_bytes())
        ran = sluice("explain", DAMAGED, "--analyze")
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(sluice("explain").returncode, 2)


@unittest.skipUnless(FILES.is_dir(), "there is no corpus")
class VerifyTest(unittest.TestCase):
    def test_equal(self):
        ran = sluice("verify", PAGES, "--where", "id >= 7000", "--threads", "2")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("equal: 300 rows compared, of 7300 in 1 row groups of 1 files\n", ran.stdout)

    def test_wants_a_predicate(self):
        ran = sluice("verify", PAGES)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--where", ran.stderr)

    def test_both_fail(self):
        ran = sluice("verify", PLAIN, "--where", "1 / (id - id) > 1")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("both scans end", ran.stderr)


class OddFileTest(unittest.TestCase):
    def test_no_rows(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "empty.parquet"
            ran = sluice("explain", directory)
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
            self.assertIn("no Parquet files", ran.stderr)
            for groups, line in (
                ([], "  0 rows, 0 row groups, 1 of 1 columns"),
                ([row_group(0, [chunk("a")])], "  row group 0: no rows, settled"),
            ):
                path.write_bytes(file_of(["a"], groups))
                for options in ([], ["--analyze"]):
                    ran = sluice("explain", path, "--where", "a = 1", *options)
                    self.assertEqual((ran.returncode, ran.stderr), (0, ""))
                    self.assertIn(line, ran.stdout.splitlines())
                ran = sluice("verify", path, "--where", "a = 1")
                self.assertEqual((ran.returncode, ran.stderr), (0, ""))
                self.assertIn("equal: 0 rows compared", ran.stdout)


class FaultTest(unittest.TestCase):
    def test_difference(self):
        """A file whose statistics lie: the bound of the second row group is cut by hand."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "lying.parquet"
            path.write_bytes(lying_file())
            ran = sluice("verify", path, "--where", "n >= 27")
            self.assertEqual(ran.returncode, 1, ran.stderr)
            self.assertEqual(ran.stderr, "")
            lines = ran.stdout.splitlines()
            self.assertIn(f"file: {path}", lines)
            self.assertIn("row group: 1", lines)
            self.assertIn("rows: 27 to 39: 13 missing, 0 extra, 0 changed", lines)
            self.assertIn("at fault: statistics (the scans are equal without statistics)", lines)
            ran = sluice("verify", path, "--where", "n >= 27", "--no-statistics")
            self.assertEqual(ran.returncode, 0, ran.stdout)


def lying_file():
    """An int32 column n of 0 to 39 in two row groups, of the second of which it is said that no
    value is above 25."""
    data = b"PAR1"
    groups = []
    for first in (0, 20):
        values = b"".join(value.to_bytes(4, "little") for value in range(first, first + 20))
        data_page = Struct().integer(1, 20, 5).integer(2, 0, 5).integer(3, 3, 5).integer(4, 3, 5).end()
        header = (
            Struct()
            .integer(1, 0, 5)
            .integer(2, len(values), 5)
            .integer(3, len(values), 5)
            .field(5, 12, data_page)
            .end()
        )
        offset = len(data)
        data += header + values
        metadata = (
            Struct()
            .integer(1, 1, 5)
            .field(2, 9, b"\x15\x00")
            .field(3, 9, b"\x18\x01n")
            .integer(4, 0, 5)
            .integer(5, 20)
            .integer(6, len(data) - offset)
            .integer(7, len(data) - offset)
            .integer(9, offset)
        )
        if first > 0:
            statistics = Struct().integer(3, 0)
            for number, bound in ((5, 25), (6, 20)):
                statistics.field(number, 8, b"\x04" + bound.to_bytes(4, "little"))
            metadata.field(12, 12, statistics.end())
        chunk = Struct().integer(2, 0).field(3, 12, metadata.end()).end()
        groups.append(row_group(20, [chunk]))
    root = Struct().text(4, "root").integer(5, 1, 5).end()
    column = Struct().integer(1, 1, 5).integer(3, 0, 5).text(4, "n").end()
    order = Struct().field(1, 12, b"\x00").end()
    footer = (
        Struct()
        .integer(1, 1, 5)
        .structs(2, [root, column])
        .integer(3, 40)
        .structs(4, groups)
        .structs(7, [order])
        .end()
    )
    return data + footer + len(footer).to_bytes(4, "little") + b"PAR1"


if __name__ == "__main__":
    unittest.main()
