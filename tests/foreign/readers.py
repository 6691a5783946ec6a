"""The other readers, each as a function from a file to comparable rows, and from a filter to ids."""

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import samples


def _text(rows):
    """Rows as text: NaN equals itself there, and the signed zeros differ."""
    return [repr(row) for row in rows]


class Arrow:
    name = "pyarrow"
    # Columns of samples.flat_table that a reader refuses when they have an encoding: it must say so
    # instead of giving rows, and read the others.
    refuses = {"ALP": {"f32", "f64"}}

    @staticmethod
    def rows(path, columns=None):
        return _text(pq.ParquetFile(path).read(columns=columns).to_pylist())

    @staticmethod
    def ids(source, condition):
        expression = condition["arrow"](pc.field(condition["column"]))
        if isinstance(source, pa.Table):
            return source.filter(expression)["id"].to_pylist()
        return pq.read_table(source, columns=["id"], filters=expression)["id"].to_pylist()


class DuckDb:
    name = "duckdb"
    # An encoding that it does not know makes it refuse the footer.
    refuses = {"ALP": set(samples.flat_table().column_names),
               "BYTE_STREAM_SPLIT": {"fixed", "decimal38"}}

    @staticmethod
    def rows(path, columns=None):
        connection = duckdb.connect()
        connection.execute("set TimeZone = 'UTC'")
        names = ", ".join(f'"{name}"' for name in columns) if columns else "*"
        return _text(connection.execute(f"select {names} from read_parquet(?)", [path])
                     .to_arrow_table().to_pylist())

    @staticmethod
    def ids(source, condition):
        connection = duckdb.connect()
        if isinstance(source, pa.Table):
            connection.register("source", source)
            origin = "source"
        else:
            origin = f"read_parquet('{source}')"
        query = f"select id from {origin} where {condition['sql']} order by id"
        return [row[0] for row in connection.execute(query).fetchall()]


class Polars:
    name = "polars"
    refuses = {"ALP": {"f32", "f64"}, "BYTE_STREAM_SPLIT": {"fixed", "decimal38"},
               "DELTA_BYTE_ARRAY": {"fixed", "decimal38"}}

    @staticmethod
    def rows(path, columns=None):
        frame = pl.read_parquet(path, columns=columns, hive_partitioning=False)
        return _text(frame.to_dicts())

    @staticmethod
    def ids(source, condition):
        frame = (pl.from_arrow(source).lazy() if isinstance(source, pa.Table)
                 else pl.scan_parquet(source))
        return (frame.filter(condition["polars"](pl.col(condition["column"])))
                .select("id").collect()["id"].to_list())


READERS = [Arrow, DuckDb, Polars]
