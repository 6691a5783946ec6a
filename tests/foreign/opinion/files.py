"""Files with random options of their writers, and the corpus."""

import csv
import json
import os
import pathlib

import duckdb
import polars as pl
import pyarrow.parquet as pq

from opinion import tables, types
from opinion.generator import Column
from sluice_rows import run

CORPUS = pathlib.Path(os.environ.get("SLUICE_CORPUS") or
                      pathlib.Path(__file__).resolve().parents[4] / "shared" / "corpus")
# Columns that a writer has no type for, or stores as another.
POLARS_LACKS = ("f16", "id", "fixed")
DUCKDB_LACKS = ("f16", "time_ns", "time_ms")


def _write_arrow(random, table, path):
    nested = [name for name in table.column_names if name == "outer"]
    flat = [name for name in table.column_names if name not in nested]
    some = [name for name in flat if random.random() < 0.5]
    pq.write_table(
        table, path, version=random.choice(("1.0", "2.4", "2.6")) if not _has_nanoseconds(table)
        else "2.6",
        compression=random.choice(("none", "snappy", "zstd", "gzip")),
        use_dictionary=random.choice((True, False, some)),
        write_statistics=random.choice((True, True, False, some)),
        write_page_index=random.choice((True, True, False)),
        data_page_size=random.choice((50, 300, 2000, 1 << 20)),
        row_group_size=random.choice((100, 333, 1000, 10 ** 6)),
        data_page_version=random.choice(("1.0", "2.0")),
        dictionary_pagesize_limit=random.choice((64, 1 << 20)),
        write_page_checksum=random.random() < 0.5,
        store_decimal_as_integer=random.random() < 0.5)


def _has_nanoseconds(table):
    return any("ns" in name for name in table.column_names)


def _write_rewritten(random, table, path):
    """By this library's own writer, which has bloom filters and encodings that others lack."""
    source = f"{path}.source"
    pq.write_table(table, source, version="2.6", compression="none")
    options = {"bloom": random.randrange(2), "page_index": random.choice((0, 1, 1)),
               "pages": random.choice((1, 2)), "dictionary": random.randrange(2),
               "page_rows": random.choice((20, 100, 1000)),
               "row_group_rows": random.choice((100, 333, 1000, 10 ** 6)),
               "codec": random.choice(("UNCOMPRESSED", "SNAPPY", "ZSTD", "LZ4_RAW"))}
    if random.random() < 0.4:
        # BYTE_STREAM_SPLIT of bytes is refused by both.
        options["encoding"] = random.choice(("PLAIN", "RLE", "DELTA_BINARY_PACKED",
                                             "DELTA_LENGTH_BYTE_ARRAY"))
    run("tests/foreign_rewrite", source, path, *(f"{k}={v}" for k, v in options.items()))
    os.remove(source)


def _write_polars(random, table, path):
    pl.from_arrow(table).write_parquet(
        path, compression=random.choice(("uncompressed", "snappy", "zstd", "gzip")),
        statistics=random.choice((True, False, "full")),
        row_group_size=random.choice((100, 400, 10 ** 6)),
        data_page_size=random.choice((100, 1000, 1 << 20)))


def _write_duckdb(random, table, path):
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    connection.execute("set TimeZone = 'UTC'")
    connection.register("source", table)
    connection.execute(
        f"copy (select * from source) to '{path}' (format parquet, "
        f"compression {random.choice(('snappy', 'zstd', 'uncompressed'))}, "
        f"parquet_version {random.choice(('v1', 'v2'))}, "
        f"row_group_size {random.choice((500, 2048, 100000))}, "
        f"dictionary_size_limit {random.choice((1, 100, 10000))})")


WRITERS = {"pyarrow": (_write_arrow, ()), "sluice": (_write_rewritten, ()),
           "polars": (_write_polars, POLARS_LACKS), "duckdb": (_write_duckdb, DUCKDB_LACKS)}


def generate(random, path):
    """Writes a table; returns the writer's name."""
    writer = random.choice(("pyarrow", "pyarrow", "sluice", "sluice", "polars", "duckdb"))
    write, lacks = WRITERS[writer]
    write(random, tables.make(random, lacks), str(path))
    return writer


def corpus_names():
    """Names of the files that must be read, where there are rows to choose from."""
    index = CORPUS / "INDEX.tsv"
    if not index.exists():
        return []
    with open(index, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sorted(row["name"] for row in rows
                  if row["category"] == "ok" and row["rows"].isdigit() and int(row["rows"]) > 0
                  and (CORPUS / "expected" / f"{row['name'][:-8]}.jsonl").exists())


def corpus_rows(name):
    """The canonical lines that were found without this library."""
    expected = CORPUS / "expected" / f"{name[:-8]}.jsonl"
    return expected.read_text(encoding="utf-8").splitlines()


def _leaves(fields, path=()):
    """Paths, types and positions of leaves that are in structs only."""
    for position, field in enumerate(fields):
        here = path + (field["name"],)
        if field["children"]:
            if "logical_type" not in field and "converted_type" not in field and (
                    field["repetition"] != "REPEATED"):
                yield from _leaves(field["children"], here)
        elif field["repetition"] != "REPEATED" and (kind := types.of_name(field["type"])):
            yield here, kind, position


def _tree(entries):
    """The nested fields of the flat list that `sluice inspect` prints."""
    roots, stack = [], []
    for entry in entries:
        field = entry | {"children": []}
        del stack[entry["depth"]:]
        (stack[-1]["children"] if stack else roots).append(field)
        stack.append(field)
    return roots


def _values(rows, path, positions):
    """Different values of a column that are not null."""
    seen = {}
    for row in rows:
        value = row[positions[path[0]]]
        for name in path[1:]:
            value = value and value[name]
        if value is not None:
            seen.setdefault(json.dumps(value), value)
    return list(seen.values())


def columns_of(path, random):
    """The columns that predicates are drawn over, with values to draw from."""
    footer = json.loads(run("tools/sluice", "inspect", "--json", str(path)))
    roots = _tree(footer["schema"])
    names = [field["name"] for field in roots]
    positions = {name: i for i, name in enumerate(names)}
    rows = [json.loads(line) for line in
            run("tools/sluice", "cat", "--format", "canon", str(path)).splitlines()]
    columns = []
    for leaf, kind, _ in _leaves(roots):
        if names.count(leaf[0]) > 1:
            continue
        values = _values(rows, leaf, positions)
        # What is out of the type's range is shown as it is stored.
        values = [v for v in values if kind.sort != "time" or isinstance(v, str)]
        columns.append(Column(leaf, kind, tuple(random.sample(values, min(len(values), 12)))))
    return columns
