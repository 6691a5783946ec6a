"""Literals of each sort: values of a column, values near them, and those that break things."""

import datetime
import decimal

from opinion import types
from opinion.nodes import Node, quoted_text

NUMBERS = [
    "0", "1", "-1", "2", "5", "-3", "10", "100", "127", "128", "-128", "-129", "255", "256", "300",
    "32767", "32768", "65535", "65536", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "16777217", "9007199254740993", "1.5", "-1.5", "0.5", "0.1", "-0.0", ".25", "99.99", "1.55",
    "999.95", "0.00000001", "12345678901234567890.12", "1e0", "1.5e0", "-2e0", "1e-1", "3e9",
    "1e19", "9.007199254740993e15", "1e38", "-1e39", "1e308", "5e-324", "65504", "65520", "2.5",
    "-0.5", "0.05"]
TEXTS = ["", "a", "b", "ab", "abc", "aab", "A", "Zz", "é", "É", "ß", "İ", "ſ", "σΣς", "日本語",
         "\U0001f600", "%", "_", "a%b", "a_b", "\\", "!", "it's", '"q"', "\n", "true", " 12 ", "-7",
         "1.5", "2020-02-29", "12:30:00"]
PATTERN_PARTS = ["%", "%", "_", "a", "b", "ab", "é", "\\", "!", "%a", "Σ", "%%", "z", "name", "0"]
ESCAPES = ["\\", "!", "a", "%", "_", "", "é"]
BYTES = ["", "61", "6162", "ffffff", "01", "616161", "00", "00ff"]
UUIDS = ["47183823-2574-4bfd-b411-99ed177d3e43", "00000000-0000-0000-0000-000000000000",
         "ffffffff-ffff-ffff-ffff-ffffffffffff", "80000000-0000-0000-0000-000000000000"]
DATES = ["1970-01-01", "1969-12-31", "2020-02-29", "2020-03-31", "2024-12-31", "0001-01-01",
         "1582-10-10", "9999-12-31", "2019-05-06"]
CLOCKS = ["00:00:00", "12:30", "23:59:59.999999", "00:00:00.001", "06:07:08.123456",
          "01:02:03.5000"]
ZONES = ["Z", "+02", "-05:30", "+0530"]
INTERVALS = ["1 day", "1 month", "-1 month", "13 months -1 day", "1 year 2 days", "04:05:06.7",
             "100 microseconds", "3 hours -30 minutes", "1 century", "-00:00:00.000001", "0 days",
             "2 weeks 1 ms"]


def typed_number(text):
    """A number by the rules of our literals."""
    if "e" in text:
        return Node("literal", types.DOUBLE, value=text)
    if "." in text:
        digits = text.lstrip("-").replace(".", "").lstrip("0")
        scale = len(text.split(".")[1])
        return Node("literal", types.decimal(max(len(digits), scale, 1), scale), value=text)
    number = int(text)
    for kind in (types.INT32, types.INT64):
        if kind.least <= number <= kind.greatest:
            return Node("literal", kind, value=text)
    return Node("literal", types.decimal(len(text.lstrip("-")), 0), value=text)


def word_of_float(word, name="DOUBLE"):
    """NaN and the infinities, which no number is written as."""
    text = Node("literal", types.TEXT, value=quoted_text(word))
    return Node("cast", types.of_cast(name), (text,), name)


def _number(random, value):
    if isinstance(value, float):
        text = repr(value)
        if "e" in text or random.random() < 0.5:
            return typed_number(text if "e" in text else text + "e0")
        return typed_number(text)
    text = str(value)
    if text in ("NaN", "Infinity", "-Infinity"):
        return word_of_float(text.lower(), random.choice(["DOUBLE", "FLOAT"]))
    if "e" in text:
        return typed_number(text)
    number = decimal.Decimal(text)
    if random.random() < 0.3:
        number += random.choice([1, -1, decimal.Decimal("0.5"), decimal.Decimal("0.001")])
    return typed_number(format(number, "f"))


