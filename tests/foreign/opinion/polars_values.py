"""Calculations and casts of Polars, by the rules of engine/bind/arithmetic.cc."""

import polars as pl

from opinion import polars_expressions as said
from opinion import types
from opinion.polars_expressions import CannotSay, Said, either

_RANGE_OF_DAYS = types.INT32
_MOMENTS = ("date", "timestamp", "instant")


def _fitted(wide, kind, *parts):
    """A number of 128 bits as a value of an integer type, an error out of its range."""
    outside = ((wide < kind.least) | (wide > kind.greatest)).fill_null(False)
    value = pl.when(outside).then(0).otherwise(wide).cast(said.dtype_of(kind))
    return Said(value, either(outside, *(part.error for part in parts)))


def _wide(part):
    """An operand that is an error counts as 1, which no calculation fails for."""
    value = part.value.cast(pl.Int128)
    return value if part.error is None else pl.when(part.error).then(1).otherwise(value)


def calculation(speaker, node):
    a, b = node.children
    sorts = {child.type.sort for child in (a, b) if child.type}
    if "interval" in sorts:
        return _moved(speaker, node, *((b, a) if a.type and a.type.sort == "interval" else (a, b)))
    if "date" in sorts:
        return _days(speaker, node)
    if a.type is None and b.type is None:
        return Said(pl.lit(None, dtype=pl.Int64))
    left, right = speaker.say(a), speaker.say(b)
    if node.op == "/":
        return _division(node, left, right)
    if node.type.is_integer:
        return _integers(node, left, right)
    if node.type.is_decimal or any(c.type and c.type.is_decimal for c in (a, b)) or node.op == "%":
        raise CannotSay("decimals, and remainders of floating-point numbers")
    dtype = said.dtype_of(node.type)
    left, right = (said.strict(part.value.cast(dtype), part) for part in (left, right))
    value = {"+": left.value + right.value, "-": left.value - right.value,
             "*": left.value * right.value}[node.op]
    return said.strict(value, left, right)


def _integers(node, left, right):
    a, b = _wide(left), _wide(right)
    if node.op != "%":
        value = {"+": a + b, "-": a - b, "*": a * b}[node.op]
        return _fitted(value, node.type, left, right)
    is_zero = ((b == 0) & a.is_not_null()).fill_null(False)
    divisor = pl.when(b == 0).then(1).otherwise(b)
    # Its sign is that of the dividend.
    value = (a.abs() % divisor.abs()) * a.sign()
    result = _fitted(value, node.type, left, right)
    return Said(result.value, either(is_zero, result.error))


def _division(node, left, right):
    if any(child.type and child.type.is_decimal for child in node.children):
        raise CannotSay("the nearest floating-point number of a decimal")
    dtype = said.dtype_of(node.type)
    a, b = left.value.cast(dtype), right.value.cast(dtype)
    is_zero = ((b == 0) & a.is_not_null()).fill_null(False)
    return Said(a / b, either(is_zero, left.error, right.error))


def keeping(speaker, node, change):
    """A minus or abs: the type stays, and its least value has no opposite."""
    operand = node.children[0]
    part = speaker.say(operand)
    if operand.type is None:
        return Said(pl.lit(None, dtype=pl.Int64))
    if operand.type.is_decimal or operand.type.sort != "number":
        raise CannotSay("decimals and intervals")
    if node.type.is_integer:
        return _fitted(change(_wide(part)), node.type, part)
    return said.strict(change(part.value.cast(said.dtype_of(node.type))), part)


def _days(speaker, node):
    """Dates and numbers of days."""
    a, b = node.children
    if a.type is None or b.type is None:
        return Said(pl.lit(None, dtype=said.dtype_of(node.type)))
    left, right = speaker.say(a), speaker.say(b)

    def number(part, child):
        value = part.value.to_physical() if child.type.sort == "date" else part.value
        return _wide(Said(value, part.error))
    first, second = number(left, a), number(right, b)
    value = first + second if node.op == "+" else first - second
    if node.type.is_integer:
        return _fitted(value, node.type, left, right)
    days = _fitted(value, _RANGE_OF_DAYS, left, right)
    return Said(days.value.cast(pl.Date), days.error)


