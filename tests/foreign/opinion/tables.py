"""Random tables of every kind of column, in and out of order, with values that break things."""

import decimal
import math
import struct
import uuid

import pyarrow as pa

STRINGS = ["", "a", "b", "ab", "abc", "aab", "twelve bytes", "thirteen char", "é", "É", "ß", "ſ",
           "日本語", "\U0001f600", "σΣς", "x" * 300, "x" * 299 + "y", "zz", "Zz", "%", "_", "a%b",
           "a_b", "\\", "it's", '"q"', "\n", "true", " 12 ", "-7", "1.5", "2020-02-29", "12:30:00"]
READABLE = ["0", "1", "-1", "12", "300", " 7 ", "1.5", "-2.5", "1e3", "nan", "inf", "true", "f", "x",
            "2020-02-29", "2019-05-06 12:30:00", "12:30:00", "99999999999999999999",
            "47183823-2574-4bfd-b411-99ed177d3e43", ""]
FLOATS = [0.0, -0.0, 1.0, 1.5, -2.25, 1e30, -1e-30, math.inf, -math.inf, math.nan, 0.1, 123456.789,
          16777217.0, 2.5, 3.5, -0.5, 127.0, 300.0, 9.007199254740993e15, 1e19]
HALVES = [0.0, -0.0, 1.0, 1.5, -2.25, math.inf, -math.inf, math.nan, 65504.0, 0.099976]
# Wide enough for every decimal below: even a minus sign rounds to the context.
decimal.getcontext().prec = 60
_DAY = 86_400


def _nan_with_payload():
    return struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000123))[0]


