"""Five queries of three million flights, with answers that were not found by this library.

The file is ../shared/data/flights-3m.parquet beside the source (SLUICE_DATA names another folder):
flights of the first half of 2001, sorted by date, written by Polars with a page a column chunk; a
copy by this library's writer has small pages and bloom filters. The answers
of QUERIES were found on 3 000 000 rows by each of DuckDB, Polars and pyarrow, from the spellings
that stand beside each other there, and written down once the three agreed: the number of rows, and
of those the sums of delay and distance and the first and last date. The first test asks the three
again, so that the constants are what they are said to be.
"""

import datetime
import os
import pathlib
import tempfile
import unittest

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from opinion.answers import SWITCHES, run_sluice
from sluice_rows import run

FILE = pathlib.Path(os.environ.get("SLUICE_DATA") or pathlib.Path(__file__).resolve().parents[3] /
                    "shared" / "data") / "flights-3m.parquet"


def moment(*parts):
    return datetime.datetime(2001, *parts)


def p(name):
    return pl.col(name)


def a(name):
    return pc.field(name)


def stamp(*parts):
    return pa.scalar(moment(*parts), pa.timestamp("us"))


# What each is there for: `prunes` is what rows of --stats were left out by, not 0 of the copy.
QUERIES = {
    "statistics of row groups": {
        "sluice": "date BETWEEN TIMESTAMP '2001-02-10 00:00:00' "
                  "AND TIMESTAMP '2001-02-12 11:59:59' AND delay > 120",
        "polars": p("date").is_between(moment(2, 10), moment(2, 12, 11, 59, 59)) &
                  (p("delay") > 120),
        "arrow": (a("date") >= stamp(2, 10)) & (a("date") <= stamp(2, 12, 11, 59, 59)) &
                 (a("delay") > 120),
        "prunes": "pruned by row group",
        "answer": (204, 40274, 187816, moment(2, 10), moment(2, 12, 11, 45)),
    },
    "page index": {
        "sluice": "date >= TIMESTAMP '2001-05-20 06:00' AND date < TIMESTAMP '2001-05-20 07:30' "
                  "AND NOT distance < 1000",
        "polars": (p("date") >= moment(5, 20, 6)) & (p("date") < moment(5, 20, 7, 30)) &
                  ~(p("distance") < 1000),
        "arrow": (a("date") >= stamp(5, 20, 6)) & (a("date") < stamp(5, 20, 7, 30)) &
                 ~(a("distance") < 1000),
        "prunes": "pruned by page",
        "answer": (365, -2053, 557621, moment(5, 20, 6), moment(5, 20, 7, 29)),
    },
    "strings": {
        "sluice": "origin LIKE 'S_O' AND destination IN ('JFK', 'LGA', 'EWR', 'BOS') "
                  "OR substr(lower(origin), 2) = 'nc' AND destination > 'ST'",
        "polars": p("origin").str.contains("^S.O$") &
                  p("destination").is_in(["JFK", "LGA", "EWR", "BOS"]) |
                  (p("origin").str.to_lowercase().str.slice(1) == "nc") & (p("destination") > "ST"),
        "arrow": pc.match_like(a("origin"), "S_O") &
                 a("destination").isin(["JFK", "LGA", "EWR", "BOS"]) |
                 (pc.utf8_slice_codeunits(pc.utf8_lower(a("origin")), 1) == "nc") &
                 (a("destination") > "ST"),
        "answer": (6503, 21667, 16985683, moment(1, 1, 6, 57), moment(6, 30, 23, 49)),
    },
    "nulls": {
        "sluice": "coalesce(CASE WHEN delay > 300 THEN origin "
                  "WHEN delay < -40 THEN destination END, "
                  "CASE WHEN distance > 4900 THEN 'far' END) IS NOT NULL "
                  "AND NOT CASE WHEN delay > 0 THEN distance END <= 700",
        "polars": pl.coalesce(
            pl.when(p("delay") > 300).then(p("origin")).when(p("delay") < -40)
            .then(p("destination")),
            pl.when(p("distance") > 4900).then(pl.lit("far"))).is_not_null() &
            ~(pl.when(p("delay") > 0).then(p("distance")) <= 700),
        "arrow": pc.is_valid(pc.coalesce(
            pc.if_else(a("delay") > 300, a("origin"), pc.if_else(
                a("delay") < -40, a("destination"), pa.scalar(None, pa.string()))),
            pc.if_else(a("distance") > 4900, pa.scalar("far"), pa.scalar(None, pa.string())))) &
            pc.coalesce(~(pc.if_else(a("delay") > 0, a("distance"), pa.scalar(None, pa.int64()))
                          <= 700), pa.scalar(False)),
        "answer": (1327, 544149, 2343702, moment(1, 1, 9, 14), moment(6, 30, 23, 54)),
    },
    "arithmetic": {
        # The divisor is 0 in many rows, which the other side of AND decides. A quotient above 90 is
        # of delays above 7, whose remainders are the same however they are rounded; pyarrow, which
        # divides by 0 nowhere, multiplies.
        "sluice": "delay <> 7 AND distance / (delay - 7) > 90 AND (delay * distance) % 97 = 13 "
                  "AND month(date) >= 3",
        "polars": (p("delay") > 7) & (p("distance") / (p("delay") - 7) > 90) &
                  (p("delay") * p("distance") % 97 == 13) & (p("date").dt.month() >= 3),
        "arrow": (a("delay") > 7) &
                 (a("distance") > (a("delay") - 7) * 90) &
                 (a("delay") * a("distance") - a("delay") * a("distance") / 97 * 97 == 13) &
                 (pc.month(a("date")) >= 3),
        "answer": (2047, 26271, 2348575, moment(3, 1, 6, 45), moment(6, 30, 21, 18)),
    },
}


