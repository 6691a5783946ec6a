"""What other engines are known to say otherwise: known_differences.toml, and its examples."""

import datetime
import decimal
import math
import pathlib
import re
import tomllib

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from opinion import duckdb_opinion
from opinion.answers import ask_sluice
from opinion.nodes import sluice_text
from sluice_rows import run

WRITERS = ("pyarrow", "sluice")
_FILE = pathlib.Path(__file__).resolve().parent.parent / "known_differences.toml"


def load():
    """(entries [[difference]], entries [[misread]])"""
    entries = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return entries["difference"], entries["misread"]


def entry_for(entries, difference, tree):
    """The entry that the difference of a predicate is one of, or None."""
    where = sluice_text(tree)
    names = {node.type.name for node in tree.walk() if node.op == "column"}
    for entry in entries:
        if (entry["engine"], entry["kind"]) != (difference.engine, difference.kind):
            continue
        if entry.get("ours", difference.ours) != difference.ours:
            continue
        if "reads" in entry and not names & set(entry["reads"]):
            continue
        if "pattern" in entry and not re.search(entry["pattern"], where):
            continue
        if "message" in entry and not re.search(entry["message"], difference.message):
            continue
        return entry
    return None


def write_example_files(folder):
    """Four rows in two row groups, which the examples are about: paths by writer."""
    paths = {writer: str(pathlib.Path(folder) / f"{writer}.parquet") for writer in WRITERS}
    pq.write_table(_example_table(), paths["pyarrow"], row_group_size=2, version="2.6")
    # With bloom filters.
    run("tests/foreign_rewrite", paths["pyarrow"], paths["sluice"], "row_group_rows=2", "bloom=1")
    return paths


def _example_table():
    moments = [0, 1, 1_600_000_000_123_456_789, None]
    return pa.table({
        "row": pa.array([0, 1, 2, 3], pa.int64()),
        "i8": pa.array([0, 1, -128, None], pa.int8()),
        "u32": pa.array([0, 1, 4_294_967_295, None], pa.uint32()),
        "u64": pa.array([0, 1, 18_446_744_073_709_551_615, None], pa.uint64()),
        "f16": pa.array([1.0, 65504.0, math.nan, None], pa.float16()),
        "f32": pa.array([0.5, math.nan, 0.1, None], pa.float32()),
        "f64": pa.array([0.5, -0.0, 3.5, None], pa.float64()),
        "d4": pa.array([decimal.Decimal("1.5"), decimal.Decimal("-2.5"), decimal.Decimal("999.9"),
                        None], pa.decimal128(4, 1)),
        "d18": pa.array([decimal.Decimal("99999999999999.9999"), decimal.Decimal("1.0000"),
                         decimal.Decimal("-1.5000"), None], pa.decimal128(18, 4)),
        "d38": pa.array([decimal.Decimal("9999999999999999999999999999.9999999999"),
                         decimal.Decimal("1.0000000000"), decimal.Decimal("-2.0000000000"), None],
                        pa.decimal128(38, 10)),
        "day": pa.array([datetime.date(1970, 1, 1), datetime.date(2020, 2, 29),
                         datetime.date(9999, 12, 31), None], pa.date32()),
        "ts_us": pa.array([0, -62_135_596_800_000_000, 1_600_000_000_123_456, None],
                          pa.timestamp("us")),
        "ts_ns": pa.array(moments, pa.timestamp("ns")),
        "tz_ns": pa.array(moments, pa.timestamp("ns", "UTC")),
        "time_ns": pa.array([0, 1, 86_399_999_999_999, None], pa.time64("ns")),
        "text": pa.array(["a", "Straße", "2020-02-29", None], pa.string()),
        "word": pa.array(["12:30:00", "inf", "1.5", None], pa.string()),
        "bytes": pa.array([b"a", b"\xff", b"", None], pa.binary()),
    })


def _shown(ask):
    """Rows as a list, or in one word that there are none."""
    try:
        return ask()
    except duckdb_opinion.ROW_ERRORS:
        return "error"
    except (duckdb.Error, pl.exceptions.PolarsError):
        return "refused"


def example_of_sluice(path, entry):
    answer = ask_sluice(path, entry["where"])
    return list(answer.rows) if answer.kind == "rows" else answer.kind


def count_of_sluice(path, entry):
    return len(ask_sluice(path, entry["where"], is_canonical=True).rows)


def example_of_engine(path, entry):
    """`theirs` in SQL or as an expression in Python, where the same text will not do."""
    theirs = entry.get("theirs", entry["where"])
    if entry["engine"] == "polars":
        predicate = eval(theirs, {"pl": pl, "col": pl.col})  # Of this repository.
        return _shown(lambda: pl.scan_parquet(path).filter(predicate).collect()["row"].to_list())
    query = f"select row from read_parquet('{path}') where {theirs}"
    return _shown(lambda: [row for row, in duckdb_opinion.connect().execute(query).fetchall()])


def count_of_engine(path, entry):
    theirs = entry.get("theirs", entry["where"])
    if entry["engine"] == "polars":
        predicate = eval(theirs, {"pl": pl, "col": pl.col})  # Of this repository.
        return pl.scan_parquet(path).filter(predicate).collect().height
    query = f"select count(*) from read_parquet('{path}') where {theirs}"
    return duckdb_opinion.connect().execute(query).fetchone()[0]