def _integers(bits, is_signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    small = [-3, -1] if is_signed else [2, 3]
    return [low, low + 1, 0, 1, 2, 5, 7, 100, 127, high - 1, high, *small]


def _decimals(precision, scale):
    unit = decimal.Decimal(1).scaleb(-scale)
    top = decimal.Decimal(10 ** precision - 1).scaleb(-scale)
    return [decimal.Decimal(0), unit, -unit, unit * 5, unit * 15, -unit * 25, top, -top, top - unit]


def _days(random):
    return [0, -1, 18_321, 18_352, 20_088, -141_716, 2_932_896, -719_162,
            *(random.randrange(-20_000, 25_000) for _ in range(6))]


def _moments(random, per_second):
    days = [0, -1, 18_321, 18_352, 20_088] if per_second == 10 ** 9 else _days(random)
    values = []
    for day in days:
        clock = random.randrange(_DAY) // random.choice((1, 3_600, _DAY))
        clock *= random.choice((1, 3_600))
        fraction = random.choice((0, 0, random.randrange(per_second)))
        values.append((day * _DAY + clock % _DAY) * per_second + fraction)
    return values


def _clocks(random, per_second):
    return [0, _DAY * per_second - 1, 45_000 * per_second,
            *(random.randrange(_DAY * per_second) for _ in range(4))]


def _kinds(random):
    """By name: the Arrow type and the values to draw from, time-like ones as integers."""
    per_second = {"ms": 10 ** 3, "us": 10 ** 6, "ns": 10 ** 9}
    kinds = {"flag": (pa.bool_(), [True, False]), "text": (pa.string(), STRINGS),
             "readable": (pa.string(), READABLE),
             "name": (pa.string(), [f"name {i:03d}" for i in range(40)]),
             "bytes": (pa.binary(), [b"", b"a", b"ab", b"\x00\xff", b"\x80" * 20, b"\xff" * 3]),
             "fixed": (pa.binary(5), [b"abcde", b"\x00" * 5, b"\xff" * 5, b"abcdf"]),
             "id": (pa.uuid(), [uuid.UUID(int=i).bytes for i in (0, 1, 1 << 127, (1 << 128) - 1)] +
                    [uuid.UUID("47183823-2574-4bfd-b411-99ed177d3e43").bytes]),
             "f16": (pa.float16(), HALVES), "f32": (pa.float32(), FLOATS),
             "f64": (pa.float64(), FLOATS + [_nan_with_payload()]),
             "day": (pa.date32(), _days(random))}
    for bits in (8, 16, 32, 64):
        kinds[f"i{bits}"] = (getattr(pa, f"int{bits}")(), _integers(bits, True))
        kinds[f"u{bits}"] = (getattr(pa, f"uint{bits}")(), _integers(bits, False))
    for precision, scale in ((4, 1), (9, 2), (18, 4), (38, 10)):
        kinds[f"d{precision}"] = (pa.decimal128(precision, scale), _decimals(precision, scale))
    for unit, ticks in per_second.items():
        kinds[f"ts_{unit}"] = (pa.timestamp(unit), _moments(random, ticks))
        kinds[f"tz_{unit}"] = (pa.timestamp(unit, "UTC"), _moments(random, ticks))
        wide = pa.time32 if unit == "ms" else pa.time64
        kinds[f"time_{unit}"] = (wide(unit), _clocks(random, ticks))
    return kinds


def _sort_key(value):
    if isinstance(value, float):
        return (2, 0) if math.isnan(value) else (1, value)
    return (1, value)


def _pick(random, pool, rows):
    """Values of the pool: at random, in stretches, in order, nearly in order, or all the same."""
    way = random.choice(("random", "runs", "sorted", "sorted", "near", "same"))
    if way == "same":
        return [random.choice(pool)] * rows
    if way == "runs":
        values = []
        while len(values) < rows:
            values += [random.choice(pool)] * random.randrange(1, 120)
        return values[:rows]
    values = [random.choice(pool) for _ in range(rows)]
    if way in ("sorted", "near"):
        values.sort(key=_sort_key, reverse=random.random() < 0.3)
    if way == "near":
        for _ in range(max(1, rows // 50)):
            a, b = random.randrange(rows), random.randrange(rows)
            values[a], values[b] = values[b], values[a]
    return values


def _with_nulls(random, values):
    share = random.choice((0, 0, 0.03, 0.3, 0.9, 1 if random.random() < 0.3 else 0.1))
    if random.random() < 0.3:  # In stretches, so that there are pages of nulls only.
        begin = random.randrange(len(values))
        end = begin + int(share * len(values))
        return [None if begin <= i < end else value for i, value in enumerate(values)]
    return [None if random.random() < share else value for value in values]


def _array(kind, values):
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        return pa.array(values, pa.int32()).cast(kind)
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        return pa.array(values, pa.int64()).cast(kind)
    if kind == pa.uuid():
        return pa.ExtensionArray.from_storage(kind, pa.array(values, pa.binary(16)))
    return pa.array(values, kind)


def _ending(random):
    """What a name has that must be quoted, mostly nothing."""
    return random.choice((".x", " b", '"q', "é", "'")) if random.random() < 0.15 else ""


def make(random, without=()):
    """A table with a column `row` of row numbers from 0, and columns of some of the kinds."""
    rows = random.choice((1, 50, 500, 1500, 3000))
    kinds = {name: kind for name, kind in _kinds(random).items() if name not in without}
    names = sorted(random.sample(sorted(kinds), min(len(kinds), random.randrange(8, 18))))
    columns = {"row": pa.array(range(rows), pa.int64())}
    for name in names:
        kind, pool = kinds[name]
        columns[name + _ending(random)] = _array(kind, _with_nulls(random, _pick(random, pool, rows)))
    # Fields of structs: some of the columns once more, below a struct that is null at times.
    inner = [name for name in names if kinds[name][0] != pa.uuid()][:2]
    if inner and random.random() < 0.6:
        picked = {}
        for name in inner:
            kind, pool = kinds[name]
            picked[name] = _array(kind, _with_nulls(random, _pick(random, pool, rows)))
        mask = pa.array([random.random() < 0.1 for _ in range(rows)])
        fields = [pa.field(name, array.type) for name, array in picked.items()]
        columns["outer"] = pa.StructArray.from_arrays(list(picked.values()), fields=fields,
                                                      mask=mask)
    return pa.table(columns)
