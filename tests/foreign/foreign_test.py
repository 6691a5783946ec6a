"""Files written here are read alike by other readers, and files that they write are read here."""

import decimal
import os
import tempfile
import unittest

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import samples
from readers import READERS
from sluice_rows import first_difference, run

ENCODINGS = ["PLAIN", "RLE", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
             "BYTE_STREAM_SPLIT", "ALP"]
CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4_RAW"]


class ForeignTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self._count = 0

    def path(self):
        self._count += 1
        return os.path.join(self._folder.name, f"{self._count}.parquet")

    def plain_file(self, table):
        """The table as the plainest file that another writer makes."""
        path = self.path()
        pq.write_table(table, path, compression="none", use_dictionary=False, version="2.6")
        return path

    def rewrite(self, source, **options):
        path = self.path()
        run("tests/foreign_rewrite", source, path, *(f"{k}={v}" for k, v in options.items()))
        return path


class WrittenHere(ForeignTest):
    """Every reader reads what was rewritten as it reads the original."""

    def check(self, table, options_list):
        source = self.plain_file(table)
        expected = {reader: reader.rows(source) for reader in READERS}
        for options in options_list:
            rewritten = self.rewrite(source, **options)
            self.assertIsNone(first_difference(rewritten, table), options)
            for reader in READERS:
                with self.subTest(reader=reader.name, **options):
                    refused = (reader.refuses.get(options.get("encoding"), set())
                               & set(table.column_names))
                    if not refused:
                        self.assertEqual(reader.rows(rewritten), expected[reader])
                        continue
                    with self.assertRaises(BaseException):  # Some panic.
                        reader.rows(rewritten)
                    others = [name for name in table.column_names if name not in refused]
                    if others:
                        self.assertEqual(reader.rows(rewritten, others),
                                         reader.rows(source, others))

    def encodings(self):
        return [{"encoding": encoding, "pages": pages, "dictionary": 0}
                for encoding in ENCODINGS for pages in (1, 2)]

    def codecs(self):
        return [{"codec": codec, "pages": pages, "dictionary": dictionary, "page_rows": 300}
                for codec in CODECS for pages in (1, 2) for dictionary in (0, 1)]

    def test_encodings_of_nullable_columns(self):
        self.check(samples.flat_table(), self.encodings())

    def test_encodings_of_columns_without_nulls(self):
        self.check(samples.flat_table(null_share=0), self.encodings())

    def test_encodings_of_nested_columns(self):
        self.check(samples.nested_table(), self.encodings())

    def test_codecs_of_flat_columns(self):
        self.check(samples.flat_table(), self.codecs())

    def test_codecs_of_nested_columns(self):
        self.check(samples.nested_table(), self.codecs())

    def test_row_groups_indexes_and_bloom_filters(self):
        for table in (samples.flat_table(), samples.nested_table()):
            self.check(table, [{"row_group_rows": 700, "page_rows": 100, "bloom": bloom,
                                "page_index": index, "pages": pages}
                               for bloom in (0, 1) for index in (0, 1) for pages in (1, 2)])

    def test_empty_table(self):
        self.check(samples.flat_table().slice(0, 0), [{"pages": 1}, {"pages": 2}])


CONDITIONS = [
    {"column": "id", "sql": "id = 12345", "arrow": lambda c: c == 12345,
     "polars": lambda c: c == 12345},
    {"column": "id", "sql": "id between 3999 and 4001",
     "arrow": lambda c: (c >= 3999) & (c <= 4001), "polars": lambda c: c.is_between(3999, 4001)},
    {"column": "near", "sql": "near < 60", "arrow": lambda c: c < 60, "polars": lambda c: c < 60},
    {"column": "price", "sql": "price > 1249", "arrow": lambda c: c > 1249.0,
     "polars": lambda c: c > 1249.0},
    {"column": "price", "sql": "price <> 0.25", "arrow": lambda c: c != 0.25,
     "polars": lambda c: c != 0.25},
    {"column": "price", "sql": "isnan(price)", "arrow": pc.is_nan, "polars": lambda c: c.is_nan()},
    {"column": "zero", "sql": "zero = 0.0", "arrow": lambda c: c == 0.0,
     "polars": lambda c: c == 0.0},
    {"column": "zero", "sql": "zero >= 0.0", "arrow": lambda c: c >= 0.0,
     "polars": lambda c: c >= 0.0},
    {"column": "zero", "sql": "zero < 0.0", "arrow": lambda c: c < 0.0, "polars": lambda c: c < 0.0},
    {"column": "name", "sql": "name = 'name 000123 " + "é" * 30 + "'",
     "arrow": lambda c: c == "name 000123 " + "é" * 30,
     "polars": lambda c: c == "name 000123 " + "é" * 30},
    {"column": "name", "sql": "name > 'name 001998'", "arrow": lambda c: c > "name 001998",
     "polars": lambda c: c > "name 001998"},
    {"column": "name", "sql": "name is null", "arrow": lambda c: c.is_null(),
     "polars": lambda c: c.is_null()},
    {"column": "unsigned", "sql": "unsigned > 4294000000", "arrow": lambda c: c > 4294000000,
     "polars": lambda c: c > 4294000000},
    {"column": "amount", "sql": "amount < -99", "arrow": lambda c: c < pa.scalar(decimal.Decimal("-99.00"), pa.decimal128(20, 2)),
     "polars": lambda c: c < -99},
]


