"""Polars' opinion of a predicate."""

import polars as pl

from opinion import polars_expressions as said
from opinion import polars_values, types
from opinion.answers import Answer
from opinion.nodes import compare, logic
from opinion.polars_expressions import CannotSay, Said, either

_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
_TIMES = ("date", "time", "timestamp", "instant")
_TRUNCATED = {"microsecond": "1us", "milliseconds": "1ms", "second": "1s", "minute": "1m",
              "hour": "1h", "day": "1d", "week": "1w", "month": "1mo", "quarter": "1q",
              "year": "1y"}


class Speaker:
    """Makes expressions of trees."""

    def say(self, node):
        name = {"+": "calculation", "-": "calculation", "*": "calculation", "/": "calculation",
                "%": "calculation"}.get(node.op, node.op)
        return getattr(self, "say_" + name)(node)

    def say_column(self, node):
        column = pl.col(node.value[0])
        for name in node.value[1:]:
            column = column.struct.field(name)
        return Said(column)

    def say_literal(self, node):
        return Said(said.literal(node))

    def say_null(self, _node):
        return Said(pl.lit(None))

    # Logic: AND is the least of FALSE < NULL < ERROR < TRUE, OR the greatest of
    # FALSE < ERROR < NULL < TRUE.

    def say_and(self, node):
        return self.joined([self.truth(child) for child in node.children])

    def truth(self, node):
        """A boolean, which NULL and what is made of it alone can be."""
        part = self.say(node)
        return part if node.type else Said(part.value.cast(pl.Boolean), part.error)

    def say_or(self, node):
        parts = [self.truth(child) for child in node.children]
        if any(part.error is not None for part in parts):
            return self.opposite(self.joined([self.opposite(part) for part in parts]))
        value = parts[0].value
        for part in parts[1:]:
            value = value | part.value
        return Said(value)

    @staticmethod
    def joined(parts):
        values = [part.value if part.error is None else part.value | part.error for part in parts]
        value = values[0]
        for other in values[1:]:
            value = value & other
        error = either(*(part.error for part in parts))
        return Said(value) if error is None else _settled(
            value, Said(value, error & value.fill_null(False)))

    def say_not(self, node):
        return self.opposite(self.truth(node.children[0]))

    @staticmethod
    def opposite(part):
        return _settled(~part.value, part)

    def negated(self, node, part):
        return self.opposite(part) if node.value else part

    # Comparisons.

    def say_compare(self, node):
        return self.compared(node, {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt",
                                    ">=": "ge"}[node.value])

    def say_distinct(self, node):
        return self.compared(node, "eq_missing" if node.value else "ne_missing")

    def compared(self, node, method):
        a, b = node.children
        if a.type is None or b.type is None:
            left, right = self.say(a), self.say(b)
        else:
            left, right = self.comparable(a, b)
        return _settled(getattr(left.value, method)(right.value), left, right)

    def comparable(self, a, b):
        """Both in a type in which they are compared as our rules compare them."""
        if a.type.sort in _TIMES:
            return self.comparable_times(a, b)
        if a.type.sort != "number" or a.type == b.type:
            return self.say(a), self.say(b)
        for one, other in ((a, b), (b, a)):
            if one.op == "literal" and one.type.name != "double" and other.op != "literal":
                pair = self.beside_literal(other, one)
                return pair if other is a else pair[::-1]
        kind = types.common(a.type, b.type)
        if kind.is_floating:
            if a.type.is_decimal or b.type.is_decimal:
                raise CannotSay("the nearest floating-point number of a decimal")
            return self.cast_both(a, b, said.dtype_of(kind))
        if a.type.is_decimal or b.type.is_decimal:
            return self.cast_both(a, b, said.decimal_dtype(kind))
        return self.cast_both(a, b, pl.Int128)

    def cast_both(self, a, b, dtype):
        left, right = self.say(a), self.say(b)
        return Said(left.value.cast(dtype), left.error), Said(right.value.cast(dtype), right.error)

    def beside_literal(self, node, literal):
        """A number without exponent keeps its value; beside floating point it is the nearest."""
        if literal.value.startswith("'"):
            raise CannotSay("a string beside a number")
        part, kind = self.say(node), node.type
        if kind.is_floating:
            dtype = pl.Float64 if kind == types.DOUBLE else pl.Float32
            value = part.value.cast(dtype) if kind == types.FLOAT16 else part.value
            return Said(value, part.error), Said(pl.lit(literal.value).cast(dtype))
        if kind.is_integer and literal.type.is_integer:
            number = int(literal.value)
            if kind.least <= number <= kind.greatest:
                return part, Said(pl.lit(number, dtype=said.dtype_of(kind)))
        if kind.is_integer and literal.type.scale == 0:
            if literal.type.precision > said.MOST_DIGITS:
                raise CannotSay("more than 38 digits")
            number = said.wide(literal.value.partition(".")[0])
            return Said(part.value.cast(pl.Int128), part.error), Said(number)
        exact = types.common(types.as_decimal(kind), types.as_decimal(literal.type))
        dtype = said.decimal_dtype(exact)
        return Said(part.value.cast(dtype), part.error), Said(pl.lit(literal.value).cast(dtype))

    def comparable_times(self, a, b):
        left, right = self.say(a), self.say(b)
        if said.dtype_of(a.type) == said.dtype_of(b.type):
            return left, right
        for (one, part), (other, _) in (((a, left), (b, right)), ((b, right), (a, left))):
            # A literal that the column has a value for is brought to its unit, for statistics.
            if one.op == "literal" and other.op == "column" and other.type.sort != "date":
                per_unit = said.NANOSECONDS[other.type.unit]
                number = said.time_number(one)
                if number % per_unit == 0 and abs(number // per_unit) < 1 << 63:
                    made = pl.lit(number // per_unit, dtype=pl.Int64)
                    made = Said(made.cast(said.dtype_of(other.type)))
                    return (left, made) if one is b else (made, right)
        return tuple(Said(said.nanoseconds_of(part.value, node.type), part.error)
                     for part, node in ((left, a), (right, b)))

    def say_between(self, node):
        operand, low, high = node.children
        both = logic("and", compare(">=", operand, low), compare("<=", operand, high))
        return self.negated(node, self.say(both))

    def say_in(self, node):
        operand, *items = node.children
        if len(items) == 1:
            return self.negated(node, self.say(compare("=", operand, items[0])))
        any_of = logic("or", *(compare("=", operand, item) for item in items))
        return self.negated(node, self.say(any_of))

    def say_is_null(self, node):
        part = self.say(node.children[0])
        value = part.value.is_not_null() if node.value else part.value.is_null()
        return _settled(value, part)

    def say_like(self, node):
        text, pattern, *escape = node.children
        if pattern.op != "literal":
            raise CannotSay("a pattern for each row")
        escaped = said.quoted(escape[0].value) if escape else ""
        part = self.say(text)
        made = said.pattern(said.quoted(pattern.value), escaped or None)
        return self.negated(node, _settled(part.value.cast(pl.String).str.contains(made), part))

    # Values.

    def say_calculation(self, node):
        return polars_values.calculation(self, node)

    def say_negate(self, node):
        return polars_values.keeping(self, node, lambda value: pl.lit(0, dtype=pl.Int8) - value)

    def say_cast(self, node):
        return polars_values.cast(self, node)

    def say_case(self, node):
        has_operand, has_else = node.value
        parts = list(node.children)
        operand = parts.pop(0) if has_operand else None
        dtype = _branch_dtype(node.type)
        last = self.branch(parts.pop(), node.type) if has_else else Said(pl.lit(None, dtype=dtype))
        value, error = last.value, _error(last)
        for when, then in reversed(list(zip(parts[::2], parts[1::2]))):
            condition = self.truth(compare("=", operand, when) if operand else when)
            branch = self.branch(then, node.type)
            value = pl.when(condition.value).then(branch.value).otherwise(value)
            error = (pl.when(_error(condition)).then(True).when(condition.value)
                     .then(_error(branch)).otherwise(error))
        return Said(value, error)

    def branch(self, node, kind):
        part = self.say(node)
        if node.type == kind:
            return part
        if kind and kind.sort in ("timestamp", "instant") and node.type:
            return polars_values.moment_cast(part, node.type, kind)
        return Said(part.value.cast(_branch_dtype(kind)), part.error)

    def say_coalesce(self, node):
        if node.type is None:
            return self.say_null(node)
        parts = [self.branch(child, node.type) for child in node.children]
        value = pl.coalesce([part.value for part in parts])
        error = pl.lit(False)
        for part in reversed(parts):
            error = (pl.when(_error(part)).then(True).when(part.value.is_not_null()).then(False)
                     .otherwise(error))
        return Said(value, error)

    def say_call(self, node):
        return getattr(self, "say_" + node.value)(node)

    def say_is_nan(self, node):
        part = self.say(node.children[0])
        return _settled(part.value.is_nan(), part)

    def say_starts_with(self, node):
        text, prefix = (self.say(child) for child in node.children)
        return _settled(text.value.cast(pl.String).str.starts_with(prefix.value.cast(pl.String)),
                        text, prefix)

    def say_abs(self, node):
        return polars_values.keeping(self, node, lambda value: value.abs())

    def say_length(self, node):
        part = self.say(node.children[0])
        return said.strict(part.value.cast(pl.String).str.len_chars().cast(pl.Int64), part)

    def say_lower(self, node):
        part = self.say(node.children[0])
        return said.strict(part.value.cast(pl.String).str.to_lowercase(), part)

    def say_upper(self, node):
        part = self.say(node.children[0])
        return said.strict(part.value.cast(pl.String).str.to_uppercase(), part)

    def say_substr(self, node):
        text, *counts = node.children
        numbers = [int(count.value) for count in counts]
        if numbers[0] < 1 or numbers[-1] < 0:
            raise CannotSay("places counted from the end")
        part = self.say(text)
        length = numbers[1] if len(numbers) > 1 else None
        return said.strict(part.value.cast(pl.String).str.slice(numbers[0] - 1, length), part)

    def say_year(self, node):
        part = self.say(node.children[0])
        if node.children[0].type is None:
            return Said(pl.lit(None, dtype=pl.Int64))
        return said.strict(getattr(part.value.dt, node.value)().cast(pl.Int64), part)

    say_month = say_day = say_year

    def say_date_trunc(self, node):
        unit, source = node.children
        if source.type is None:
            return Said(pl.lit(None, dtype=said.dtype_of(node.type)))
        part = self.say(source)
        value = part.value.cast(pl.Datetime("us")) if source.type == types.DATE else part.value
        return said.strict(value.dt.truncate(_TRUNCATED[said.quoted(unit.value)]), part)


def _error(part):
    return pl.lit(False) if part.error is None else part.error


def _settled(value, *parts):
    """A boolean, which is FALSE where it is an error."""
    error = either(*(part.error for part in parts))
    return Said(value if error is None else pl.when(error).then(False).otherwise(value), error)


def _branch_dtype(kind):
    if kind is None:
        return pl.Null
    if kind.sort == "interval":
        raise CannotSay("intervals")
    if kind.is_decimal:
        return said.decimal_dtype(kind)
    return said.dtype_of(kind)


class PolarsOpinion:
    name = "polars"

    def __init__(self, path, columns):
        self._file = pl.scan_parquet(path, hive_partitioning=False, glob=False)
        self._path = path
        self._rows = None
        self._tops = sorted({column.path[0] for column in columns})
        dtypes = dict(self._file.collect_schema())
        self._has_positions = "row" in dtypes
        self.lacks = {c.path for c in columns if _dtype(dtypes, c.path) != said.dtype_of(c.type)}

    def ask(self, tree):
        """By the file; where there may be errors, row by row."""
        if tree.columns() & self.lacks:
            return Answer("none", text="a column that it has another type for")
        try:
            part = Speaker().say(tree)
        except CannotSay as reason:
            return Answer("none", text=str(reason))
        if part.error is not None:
            careful = self.carefully(tree)
            if isinstance(careful, Answer):
                return careful
            trues, errors = careful
            return Answer("error") if errors else Answer("rows", trues)
        file = self._file if self._has_positions else pl.scan_parquet(
            self._path, hive_partitioning=False, glob=False, row_index_name="row")
        try:
            found = file.filter(part.value.cast(pl.Boolean)).select("row").collect()
        except _ERRORS as error:
            return Answer("refused", text=f"{type(error).__name__}: {error}")
        return Answer("rows", tuple(found["row"].to_list()))

    def load(self):
        """Reads the columns into memory, where they are not there yet."""
        if self._rows is None:
            self._rows = self._file.select(self._tops).collect()

    def carefully(self, tree):
        """(rows for which the predicate is true, rows for which it is an error) in memory; an
        Answer that is refused, where that cannot be had."""
        self.load()
        part = Speaker().say(tree)
        try:
            found = self._rows.select(value=part.value, error=_error(part)).to_dict(as_series=False)
        except _ERRORS as error:
            return Answer("refused", text=f"{type(error).__name__}: {error}")
        if len(found["value"]) == 1:  # Without columns, or of one row.
            found = {name: values * self._rows.height for name, values in found.items()}
        return (tuple(i for i, value in enumerate(found["value"]) if value),
                tuple(i for i, error in enumerate(found["error"]) if error))


def _dtype(dtypes, path):
    dtype = dtypes.get(path[0])
    for name in path[1:]:
        dtype = next(field.dtype for field in dtype.fields if field.name == name)
    return dtype
