"""The command line: its exit statuses, its messages, and the contents of a file in every format."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import CONFORMANCE, CORPUS, NESTED, PAGES, PLAIN, SLUICE
from command import chunk, counts, file_of, row_group, sluice, start


class Usage(unittest.TestCase):
    def test_version(self):
        run = sluice("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^sluice \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_2_and_prints_no_result(self):
        for arguments in (
            [],
            ["frob"],
            ["--frob"],
            ["cat"],
            ["cat", ""],
            ["cat", "x", "--frob"],
            ["inspect"],
            ["inspect", ""],
            ["cat", "x", "--format", "xml"],
            ["cat", "x", "--limit", "-1"],
            ["cat", "x", "--limit", "1.5"],
            ["cat", "x", "--limit", "9223372036854775808"],
            ["cat", "x", "--batch-rows", "0"],
            ["cat", "x", "--where", "a ="],
            ["cat", PAGES, "--where", "no_such_column = 1"],
            ["cat", PAGES, "--where", "int_col"],
            ["cat", "x", "--threads", "0"],
            ["cat", "x", "--columns", "a..b"],
            ["cat", "x", "--columns", '"a'],
            ["cat", "x", "--columns", ""],
        ):
            run = sluice(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertEqual(run.stdout, "", arguments)
            self.assertRegex(run.stderr, "^sluice: ", arguments)
        self.assertEqual(start(CONFORMANCE).returncode, 2)
        self.assertEqual(start(CONFORMANCE, "x", "--memory", 1 << 60).returncode, 2)

    def test_usage_says_what_is_wrong(self):
        for arguments, word in (
            (["frob"], "frob"),
            (["cat", "--frob"], "--frob"),
            (["cat", "x", "--limit", "many"], "'many' is not a whole number from 0 to"),
            (["cat", "x", "--columns", ""], "names no column"),
            (["cat", "x", "--format", "xml"], "jsonl"),
        ):
            self.assertIn(word, sluice(*arguments).stderr.splitlines()[0])

    def test_help_names_the_options(self):
        self.assertIn("inspect", sluice("--help").stdout)
        text = sluice("cat", "--help").stdout
        for option in ("--no-skip-pages", "--read-everything", "--dictionaries", "--limit"):
            self.assertIn(option, text)


class Streams(unittest.TestCase):
    """Standard output and error that take nothing."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "x.parquet"
        self.file.write_bytes(file_of(["a"], [row_group(0, [chunk("a")])]))

    def test_results_that_cannot_be_written_are_a_failure(self):
        for arguments in (
            ["--version"],
            ["--help"],
            ["cat", self.file],
            ["cat", self.file, "--count"],
            ["inspect", self.file],
            ["inspect", self.file, "--json"],
        ):
            with open("/dev/full", "w") as full:
                run = sluice(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(run.returncode, 1, arguments)
            self.assertRegex(run.stderr, r"^sluice: i/o error: [^\n]+\n$")

    def test_messages_that_cannot_be_written_change_nothing(self):
        for arguments, status in ((["cat", self.file], 0), (["cat", "absent"], 1), (["frob"], 2),
                                  (["cat", self.file, "--stats"], 0)):
            with open("/dev/full", "w") as full:
                run = sluice(*arguments, capture_output=False, stdout=subprocess.PIPE, stderr=full)
            self.assertEqual(run.returncode, status, arguments)


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
            self.assertIn(f"file '{path}': ", run.stderr)

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
        secret = self.path / "secret.parquet"
        secret.touch(mode=0)
        closed = self.path / "closed"
        closed.mkdir(mode=0)
        self.path.chmod(0o755)
        # Root reads everything.
        options = {"user": 65534} if os.geteuid() == 0 else {}
        for path in (secret, closed):
            for command in ("cat", "inspect"):
                run = sluice(command, path, **options)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, r"^sluice: i/o error: [^\n]+\n$")
                self.assertIn(f"file '{path}': ", run.stderr)
        closed.chmod(0o755)

    def test_what_is_no_regular_file(self):
        self.refuses("/dev/null", "not a regular file")

    def test_a_pattern_without_a_match(self):
        self.refuses(self.path / "*.parquet", "no file matches")


class OddFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, name, *parts):
        path = self.path / name
        path.write_bytes(file_of(*parts))
        return path

    def test_no_columns_but_rows(self):
        path = self.write("x.parquet", [], [row_group(3)], 3)
        self.assertEqual(sluice("cat", path, "--format", "canon").stdout, "[]\n" * 3)
        self.assertEqual(sluice("cat", path, "--format", "csv").stdout, "\n" * 4)
        self.assertEqual(sluice("cat", path, "--count").stdout, "3\n")
        for form in ("table", "none"):
            run = sluice("cat", path, "--format", form)
            self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)

    def test_no_rows_still_have_columns(self):
        path = self.write("x.parquet", ["a", "b"], [row_group(0, [chunk("a"), chunk("b")])])
        bare = self.write("y.parquet", ["a", "b"])
        for file in (path, bare):
            self.assertEqual(sluice("cat", file).stdout, "a | b\n--+--\n")
            self.assertEqual(sluice("cat", file, "--format", "csv").stdout, "a,b\n")
            for form in ("jsonl", "canon", "none"):
                run = sluice("cat", file, "--format", form)
                self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
            self.assertEqual(sluice("cat", file, "--count").stdout, "0\n")
            self.assertEqual(sluice("inspect", file).returncode, 0)
        # Several files are one table.
        other = self.write("z.parquet", ["c"])
        self.assertEqual(sluice("cat", path, bare, other).stdout, "a | b | c\n--+---+--\n")

    def test_names_with_dots_and_quotes(self):
        names = ["a.b", 'say "hi"', "it's", "", "a,b"]
        path = self.write("x.parquet", names)
        for name in names:
            quoted = '"' + name.replace('"', '""') + '"'
            run = sluice("cat", path, "--columns", quoted, "--format", "csv")
            self.assertEqual(run.returncode, 0, run.stderr)
        run = sluice("cat", path, "--columns", "a.b")
        self.assertEqual(run.returncode, 2)
        self.assertIn('"a.b", in double quotes', run.stderr)

    def test_two_columns_of_one_name(self):
        path = self.write("x.parquet", ["a", "b", "a"])
        run = sluice("cat", path, path, "--columns", "b,a")
        self.assertEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "b | a\n--+--\n")
        self.assertRegex(run.stderr, r"^sluice: note: [^\n]*2 columns are named 'a'[^\n]*\n$")
        self.assertEqual(sluice("cat", path, "--columns", "b").stderr, "")

    def test_a_file_that_is_lacking_is_told_before_any_row(self):
        path = self.write("x.parquet", [], [row_group(3)], 3)
        run = sluice("cat", path, self.path / "absent", "--format", "canon")
        self.assertEqual((run.returncode, run.stdout), (1, ""))

    def test_a_broken_footer_is_told_before_any_row(self):
        path = self.write("x.parquet", [], [row_group(3)], 3)
        broken = self.path / "y.parquet"
        broken.write_text("no rows here, only words\n")
        run = sluice("cat", path, broken, "--format", "canon")
        self.assertEqual((run.returncode, run.stdout), (1, ""))


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

    def test_a_column_that_is_not_there_is_wrong_usage(self):
        for command in (["cat"], ["cat", "--count"], ["explain"], ["explain", "--analyze"],
                        ["verify"]):
            for arguments in (["--where", "id = 1", "--columns", "nothing"],
                              ["--where", "id = 1", "--columns", "id.nothing"],
                              ["--where", "nothing = 1"]):
                run = sluice(command[0], PLAIN, *command[1:], *arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""), (command, arguments))
                self.assertRegex(run.stderr, r"^sluice: [^\n]*nothing")

    def test_struct_child(self):
        roles = json.loads(sluice("inspect", NESTED, "--json").stdout)["schema"]
        struct, child = roles[0]["name"], roles[1]["name"]
        run = sluice("cat", NESTED, "--columns", f'"{struct}"."{child}"', "--format", "jsonl")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(list(json.loads(run.stdout.splitlines()[0])[struct]), [child])

    def test_switches_and_batches_give_the_same_rows(self):
        expected = sluice("cat", PAGES, "--format", "canon").stdout
        for options in (
            ["--no-limit-pushdown"],
            ["--no-offset-index"],
            ["--no-partial-footer"],
            ["--no-select-encoded"],
            ["--no-skip-pages"],
            ["--no-stream-pages"],
            ["--read-everything"],
            ["--dictionaries"],
            ["--no-checksums"],
            ["--mmap"],
            ["--batch-rows", 1000],
            ["--threads", 4],
        ):
            run = sluice("cat", PAGES, "--format", "canon", *options)
            self.assertEqual(run.stdout, expected, options)
            run = sluice("cat", PAGES, "--format", "canon", "--limit", 100, *options)
            self.assertEqual(run.stdout.splitlines(), expected.splitlines()[:100], options)

    def test_where_prints_the_rows_for_which_it_is_true(self):
        canon = sluice("cat", PAGES, "--format", "canon").stdout.splitlines()
        rows = [json.loads(line) for line in sluice("cat", PAGES, "--format", "jsonl").stdout.splitlines()]
        for where, passes in (
            ("int_col = 3", lambda row: row["int_col"] == 3),
            ("id < 20 or string_col like '7%'",
             lambda row: row["id"] < 20 or row["string_col"].startswith("7")),
            ("id + int_col > 7000", lambda row: row["id"] + row["int_col"] > 7000),
            ("id between 10 and 4000 and int_col * 2 = bigint_col - 16",
             lambda row: 10 <= row["id"] <= 4000 and row["int_col"] * 2 == row["bigint_col"] - 16),
            ("int_col is null", lambda row: row["int_col"] is None),
        ):
            expected = [line for line, row in zip(canon, rows) if passes(row)]
            for switch in (
                [],
                ["--no-bloom-filters"],
                ["--no-filters"],
                ["--no-filter-order"],
                ["--no-late-materialization"],
                ["--no-offset-index"],
                ["--no-page-index"],
                ["--no-partial-footer"],
                ["--no-select-encoded"],
                ["--no-statistics"],
                ["--read-everything"],
                ["--batch-rows", 7],
            ):
                run = sluice("cat", PAGES, "--where", where, "--format", "canon", *switch)
                self.assertEqual(run.stdout.splitlines(), expected, (where, switch))
                run = sluice("cat", PAGES, "--where", where, "--count", *switch)
                self.assertEqual(run.stdout, f"{len(expected)}\n", (where, switch))
                run = sluice("cat", PAGES, "--where", where, "--limit", 5, "--columns", "id",
                             "--format", "csv", *switch)
                first = [str(row["id"]) for row in rows if passes(row)][:5]
                self.assertEqual(run.stdout.split()[1:], first, (where, switch))

    def test_where_and_count_know_the_columns(self):
        run = sluice("cat", PAGES, "--where", "int_col = 3", "--count", "--columns", "nosuch")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("nosuch", run.stderr)

    def test_where_is_an_error_where_a_row_is(self):
        run = sluice("cat", PAGES, "--where", "bigint_col + 9223372036854775807 > 0")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, "^sluice: row error: file '.*': row group 0: row 0: ")
        run = sluice("cat", PAGES, "--where", "ID = 1", "--ignore-case", "--count")
        self.assertEqual(run.stdout, "1\n")

    def test_switches_do_what_they_say(self):
        def stats(*options):
            run = sluice("cat", PAGES, "--limit", 10, "--format", "none", "--stats", *options)
            return counts(run.stderr)

        usual = stats()
        everything = stats("--read-everything")
        self.assertEqual(everything["rows", "delivered"], 10)
        self.assertGreater(everything["pages", "read"], usual["pages", "read"])
        self.assertEqual(everything["pages", "unwanted"], 0)

    def test_stats_say_what_was_left_out_and_why(self):
        run = sluice("cat", PAGES, "--where", "id >= 7000 and id % 2 = 0", "--stats", "--count")
        self.assertEqual((run.returncode, run.stdout), (0, "150\n"))
        stats = counts(run.stderr)
        for unit, names in (
            ("rows", ["pruned by row group", "pruned by page", "deleted", "filtered", "rejected",
                      "delivered", "not reached"]),
            ("pages", ["pruned by index", "pruned by header", "pruned by dictionary", "deleted",
                       "unwanted", "read"]),
        ):
            self.assertEqual(stats[unit, "considered"], sum(stats[unit, name] for name in names))
        self.assertEqual(stats["rows", "considered"], 7300)
        for name in ("pruned by page", "filtered", "rejected", "delivered"):
            self.assertGreater(stats["rows", name], 0, name)
        for name in ("of metadata", "requested", "fetched", "decompressed"):
            self.assertGreater(stats["bytes", name], 0, name)
        self.assertEqual(stats["bytes", "delivered"], 0)  # Rows are counted, no column is asked for.
        for name in ("opening", "judging", "filters", "evaluating", "reading"):
            self.assertGreater(stats["time", "ms " + name], 0, name)
        read = counts(sluice("cat", PAGES, "--where", "id < 1", "--stats").stderr)
        self.assertEqual(read["row groups: verdict", "some: bounds_undecided (row_group)"], 1)
        pruned = counts(sluice("cat", PAGES, "--where", "id < 0", "--stats").stderr)
        self.assertEqual(pruned["row groups: verdict", "none: bounds (row_group)"], 1)
        self.assertEqual(pruned["rows", "pruned by row group"], 7300)

    def test_stats_are_told_of_a_scan_that_fails(self):
        run = sluice("cat", PAGES, "--where", "1 / (id - 5) > 7", "--stats", "--format", "none")
        self.assertEqual(run.returncode, 1)
        *stats, error = run.stderr.splitlines()
        self.assertRegex(error, "^sluice: row error: ")
        self.assertGreater(counts("\n".join(stats))["rows", "not reached"], 0)

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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