def by_duckdb(query):
    return duckdb.connect().execute(
        f"select count(*), sum(delay)::bigint, sum(distance)::bigint, min(date), max(date) "
        f"from read_parquet('{FILE}') where {query['sluice']}").fetchone()


def by_polars(query):
    found = pl.scan_parquet(FILE).filter(query["polars"]).collect()
    return (found.height, found["delay"].sum(), found["distance"].sum(), found["date"].min(),
            found["date"].max())


def by_arrow(query):
    found = pq.read_table(FILE, filters=query["arrow"])
    return (found.num_rows, pc.sum(found["delay"]).as_py(), pc.sum(found["distance"]).as_py(),
            pc.min(found["date"]).as_py(), pc.max(found["date"]).as_py())


def by_sluice(path, query, *options):
    """The answer, and what --stats says."""
    status, output, stats = run_sluice(path, query["sluice"], "--columns", "date,delay,distance",
                                       "--format", "csv", "--stats", *options)
    if status != 0:
        raise AssertionError(stats)
    rows = [line.split(",") for line in output.splitlines()[1:]]
    dates = [datetime.datetime.fromisoformat(row[0]) for row in rows]
    return (len(rows), sum(int(row[1]) for row in rows), sum(int(row[2]) for row in rows),
            min(dates), max(dates)), stats


@unittest.skipUnless(FILE.exists(), f"SKIPPED, loudly: there is no {FILE}")
class RealFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.copy = os.path.join(folder.name, "copy.parquet")
        run("tests/foreign_rewrite", str(FILE), cls.copy, "page_rows=10000",
            "row_group_rows=1000000", "bloom=1")

    def test_other_engines_say_what_is_written_down(self):
        for name, query in QUERIES.items():
            for ask in (by_duckdb, by_polars, by_arrow):
                with self.subTest(query=name, engine=ask.__name__):
                    self.assertEqual(ask(query), query["answer"])

    def test_with_every_optimisation(self):
        for name, query in QUERIES.items():
            for path in (FILE, self.copy):
                with self.subTest(query=name, path=path):
                    answer, stats = by_sluice(path, query)
                    self.assertEqual(answer, query["answer"])
                    if "prunes" in query and path == self.copy:
                        self.assertRegex(stats, rf"(?m)^rows: .* [1-9]\d* {query['prunes']},")

    def test_without_any_optimisation(self):
        for name, query in QUERIES.items():
            for path in (FILE, self.copy):
                with self.subTest(query=name, path=path):
                    answer, stats = by_sluice(path, query, *(f"--no-{name}" for name in SWITCHES))
                    self.assertEqual(answer, query["answer"])
                    self.assertRegex(
                        stats, r"(?m)^rows: .* 0 pruned by row group, 0 pruned by page,")


if __name__ == "__main__":
    unittest.main(verbosity=2)
