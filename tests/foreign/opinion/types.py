"""Types, as `sluice inspect` names them, and what engine/bound/type_rules.h makes of two."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Type:
    """`sort` says what goes together; the rest tells types of one sort apart."""

    sort: str  # boolean number text binary uuid date time timestamp instant interval
    name: str  # int8 .. uint64, float16, float, double, decimal; else as the sort
    bits: int = 0
    is_signed: bool = True
    precision: int = 0
    scale: int = 0
    unit: str = ""

    @property
    def is_integer(self):
        return self.sort == "number" and self.bits > 0 and not self.is_floating

    @property
    def is_floating(self):
        return self.name in ("float16", "float", "double")

    @property
    def is_decimal(self):
        return self.name == "decimal"

    @property
    def least(self):
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def greatest(self):
        return (1 << (self.bits - (1 if self.is_signed else 0))) - 1


def integer(bits, is_signed=True):
    return Type("number", f"{'' if is_signed else 'u'}int{bits}", bits=bits, is_signed=is_signed)


def decimal(precision, scale):
    return Type("number", "decimal", precision=precision, scale=scale)


def timestamp(unit, is_instant=False):
    return Type("instant" if is_instant else "timestamp", "timestamp", unit=unit)


def time(unit):
    return Type("time", "time", unit=unit)


BOOLEAN = Type("boolean", "boolean")
TEXT = Type("text", "string")
BINARY = Type("binary", "binary")
UUID = Type("uuid", "uuid")
DATE = Type("date", "date")
INTERVAL = Type("interval", "interval")
FLOAT16 = Type("number", "float16", bits=16)
FLOAT = Type("number", "float", bits=32)
DOUBLE = Type("number", "double", bits=64)
INT32 = integer(32)
INT64 = integer(64)

_NAMED = {"boolean": BOOLEAN, "string": TEXT, "enum": TEXT, "json": TEXT, "binary": BINARY,
          "uuid": UUID, "date": DATE, "float16": FLOAT16, "float": FLOAT, "double": DOUBLE,
          "int96": timestamp("ns")}
_NAMED |= {t.name: t for bits in (8, 16, 32, 64) for t in (integer(bits), integer(bits, False))}


def of_name(text):
    """The type that `sluice inspect` says a column is delivered as; None where predicates over it
    are not drawn: nested ones and those that no other engine knows."""
    if text in _NAMED:
        return _NAMED[text]
    if text.startswith("fixed_binary("):
        return BINARY
    if found := re.fullmatch(r"decimal\((\d+), (\d+)\)", text):
        return decimal(int(found[1]), int(found[2]))
    if found := re.fullmatch(r"timestamp\((ms|us|ns)(, utc)?\)", text):
        return timestamp(found[1], found[2] is not None)
    if found := re.fullmatch(r"time\((ms|us|ns)\)", text):
        return time(found[1])
    return None


def of_cast(name):
    """The type that a name in CAST means; only names that are drawn."""
    integers = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}
    if name in integers:
        return integer(integers[name])
    if name[1:] in integers and name[0] == "U":
        return integer(integers[name[1:]], False)
    if found := re.fullmatch(r"DECIMAL\((\d+), (\d+)\)", name):
        return decimal(int(found[1]), int(found[2]))
    return {"BOOLEAN": BOOLEAN, "FLOAT": FLOAT, "DOUBLE": DOUBLE, "VARCHAR": TEXT, "BLOB": BINARY,
            "UUID": UUID, "DATE": DATE, "TIME": time("us"), "TIMESTAMP": timestamp("us"),
            "TIMESTAMP_MS": timestamp("ms"), "TIMESTAMP_NS": timestamp("ns"),
            "TIMESTAMPTZ": timestamp("us", True)}[name]


def as_decimal(kind):
    """For an integer type, the decimal without fraction that holds each of its values."""
    if not kind.is_integer:
        return kind
    return decimal({8: 3, 16: 5, 32: 10, 64: 19 if kind.is_signed else 20}[kind.bits], 0)


def _common_number(a, b):
    if a.is_integer and b.is_integer:
        if a.is_signed == b.is_signed:
            return a if a.bits >= b.bits else b
        plain, signed = (b, a) if a.is_signed else (a, b)
        return decimal(20, 0) if plain.bits == 64 else integer(max(plain.bits * 2, signed.bits))
    if "double" in (a.name, b.name):
        return DOUBLE
    if a.is_floating or b.is_floating:
        return FLOAT
    a, b = (as_decimal(kind) for kind in (a, b))
    scale = max(a.scale, b.scale)
    return decimal(max(a.precision - a.scale, b.precision - b.scale) + scale, scale)


_UNITS = ("ms", "us", "ns")


def common(a, b):
    """The type that values of two types of sorts that go together meet in."""
    if a is None or a == b:
        return b if b != FLOAT16 else FLOAT
    if b is None:
        return a
    if a.sort == "number":
        return _common_number(a, b)
    if "date" in (a.sort, b.sort):
        other = b if a.sort == "date" else a
        return timestamp("us" if other.unit == "ms" else other.unit)
    if a.unit:
        return dataclasses.replace(a, unit=max(a.unit, b.unit, key=_UNITS.index))
    return a