class PrunedThere(ForeignTest):
    """Other readers lose no row to the statistics, indexes and bloom filters written here."""

    def test_filters_find_what_they_find_in_memory(self):
        table = samples.sorted_table()
        source = self.plain_file(table)
        for options in ({"pages": 1, "dictionary": 0}, {"pages": 2, "dictionary": 1}):
            path = self.rewrite(source, row_group_rows=4000, page_rows=500, bloom=1, **options)
            for condition in CONDITIONS:
                for reader in READERS:
                    with self.subTest(reader=reader.name, condition=condition["sql"], **options):
                        self.assertEqual(reader.ids(path, condition),
                                         reader.ids(table, condition))


class WrittenThere(ForeignTest):
    """Files of other writers, with the options they have, are read here as what was written."""

    TABLES = {"flat": samples.flat_table, "nested": samples.nested_table}

    def check(self, table, path, **options):
        with self.subTest(**options):
            self.assertIsNone(first_difference(path, table))

    def test_pyarrow(self):
        variants = [
            {}, {"version": "1.0"}, {"data_page_version": "2.0"}, {"use_dictionary": False},
            {"compression": "gzip"}, {"compression": "brotli"}, {"compression": "zstd"},
            {"compression": "lz4"}, {"compression": "none"}, {"write_page_index": True},
            {"data_page_size": 100}, {"row_group_size": 333}, {"write_page_checksum": True},
            {"dictionary_pagesize_limit": 64}, {"use_compliant_nested_type": False},
            {"store_decimal_as_integer": True}, {"data_page_version": "2.0", "data_page_size": 64},
        ]
        for name, make in self.TABLES.items():
            for options in variants:
                path = self.path()
                pq.write_table(make(), path, **options)
                # What is not in the file cannot be asked for: types that a version widens.
                self.check(pq.ParquetFile(path).read(), path, sample=name, **options)

    def test_pyarrow_encodings(self):
        table = samples.flat_table()
        numbers = [n for n in table.column_names if n[0] in "iu" and n[1:].isdigit()]
        choices = {
            "DELTA_BINARY_PACKED": [n for n in numbers] + ["day", "ts_ms", "ts_us", "ts_utc"],
            "DELTA_LENGTH_BYTE_ARRAY": ["text", "bytes"],
            "DELTA_BYTE_ARRAY": ["text", "bytes", "fixed", "decimal38"],
            "BYTE_STREAM_SPLIT": ["f32", "f64", "i32", "i64", "fixed", "decimal38"],
            "RLE": ["flag"],
        }
        for encoding, columns in choices.items():
            for version in ("1.0", "2.0"):
                path = self.path()
                pq.write_table(table, path, use_dictionary=False, data_page_version=version,
                               data_page_size=2000,
                               column_encoding={column: encoding for column in columns})
                self.check(table, path, encoding=encoding, version=version)

    def test_duckdb(self):
        for name, make in self.TABLES.items():
            source = self.plain_file(make())
            connection = duckdb.connect()
            for options in ("compression snappy", "compression gzip", "compression zstd",
                            "compression lz4_raw", "compression brotli", "compression uncompressed",
                            "parquet_version v2", "parquet_version v2, compression zstd",
                            "row_group_size 500", "dictionary_size_limit 1"):
                path = self.path()
                connection.execute(f"copy (select * from read_parquet('{source}')) to '{path}' "
                                   f"(format parquet, {options})")
                self.check(pq.ParquetFile(path).read(), path, sample=name, options=options)

    def test_polars(self):
        for name, make in self.TABLES.items():
            frame = pl.from_arrow(make())
            for options in ({}, {"compression": "snappy"}, {"compression": "gzip"},
                            {"compression": "brotli"}, {"compression": "lz4"},
                            {"compression": "uncompressed"}, {"row_group_size": 400},
                            {"data_page_size": 500}, {"statistics": "full"}):
                path = self.path()
                frame.write_parquet(path, **options)
                self.check(pq.ParquetFile(path).read(), path, sample=name, **options)
