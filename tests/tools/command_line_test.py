"""The command line: its exit statuses, its messages, and the contents of a file in every format."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SLUICE = os.environ["SLUICE_COMMAND"]
CORPUS = pathlib.Path(
    os.environ.get("SLUICE_CORPUS")
    or pathlib.Path(os.environ["SLUICE_SOURCE_ROOT"]).parent / "shared" / "corpus"
)
NESTED = CORPUS / "files" / "parquet-testing__nested_structs.rust.parquet"
PLAIN = CORPUS / "files" / "parquet-testing__alltypes_plain.parquet"
PAGES = CORPUS / "files" / "parquet-testing__alltypes_tiny_pages.parquet"


def sluice(*arguments, **options):
    return subprocess.run(
        [SLUICE, *map(str, arguments)], capture_output=True, timeout=60, text=True, **options
    )


class Usage(unittest.TestCase):
    def test_version(self):
        run = sluice("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^sluice \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_2_and_prints_no_result(self):
        for arguments in (
            [],
            ["frob"],
            ["cat"],
            ["inspect"],
            ["cat", "x", "--format", "xml"],
            ["cat", "x", "--limit", "-1"],
            ["cat", "x", "--where", "a = 1"],
            ["cat", "x", "--threads", "0"],
            ["cat", "x", "--columns", "a..b"],
        ):
            run = sluice(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertEqual(run.stdout, "", arguments)
            self.assertNotEqual(run.stderr, "", arguments)


class NoParquet(unittest.TestCase):
    """What is no Parquet file gives one line and 1."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def refuses(self, path, word):
        for command in ("cat", "inspect"):
            run = sluice(command, path)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertEqual(run.stdout, "")
            self.assertRegex(run.stderr, r"^sluice: [^\n]+\n$")
            self.assertIn(word, run.stderr)
            self.assertIn(str(path), run.stderr)

    def test_absent(self):
        self.refuses(self.path / "absent.parquet", "not found")

    def test_empty(self):
        path = self.path / "empty.parquet"
        path.touch()
        self.refuses(path, "corruption")

    def test_text(self):
        path = self.path / "text.parquet"
        path.write_text("no rows here, only words\n" * 20)
        self.refuses(path, "corruption")

    def test_directory_without_files(self):
        run = sluice("cat", self.path)
        self.assertEqual(run.returncode, 1)
        self.assertIn("no Parquet files", run.stderr)

    def test_unreadable(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        path = self.path / "secret.parquet"
        path.touch(mode=0)
        self.refuses(path, "I/O")


@unittest.skipUnless(CORPUS.exists(), "no corpus")
class Contents(unittest.TestCase):
    def test_canon_is_the_expected_text(self):
        expected = CORPUS / "expected" / (PLAIN.stem + ".jsonl")
        run = sluice("cat", PLAIN, "--format", "canon")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, expected.read_text())

    def test_jsonl_is_canon_by_name(self):
        canon = sluice("cat", PLAIN, "--format", "canon").stdout.splitlines()
        named = sluice("cat", PLAIN, "--format", "jsonl").stdout.splitlines()
        self.assertEqual([list(json.loads(line).values()) for line in named],
                         [json.loads(line) for line in canon])
        self.assertEqual(list(json.loads(named[0]))[:2], ["id", "bool_col"])

    def test_csv_has_a_header_once(self):
        lines = sluice("cat", PLAIN, PLAIN, "--format", "csv", "--columns", "id").stdout.split()
        self.assertEqual(lines, ["id"] + ["4", "5", "6", "7", "2", "3", "0", "1"] * 2)

    def test_columns_limit_and_count(self):
        run = sluice("cat", PLAIN, "--columns", "bool_col,id", "--limit", 3, "--format", "canon")
        self.assertEqual(run.stdout, "[true,4]\n[false,5]\n[true,6]\n")
        self.assertEqual(sluice("cat", PLAIN, PAGES, "--count").stdout, "7308\n")
        self.assertEqual(sluice("cat", PAGES, "--count", "--limit", 10).stdout, "10\n")
        self.assertEqual(sluice("cat", PAGES, "--format", "none").stdout, "")
        self.assertEqual(sluice("cat", PAGES, "--limit", 0, "--format", "canon").stdout, "")

    def test_a_column_that_is_not_there(self):
        run = sluice("cat", PLAIN, "--columns", "nothing")
        self.assertEqual(run.returncode, 1)
        self.assertIn("nothing", run.stderr)

    def test_struct_child(self):
        roles = json.loads(sluice("inspect", NESTED, "--json").stdout)["schema"]
        struct, child = roles[0]["name"], roles[1]["name"]
        run = sluice("cat", NESTED, "--columns", f'"{struct}"."{child}"', "--format", "jsonl")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(list(json.loads(run.stdout.splitlines()[0])[struct]), [child])

    def test_switches_and_batches_give_the_same_rows(self):
        expected = sluice("cat", PAGES, "--format", "canon").stdout
        for options in (
            ["--no-offset-index"],
            ["--no-select-encoded"],
            ["--no-stream-pages"],
            ["--no-checksums"],
            ["--mmap"],
            ["--batch-rows", 1000],
            ["--threads", 4],
        ):
            run = sluice("cat", PAGES, "--format", "canon", *options)
            self.assertEqual(run.stdout, expected, options)

    def test_a_reader_that_leaves(self):
        command = subprocess.Popen([SLUICE, "cat", PAGES, "--format", "canon"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        command.stdout.readline()
        command.stdout.close()
        self.assertEqual(command.stderr.read(), b"")
        command.stderr.close()
        self.assertEqual(command.wait(timeout=60), 0)

    def test_directory_and_pattern(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.parquet", "b.parquet"):
                (pathlib.Path(folder) / name).symlink_to(PLAIN)
            self.assertEqual(sluice("cat", folder, "--count").stdout, "16\n")
            self.assertEqual(sluice("cat", f"{folder}/?.parquet", "--count").stdout, "16\n")

    def test_inspect_says_what_is_there(self):
        text = sluice("inspect", PAGES, "--pages").stdout
        for word in ("created_by", "row group 0", "offset_index", "DATA_PAGE"):
            self.assertIn(word, text)
        described = json.loads(sluice("inspect", PAGES, "--pages", "--json").stdout)
        self.assertEqual(described["rows"], 7300)
        chunk = described["row_groups"][0]["columns"][0]
        pages = [page for page in chunk["pages"] if page["type"].startswith("DATA_PAGE")]
        self.assertEqual(sum(page["values"] for page in pages), chunk["values"])
        self.assertEqual(sum(page["rows"] for page in pages), 7300)

    def test_inspect_shows_what_it_can_of_a_damaged_file(self):
        path = CORPUS / "files" / "duckdb__1.parquet"
        self.assertEqual(sluice("inspect", path).returncode, 0)
        run = sluice("inspect", path, "--pages")
        self.assertEqual(run.returncode, 1)
        self.assertIn("number of values is negative", run.stdout)
        self.assertRegex(run.stderr, r"^sluice: corruption: [^\n]+\n$")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
