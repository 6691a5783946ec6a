"""DuckDB's opinion of a predicate."""

import duckdb

from opinion import types
from opinion.answers import Answer
from opinion.nodes import Node, Writer, compare, logic, quoted_name

_NAMES = {"boolean": "BOOLEAN", "string": "VARCHAR", "binary": "BLOB", "uuid": "UUID",
          "date": "DATE", "float16": "FLOAT", "float": "FLOAT", "double": "DOUBLE",
          "int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER", "int64": "BIGINT",
          "uint8": "UTINYINT", "uint16": "USMALLINT", "uint32": "UINTEGER", "uint64": "UBIGINT"}
_TIMES = {("time", "ms"): "TIME", ("time", "us"): "TIME", ("time", "ns"): "TIME_NS",
          ("timestamp", "ms"): "TIMESTAMP", ("timestamp", "us"): "TIMESTAMP",
          ("timestamp", "ns"): "TIMESTAMP_NS", ("instant", "ms"): "TIMESTAMP WITH TIME ZONE",
          ("instant", "us"): "TIMESTAMP WITH TIME ZONE", ("instant", "ns"): "TIMESTAMPTZ_NS"}
# What DuckDB raises for a row; the others are about the predicate.
ROW_ERRORS = (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.InvalidInputException)


def name_of(kind):
    """What DuckDB calls the type of a column."""
    if kind.is_decimal:
        return f"DECIMAL({kind.precision},{kind.scale})"
    return _NAMES.get(kind.name) or _TIMES[kind.sort, kind.unit]


class PlainWriter(Writer):
    """The same text, but for what has another name there: is_nan, and times and timestamps of
    nanoseconds, which do not meet other times there, and whose literals say so."""

    def __init__(self, tree):
        self._has_fine_times = any(node.type and node.type.sort == "time" and node.type.unit == "ns"
                                   for node in tree.walk())

    def text(self, node):
        text = super().text(node)
        if node.type is None or node.type.sort != "time" or not self._has_fine_times:
            return text
        return text if node.op in ("case", "call") else f"CAST({text} AS TIME_NS)"

    def write_literal(self, node):
        if node.type.unit != "ns" or node.value.startswith("'"):
            return node.value
        word, _, text = node.value.partition(" ")
        return f"{word}_NS {text}"

    def write_call(self, node):
        text = super().write_call(node)
        return "isnan" + text[len("is_nan"):] if node.value == "is_nan" else text


class CarefulWriter(PlainWriter):
    """Law 6 said in SQL: every boolean expression becomes a number, 0 FALSE, 1 NULL, 2 ERROR,
    3 TRUE, by TRY, which makes NULL of a row's error."""

    def text(self, node):
        """A value; raises an error where a condition of it is one."""
        if node.type == types.BOOLEAN and node.op not in _RAISING:
            return self._decoded(node)
        return super().text(node)

    def _decoded(self, node):
        raising = "CAST(concat('a row''s error ', file_row_number) AS BOOLEAN)"
        return (f"(CASE {self.code(node)} WHEN 3 THEN TRUE WHEN 0 THEN FALSE WHEN 2 THEN {raising} "
                f"END)")

    def code(self, node):
        if node.op == "and":
            return f"least({', '.join(map(self.code, node.children))})"
        if node.op == "or":
            return self._opposite(f"least({', '.join(map(self._opposite_of, node.children))})")
        if node.op == "not":
            return self._opposite_of(node.children[0])
        if node.op in ("between", "in"):
            operand, *others = node.children
            if node.op == "between":
                tree = logic("and", compare(">=", operand, others[0]),
                             compare("<=", operand, others[1]))
            else:
                tree = logic("or", *(compare("=", operand, other) for other in others))
            return self._opposite_of(tree) if node.value else self.code(tree)
        return f"coalesce(TRY(coalesce(CAST(({self._atom(node)}) AS INTEGER) * 3, 1)), 2)"

    def _atom(self, node):
        return getattr(super(), f"write_{node.op}")(node)

    def _opposite(self, code):
        return f"(CASE {code} WHEN 0 THEN 3 WHEN 3 THEN 0 WHEN 1 THEN 1 ELSE 2 END)"

    def _opposite_of(self, node):
        return self._opposite(self.code(node))

    def write_case(self, node):
        """Conditions in the form without an operand, where an error is one of the row."""
        has_operand, has_else = node.value
        parts = list(node.children)
        operand = parts.pop(0) if has_operand else None
        last = [parts.pop()] if has_else else []
        conditions = [compare("=", operand, when) if operand else when for when in parts[::2]]
        branches = [x for pair in zip(conditions, parts[1::2]) for x in pair]
        return super().write_case(Node("case", node.type, (*branches, *last), (False, has_else)))


# Boolean expressions that raise what their operands raise, and nothing else.
_RAISING = ("column", "literal", "case", "call", "cast")


def _plain(tree):
    return PlainWriter(tree).text(tree)


def connect():
    """With the zone that scans have by default, and divisions by zero as errors."""
    connection = duckdb.connect()
    for setting in ("threads = 1", "TimeZone = 'UTC'", "ieee_floating_point_ops = false"):
        connection.execute(f"set {setting}")
    return connection


class DuckDbOpinion:
    name = "duckdb"

    def __init__(self, path, columns):
        self._connection = connect()
        self._source = f"read_parquet('{path}', file_row_number = true)"
        self._tops = ", ".join(sorted({quoted_name(column.path[0]) for column in columns}))
        self._is_in_memory = False
        described = self._connection.execute(f"describe select * from {self._source}").fetchall()
        names = {row[0]: row[1] for row in described}
        self.lacks = set()
        for column in columns:
            has = names[column.path[0]] if len(column.path) == 1 else self._type_of(column)
            if has != name_of(column.type):
                self.lacks.add(column.path)

    def _type_of(self, column):
        """Of a field of a struct."""
        text = _plain(Node("column", column.type, value=column.path))
        try:
            described = self._connection.execute(f"describe select {text} from {self._source}")
            return described.fetchone()[1]
        except duckdb.Error:
            return None

    def ask(self, tree):
        """By the file and the plain text."""
        if tree.columns() & self.lacks:
            return Answer("none", text="a column that it has another type for")
        return self._select(self._source, _plain(tree))

    def _select(self, source, where):
        try:
            rows = self._connection.execute(
                f"select file_row_number from {source} where {where}").fetchall()
            return Answer("rows", tuple(sorted(row for row, in rows)))
        except ROW_ERRORS as error:
            return Answer("error", text=str(error))
        except duckdb.Error as error:
            return Answer("refused", text=f"{type(error).__name__}: {error}")

    def carefully(self, tree):
        """(rows for which the predicate is true, rows for which it is an error), by law 6; an
        Answer that is refused, where it cannot be asked so."""
        self.load()
        code = CarefulWriter(tree).code(tree)
        try:
            self._connection.execute("pragma disable_optimizer")
            rows = self._connection.execute(
                f"select file_row_number, {code} from loaded").fetchall()
        except duckdb.Error as error:
            return Answer("refused", text=f"{type(error).__name__}: {error}")
        finally:
            self._connection.execute("pragma enable_optimizer")
        return (tuple(sorted(row for row, outcome in rows if outcome == 3)),
                tuple(sorted(row for row, outcome in rows if outcome == 2)))

    def load(self):
        """Reads the columns into memory, where they are not there yet."""
        if not self._is_in_memory:
            self._connection.execute(
                f"create table loaded as select file_row_number, {self._tops} from {self._source}")
            self._is_in_memory = True
