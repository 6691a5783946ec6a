"""Predicates as expressions of Polars, with law 6 carried along: a value and where it is an error.

Polars wraps integers that overflow, and makes NULL of a division by zero: integers are calculated
with 128 bits, and what leaves the range of our type is an error. What cannot be said so exactly is
not said (CannotSay)."""

import dataclasses
import datetime
import decimal
import re

import polars as pl


class CannotSay(Exception):
    """There is no expression that means the same."""


@dataclasses.dataclass(frozen=True)
class Said:
    value: pl.Expr
    error: pl.Expr | None = None  # True where the value is an error; never null.


def either(*errors):
    known = [error for error in errors if error is not None]
    result = known[0] if known else None
    for error in known[1:]:
        result = result | error
    return result


_DTYPES = {"boolean": pl.Boolean, "string": pl.String, "binary": pl.Binary, "uuid": pl.Binary,
           "date": pl.Date, "float16": pl.Float16, "float": pl.Float32, "double": pl.Float64,
           "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64,
           "uint8": pl.UInt8, "uint16": pl.UInt16, "uint32": pl.UInt32, "uint64": pl.UInt64}
NANOSECONDS = {"ns": 1, "us": 1_000, "ms": 1_000_000}
DAY = 86_400 * 10 ** 9
MOST_DIGITS = 38


def dtype_of(kind):
    """Of a column of the type."""
    if kind.is_decimal:
        return pl.Decimal(kind.precision, kind.scale)
    if kind.sort == "time":
        return pl.Time
    if kind.sort in ("timestamp", "instant"):
        return pl.Datetime(kind.unit, "UTC" if kind.sort == "instant" else None)
    return _DTYPES[kind.name]


def wide(number):
    """An integer of any size that a literal has."""
    return pl.lit(str(number)).cast(pl.Int128)


def strict(value, *parts):
    """A value that is an error where one of its operands is one."""
    return Said(value, either(*(part.error for part in parts)))


def decimal_dtype(kind):
    """With room for what calculations and comparisons need."""
    if kind.precision > MOST_DIGITS:
        raise CannotSay("more than 38 digits")
    return pl.Decimal(MOST_DIGITS, kind.scale)


def nanoseconds_of(value, kind):
    """Of a value of a time-like type, in 128 bits."""
    per_unit = DAY if kind.sort == "date" else 1 if kind.sort == "time" else NANOSECONDS[kind.unit]
    return value.to_physical().cast(pl.Int128) * per_unit


# Literals.

def _moment(text):
    """Nanoseconds since 1970 of what is written in a timestamp."""
    found = re.fullmatch(r"(\d+)-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?"
                         r"(Z|[+-]\d\d(?::?\d\d)?)?", text)
    if not found:
        raise CannotSay("a moment that is written otherwise")
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    if not 1 <= year <= 9999:
        raise CannotSay("years that Python has no dates of")
    days = datetime.date(year, month, day).toordinal() - datetime.date(1970, 1, 1).toordinal()
    fraction = int((found[7] or "").ljust(9, "0")[:9])
    zone = (found[8] or "Z").replace(":", "")
    offset = 0 if zone == "Z" else int(zone[1:3]) * 60 + int(zone[3:5] or 0)
    minutes = hour * 60 + minute + (offset if zone[0] == "-" else -offset)
    return days * DAY + (minutes * 60 + second) * 10 ** 9 + fraction


def quoted(text):
    return text[text.index("'") + 1:-1].replace("''", "'")


def time_number(node):
    """A literal of a time-like type as nanoseconds."""
    if node.type.sort == "time":
        return _moment("1970-01-01 " + quoted(node.value))
    return _moment(quoted(node.value))


def literal(node):
    kind, text = node.type, node.value
    if text.startswith("'") and kind.sort != "text":
        raise CannotSay("a string beside another type")
    if kind.sort == "boolean":
        return pl.lit(text == "TRUE")
    if kind.sort == "text":
        return pl.lit(quoted(text))
    if kind.sort == "binary":
        return pl.lit(bytes.fromhex(quoted(text)))
    if kind.sort == "uuid":
        return pl.lit(bytes.fromhex(quoted(text).replace("-", "")))
    if kind.sort == "number":
        if kind.is_integer:
            return pl.lit(int(text), dtype=_DTYPES[kind.name])
        if kind.is_decimal:
            return _as_decimal(decimal.Decimal(text), kind)
        return pl.lit(float(text))
    if kind.sort == "interval":
        raise CannotSay("intervals that are calculated")
    number = time_number(node)
    if kind.sort == "date":
        return pl.lit(number // DAY, dtype=pl.Int32).cast(pl.Date)
    per_unit = NANOSECONDS["ns" if kind.sort == "time" else kind.unit]
    if not -(1 << 63) <= number // per_unit < 1 << 63:
        raise CannotSay("a moment out of its range")
    return pl.lit(number // per_unit, dtype=pl.Int64).cast(dtype_of(kind))


def _as_decimal(number, kind):
    if kind.precision > MOST_DIGITS:
        raise CannotSay("more than 38 digits")
    return pl.lit(format(number, "f")).cast(pl.Decimal(kind.precision, kind.scale))


# Intervals.

_UNITS = {"day": (0, 1, 0), "days": (0, 1, 0), "month": (1, 0, 0), "months": (1, 0, 0),
          "year": (12, 0, 0), "century": (1200, 0, 0), "weeks": (0, 7, 0),
          "hours": (0, 0, 3600 * 10 ** 9), "minutes": (0, 0, 60 * 10 ** 9), "ms": (0, 0, 10 ** 6),
          "microseconds": (0, 0, 1000)}


def interval(node):
    """(months, days, nanoseconds)"""
    sums = [0, 0, 0]
    text = quoted(node.value)
    for count, unit in re.findall(r"(-?\d+) ([a-z]+)", text):
        sums = [total + int(count) * each for total, each in zip(sums, _UNITS[unit])]
    if found := re.search(r"(-?)(\d\d):(\d\d):(\d\d)(?:\.(\d+))?", text):
        clock = ((int(found[2]) * 60 + int(found[3])) * 60 + int(found[4])) * 10 ** 9
        clock += int((found[5] or "").ljust(9, "0"))
        sums[2] += -clock if found[1] else clock
    return sums


# Patterns of LIKE.

def pattern(text, escape):
    """A regular expression; CannotSay where the pattern is refused."""
    parts = []
    characters = iter(text)
    for character in characters:
        if character == escape:
            escaped = next(characters, None)
            if escaped is None:
                raise CannotSay("ends with the escape character")
            parts.append(_plain(escaped))
        else:
            parts.append({"%": ".*", "_": "."}.get(character) or _plain(character))
    return rf"(?s)\A{''.join(parts)}\z"


def _plain(character):
    return rf"\x{{{ord(character):x}}}"