def _moment(random, value):
    """A timestamp as canonical text, at times moved, and at times only its day."""
    text = value.rstrip("Z").replace("T", " ")
    if random.random() < 0.2:
        return text[:10]
    if random.random() < 0.2 and len(text) <= 26 and text[0].isdigit() and text[:4] > "0001":
        moment = datetime.datetime.fromisoformat(text)
        if moment.year < 9999:
            text = str(moment + datetime.timedelta(microseconds=random.choice([1, 1000, 10 ** 6])))
    return text


def of_value(random, kind, value):
    """A literal that the canonical `value` of a column of the type suggests."""
    if kind.sort == "number":
        return _number(random, value)
    if kind.sort == "boolean":
        return Node("literal", kind, value="TRUE" if value else "FALSE")
    if kind.sort == "binary":
        data = value["hex"]
        return Node("literal", types.BINARY, value=f"X'{data[:random.choice([2, 4, 1000, 1000])]}'")
    if kind.sort == "uuid":
        return Node("literal", kind, value=f"UUID '{value}'")
    if kind.sort == "date":
        return Node("literal", kind, value=f"DATE '{value}'")
    if kind.sort == "time":
        return Node("literal", _with_unit(kind, value), value=f"TIME '{value}'")
    if kind.sort == "timestamp":
        text = _moment(random, value)
        return Node("literal", _with_unit(kind, text), value=f"TIMESTAMP '{text}'")
    if kind.sort == "instant":
        text = _moment(random, value)
        return Node("literal", _with_unit(kind, text), value=f"TIMESTAMPTZ '{text}Z'"
                    if len(text) > 10 else f"TIMESTAMPTZ '{text} 00:00:00+00'")
    text = value[:random.choice([1, 3, 1000, 1000])]
    return Node("literal", types.TEXT, value=quoted_text(text))


def as_string(node):
    """The literal as a string, which beside a column becomes what that is."""
    text = node.value
    if node.type.sort in ("number", "boolean"):
        return Node("literal", node.type, value=quoted_text(text.lower()))
    if node.type.sort in ("text", "binary"):
        return node
    return Node("literal", node.type, value=text[text.index("'"):])


def _with_unit(kind, text):
    """Literals are of microseconds, and of nanoseconds where they say more."""
    fraction = text.partition(".")[2].rstrip("0")
    unit = "ns" if len(fraction) > 6 else "us"
    if kind.sort == "time":
        return types.time(unit)
    return types.timestamp(unit, kind.sort == "instant")


def of_sort(random, sort):
    """One of those that break things."""
    if sort == "number":
        if random.random() < 0.04:
            return word_of_float(random.choice(["nan", "inf", "-inf"]))
        return typed_number(random.choice(NUMBERS))
    if sort == "boolean":
        return Node("literal", types.BOOLEAN, value=random.choice(["TRUE", "FALSE"]))
    if sort == "binary":
        return Node("literal", types.BINARY, value=f"X'{random.choice(BYTES)}'")
    if sort == "uuid":
        return Node("literal", types.UUID, value=f"UUID '{random.choice(UUIDS)}'")
    if sort == "interval":
        return Node("literal", types.INTERVAL, value=f"INTERVAL '{random.choice(INTERVALS)}'")
    day, clock = random.choice(DATES), random.choice(CLOCKS)
    if sort == "date":
        return Node("literal", types.DATE, value=f"DATE '{day}'")
    if sort == "time":
        return Node("literal", types.time("us"), value=f"TIME '{clock}'")
    if sort == "timestamp":
        return Node("literal", types.timestamp("us"), value=f"TIMESTAMP '{day} {clock}'")
    if sort == "instant":
        zone = random.choice(ZONES)
        return Node("literal", types.timestamp("us", True),
                    value=f"TIMESTAMPTZ '{day} {clock}{zone}'")
    return Node("literal", types.TEXT, value=quoted_text(random.choice(TEXTS)))


def pattern(random):
    parts = [random.choice(PATTERN_PARTS) for _ in range(random.randrange(6))]
    return Node("literal", types.TEXT, value=quoted_text("".join(parts)))
