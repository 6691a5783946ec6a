"""What is exported by the Arrow C stream interface is what other libraries import: on files of other
writers it is what Arrow reads of them itself."""

import gc
import os
import tempfile
import unittest

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import samples
from arrow_stream import ExportedFile, ExportError, bytes_in_use, interval, values

CORPUS = os.path.join(os.environ.get("SLUICE_CORPUS") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "shared", "corpus"), "files")
OPTIONS = [
    [], ["text=plain"], ["text=large", "batch_rows=3"], ["dictionaries=keep"],
    ["dictionaries=keep", "dictionaries=deliver", "text=plain", "batch_rows=7"],
    ["dictionaries=deliver", "utf8=validate"],
]


class ArrowExport(unittest.TestCase):
    def tearDown(self):
        gc.collect()
        self.assertEqual(bytes_in_use(), 0, "something was not released")

    def sample_files(self):
        """Pairs of a table and its file."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tables = [samples.flat_table(), samples.flat_table(null_share=0), samples.nested_table(),
                  samples.flat_table().slice(0, 0)]
        for i, table in enumerate(tables):
            path = os.path.join(folder.name, f"{i}.parquet")
            pq.write_table(table, path, row_group_size=700, version="2.6")
            yield table, path

    def imported(self, path, *options):
        with ExportedFile(path, *options) as exported, exported.reader() as reader:
            table = reader.read_all()
        table.validate(full=True)
        return table

    def assert_same_rows(self, rows, expected):
        self.assertEqual(len(rows), len(expected))
        for i, (row, other) in enumerate(zip(rows, expected)):
            if row != other:
                self.fail(f"row {i}: {row!r} for {other!r}"[:1000])

    def assert_same(self, table, expected):
        self.assertEqual(table.column_names, expected.column_names)
        self.assertEqual(table.num_rows, expected.num_rows)
        for i, name in enumerate(table.column_names):
            rows = values(table.column(i))
            if table.column(i).type == pa.month_day_nano_interval():
                other = [interval(value) for value in expected.column(i).to_pylist()]
            else:
                other = values(expected.column(i))
            with self.subTest(column=name):
                self.assert_same_rows(rows, other)

    def test_samples_in_pyarrow(self):
        for expected, path in self.sample_files():
            for options in [*OPTIONS, ["decimals=narrow"]]:
                with self.subTest(first=expected.column_names[0], options=options):
                    self.assert_same(self.imported(path, *options), expected)

    def test_samples_in_polars(self):
        for expected, path in self.sample_files():
            rows = [repr(row) for row in pl.from_arrow(expected).rows()]
            for options in OPTIONS:
                with self.subTest(first=expected.column_names[0], options=options):
                    with ExportedFile(path, *options) as exported:
                        frame = pl.DataFrame(exported)
                    self.assert_same_rows([repr(row) for row in frame.rows()], rows)

    def test_samples_in_duckdb(self):
        query = "select * from source"
        for expected, path in self.sample_files():
            connection = duckdb.connect()
            connection.register("source", expected)
            rows = [repr(row) for row in connection.execute(query).fetchall()]
            for options in [*OPTIONS, ["decimals=narrow"]]:
                with self.subTest(first=expected.column_names[0], options=options):
                    with ExportedFile(path, *options) as exported:
                        connection.register("source", exported)
                        imported = connection.execute(query).fetchall()
                    self.assert_same_rows([repr(row) for row in imported], rows)


if __name__ == "__main__":
    unittest.main()
