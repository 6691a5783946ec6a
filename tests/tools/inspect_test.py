"""What `sluice inspect` says of files, compared with what is known of them by other ways."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import sys

from command import CORPUS, DAMAGED, FILES, PAGES, PLAIN, SLUICE
from command import chunk, file_of, row_group, sluice

# Of its two columns every page is a null page with a null count of -1.
CONTRADICTORY = FILES / "parquet-testing__datapage_v1-uncompressed-checksum.parquet"
# Its page headers have bounds.
HEADERS = FILES / "parquet-tools__all-types.parquet"


def described(*arguments):
    return json.loads(sluice("inspect", *arguments, "--json").stdout)


def data_pages(chunk):
    return [page for page in chunk["pages"] if page["type"].startswith("DATA_PAGE")]


class Handmade(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, name, *parts):
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file_of(*parts))
        return path

    def test_no_columns_and_no_rows(self):
        self.assertEqual(described(self.write("x", [], [row_group(3)]))["rows"], 3)
        file = described(self.write("y", ["a"]))
        self.assertEqual(file["row_groups"], [])
        self.assertEqual([node["name"] for node in file["schema"]], ["a"])

    def test_names_are_told_apart_from_the_text_around_them(self):
        path = self.write("x", ["a.b", 'say "hi"', "", "plain", "\x1b[31m"])
        text = sluice("inspect", path).stdout
        for name in ("INT32 a.b as", r'INT32 "say \"hi\"" as', 'INT32 "" as', "INT32 plain as",
                     r"INT32 \u001b[31m as"):
            self.assertIn(name, text)
        names = [node["name"] for node in described(path)["schema"]]
        self.assertEqual(names, ["a.b", 'say "hi"', "", "plain", "\x1b[31m"])

    def test_chunks_that_are_too_many_or_too_few(self):
        path = self.write("x", ["a", "b"], [row_group(0, [chunk("a"), chunk("b"), chunk("c")]),
                                            row_group(0, [chunk("a")])])
        run = sluice("inspect", path, "--pages")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("3 column chunks for 2 leaf columns", run.stdout)
        self.assertIn("1 column chunks for 2 leaf columns", run.stdout)
        self.assertIn("\n  c: INT32", run.stdout)

    def test_many_columns(self):
        names = [f"column {i}" for i in range(10_000)]
        path = self.write("x", names, [row_group(0, [chunk(name) for name in names])])
        columns = described(path, "--pages")["row_groups"][0]["columns"]
        self.assertEqual([column["column"] for column in columns], names)
        self.assertEqual(sluice("inspect", path).stdout.count("\n  column "), 10_000)
        # What is read first is there before all of it is made.
        with subprocess.Popen([SLUICE, "inspect", path, "--pages"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as command:
            self.assertIn(b"file: ", command.stdout.readline())
            command.stdout.close()
            self.assertEqual(command.stderr.read(), b"")
        self.assertEqual(command.returncode, 0)

    def test_a_directory_gives_a_document_a_line(self):
        for name in ("b.parquet", "a.parquet", "below/c.parquet", "_unfinished.parquet", "d.txt"):
            self.write(name, ["a"])
        names = ["a.parquet", "b.parquet", "below/c.parquet"]
        expected = [str(self.path / name) for name in names]
        for argument, files in ((self.path, expected), (self.path / "?.parquet", expected[:2]),
                                (self.path / "below", expected[2:])):
            lines = sluice("inspect", argument, "--json").stdout.splitlines()
            self.assertEqual([json.loads(line)["file"] for line in lines], files)
        lines = sluice("inspect", *expected, "--json").stdout.splitlines()
        self.assertEqual([json.loads(line)["file"] for line in lines], expected)
        text = sluice("inspect", self.path).stdout
        self.assertEqual([part.splitlines()[0] for part in text.split("\n\n")],
                         ["file: " + file for file in expected])
        # Of one file, an object that people can read; the same as on a line.
        one = sluice("inspect", expected[0], "--json").stdout
        self.assertGreater(one.count("\n"), 10)
        self.assertEqual(json.loads(one), json.loads(lines[0]))

    def test_a_broken_file_among_others(self):
        for name in ("a.parquet", "c.parquet"):
            self.write(name, ["a"])
        (self.path / "b.parquet").write_text("no rows here, only words\n")
        run = sluice("inspect", self.path / "absent", self.path, "--json")
        self.assertEqual(run.returncode, 1)
        self.assertEqual([pathlib.Path(json.loads(line)["file"]).name
                          for line in run.stdout.splitlines()], ["a.parquet", "c.parquet"])
        self.assertRegex(run.stderr, r"^sluice: [^\n]+absent[^\n]+\nsluice: [^\n]+b.parquet[^\n]+\n$")


@unittest.skipUnless(CORPUS.exists(), "no corpus")
class Corpus(unittest.TestCase):
    def test_what_is_there(self):
        text = sluice("inspect", PAGES, "--pages").stdout
        lines = {" ".join(line.split()[:2]) for line in text.splitlines()}
        for word in ("row group", "page at", "column index:", "created_by: parquet-mr"):
            self.assertIn(word, lines)
        self.assertTrue("(ASCENDING)" in text)
        self.assertTrue("      column index: null_page false, min_value " in text)
        text = sluice("inspect", HEADERS, "--pages").stdout
        self.assertTrue("      page header: min_value " in text)
        file = described(PAGES, "--pages")
        self.assertEqual(file["rows"], 7300)
        self.assertEqual(file["size"], PAGES.stat().st_size)
        for chunk in file["row_groups"][0]["columns"]:
            pages = data_pages(chunk)
            self.assertEqual(sum(page["values"] for page in pages), chunk["values"])
            self.assertEqual(sum(page["rows"] for page in pages), 7300)
            self.assertNotIn("notes", chunk)

    def test_the_column_index_is_that_of_the_pages(self):
        """By the values of each page's rows."""
        chunks = described(PAGES, "--pages")["row_groups"][0]["columns"]
        compared = 0
        for chunk in chunks:
            if "column_index" not in chunk:
                continue
            run = sluice("cat", PAGES, "--columns", chunk["column"], "--format", "canon")
            values = [json.loads(line)[0] for line in run.stdout.splitlines()]
            row = 0
            for page in data_pages(chunk):
                index = page["column_index"]
                held = [value for value in values[row : row + page["rows"]] if value is not None]
                row += page["rows"]
                self.assertEqual(index["null_page"], not held)
                self.assertEqual(index["null_count"], page["rows"] - len(held))
                if held and not isinstance(held[0], bool):
                    of = float if chunk["type"] in ("FLOAT", "DOUBLE") else type(held[0])
                    self.assertEqual(of(index["min_value"]), min(held), chunk["column"])
                    self.assertEqual(of(index["max_value"]), max(held), chunk["column"])
                    compared += 1
            self.assertIn(chunk["column_index"]["boundary_order"],
                          ("UNORDERED", "ASCENDING", "DESCENDING"))
        self.assertGreater(compared, 1000)

    def test_the_pages_of_every_file_fill_their_chunks(self):
        walked = 0
        for path in sorted(FILES.iterdir()):
            run = sluice("inspect", path, "--pages", "--json")
            self.assertIn(run.returncode, (0, 1), path)
            if run.returncode == 1:
                continue
            for group in json.loads(run.stdout)["row_groups"]:
                for chunk in group["columns"]:
                    self.assertEqual(sum(page["values"] for page in data_pages(chunk)),
                                     chunk["values"], path)
                    walked += 1
        self.assertGreater(walked, 1000)

    def test_an_index_that_contradicts_itself_is_a_note(self):
        run = sluice("inspect", CONTRADICTORY, "--pages")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout.count("    note: column index: null count is impossible"), 2)
        for chunk in described(CONTRADICTORY, "--pages")["row_groups"][0]["columns"]:
            self.assertEqual(len(chunk["notes"]), 1)
            self.assertEqual(chunk["pages"][0]["column_index"]["null_count"], -1)

    def test_an_index_of_other_bytes_is_a_note(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.parquet"
            for index in ("column_index", "offset_index"):
                shutil.copy(PAGES, path)
                place = described(path)["row_groups"][0]["columns"][0][index]
                with open(path, "r+b") as file:
                    file.seek(place["offset"])
                    file.write(b"\xff" * place["length"])
                run = sluice("inspect", path, "--pages", "--json")
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                damaged, whole = json.loads(run.stdout)["row_groups"][0]["columns"][:2]
                self.assertIn(index.replace("_", " "), damaged["notes"][0])
                self.assertNotIn("notes", whole)
                self.assertEqual(sum(page["rows"] for page in data_pages(damaged)), 7300)
                self.assertEqual("column_index" in damaged["pages"][1], index != "column_index")

    def test_chunks_of_encrypted_columns_have_no_notes(self):
        path = FILES / "parquet-testing__encrypt_columns_plaintext_footer.parquet.encrypted.parquet"
        run = sluice("inspect", path, "--pages", "--json")
        chunks = [chunk for group in json.loads(run.stdout)["row_groups"]
                  for chunk in group["columns"]]
        encrypted = [chunk for chunk in chunks if chunk.get("encrypted")]
        self.assertGreater(len(encrypted), 0)
        for chunk in encrypted:
            self.assertNotIn("notes", chunk)
            self.assertIn("encrypted", chunk["pages"][0]["error"])

    def test_it_shows_what_it_can_of_a_damaged_file(self):
        self.assertEqual(sluice("inspect", DAMAGED).returncode, 0)
        run = sluice("inspect", DAMAGED, "--pages")
        self.assertEqual(run.returncode, 1)
        self.assertIn("number of values is negative", run.stdout)
        self.assertRegex(run.stderr, r"^sluice: corruption: [^\n]+\n$")

    def test_a_reader_that_leaves(self):
        with subprocess.Popen([SLUICE, "inspect", PAGES, PLAIN, "--pages", "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
            command.stdout.close()
            self.assertEqual(command.stderr.read(), b"")
        self.assertEqual(command.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