def _moved(speaker, node, source, interval):
    """A date or timestamp and an interval: months, then days, then the rest."""
    if source.type is None or interval.op != "literal":
        raise CannotSay("intervals that are calculated")
    part = speaker.say(source)
    sign = -1 if node.op == "-" else 1
    months, days, nanoseconds = (sign * count for count in said.interval(interval))
    unit = node.type.unit
    if unit != "ns" and nanoseconds % 1000:
        raise CannotSay("fractions of the unit")
    zone = "UTC" if node.type.sort == "instant" else None
    value = part.value.cast(pl.Datetime(unit, zone))
    rest = f"{nanoseconds}ns" if unit == "ns" else f"{nanoseconds // 1000}us"
    for step in (f"{months}mo", f"{days}d", rest):
        value = value.dt.offset_by(step)
    return said.strict(value, part)


def cast(speaker, node):
    operand = node.children[0]
    source, target = operand.type, node.type
    dtype = said.dtype_of(target) if not target.is_decimal else said.decimal_dtype(target)
    if source is None:
        return Said(pl.lit(None, dtype=dtype))
    part = speaker.say(operand)
    if source == target:
        return part
    if operand.op == "literal" and source.sort == "text" and target.is_floating:
        word = said.quoted(operand.value)
        if word in ("nan", "inf", "-inf", "infinity", "-infinity"):
            return Said(pl.lit(float(word)).cast(dtype))
    pair = (source.sort, target.sort)
    if pair == ("number", "number"):
        return _number_cast(part, source, target)
    if pair == ("boolean", "number") and not target.is_decimal:
        return said.strict(part.value.cast(dtype), part)
    if pair == ("number", "boolean") and not source.is_decimal:
        return said.strict(part.value != 0, part)
    if source.sort in _MOMENTS and target.sort in ("timestamp", "instant"):
        return moment_cast(part, source, target)
    if pair in (("timestamp", "date"), ("instant", "date")):
        return said.strict(part.value.dt.date(), part)
    if target.sort == "text":
        return _text_cast(part, source)
    if pair in (("text", "text"), ("binary", "binary")):
        return said.strict(part.value.cast(dtype), part)
    raise CannotSay("casts of text, times and decimals")


def moment_cast(part, source, target):
    """Down to the unit, in the zone UTC; an error out of its range."""
    units = said.nanoseconds_of(part.value, source) // said.NANOSECONDS[target.unit]
    number = _fitted(units, types.INT64, part)
    return Said(number.value.cast(said.dtype_of(target)), number.error)


def _number_cast(part, source, target):
    if source.is_decimal or target.is_decimal:
        raise CannotSay("casts of text, times and decimals")
    if target.is_integer and source.is_integer:
        return _fitted(_wide(part), target, part)
    if target.is_integer:
        number = part.value.cast(pl.Float64)
        rounded = number.round(0, mode="half_to_even")
        # 2^63 and 2^64 are floating-point numbers, one less is none.
        outside = ((rounded < target.least) | (rounded >= float(target.greatest + 1)) |
                   rounded.is_nan()).fill_null(False)
        value = pl.when(outside).then(0.0).otherwise(rounded).cast(said.dtype_of(target))
        return Said(value, either(outside, part.error))
    value = part.value.cast(said.dtype_of(target))
    if source.name == "double" and target.name == "float":
        finite = part.value.is_finite()
        return Said(value, either((finite & value.is_infinite()).fill_null(False), part.error))
    return said.strict(value, part)


def _text_cast(part, source):
    if source.sort == "boolean":
        value = pl.when(part.value).then(pl.lit("true")).when(~part.value).then(pl.lit("false"))
        return said.strict(value.otherwise(None), part)
    if source.sort == "date":
        return said.strict(part.value.dt.to_string("%Y-%m-%d"), part)
    if source.is_integer:
        return said.strict(part.value.cast(pl.String), part)
    raise CannotSay("casts of text, times and decimals")
