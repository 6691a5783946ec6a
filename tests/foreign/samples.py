"""Tables of every kind of column that the other readers know, with values that are apt to go wrong."""

import datetime
import decimal
import math
import random

import pyarrow as pa

ROWS = 2000
# Wide enough for every decimal below: even a minus sign rounds to the context.
decimal.getcontext().prec = 60


def _column(random_source, null_share, values):
    """ROWS picks out of `values`, some of them null, in stretches as well as one by one."""
    picked = []
    while len(picked) < ROWS:
        value = None if random_source.random() < null_share else random_source.choice(values)
        picked += [value] * (1 if random_source.random() < 0.7 else random_source.randrange(1, 40))
    return picked[:ROWS]


def _integers(bits, is_signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return [low, low + 1, 0, 1, 7, 100, high - 1, high]


FLOATS = [0.0, -0.0, 1.5, -2.25, 1e30, -1e-30, math.inf, -math.inf, math.nan, 0.1, 123456.789]
STRINGS = ["", "a", "twelve bytes", "thirteen char", "é", "日本語", "\U0001f600", "x" * 300, "zz", "az"]
EPOCH = datetime.datetime(1970, 1, 1)


def _moments():
    return [EPOCH, datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999000),
            datetime.datetime(2024, 2, 29, 12, 0, 0, 123000)]


def flat_table(null_share=0.2, seed=1):
    """One column of each flat type; none is null where `null_share` is 0."""
    source = random.Random(seed)
    columns = {}

    def add(name, kind, values):
        data = _column(source, null_share, values)
        field = pa.field(name, kind, nullable=null_share > 0)
        columns[name] = (field, pa.array(data, kind))

    add("flag", pa.bool_(), [True, False])
    for bits in (8, 16, 32, 64):
        add(f"i{bits}", getattr(pa, f"int{bits}")(), _integers(bits, True))
        add(f"u{bits}", getattr(pa, f"uint{bits}")(), _integers(bits, False))
    single = [pa.scalar(f, pa.float32()).as_py() for f in FLOATS]
    add("f32", pa.float32(), single)
    add("f64", pa.float64(), FLOATS)
    add("text", pa.string(), STRINGS)
    add("bytes", pa.binary(), [s.encode() for s in STRINGS] + [b"\x00\xff", b"\x80" * 20])
    add("fixed", pa.binary(5), [b"abcde", b"\x00" * 5, b"\xff" * 5])
    for precision, scale in ((9, 2), (18, 4), (38, 10)):
        unit = decimal.Decimal(1).scaleb(-scale)
        top = decimal.Decimal(10 ** precision - 1).scaleb(-scale)
        add(f"decimal{precision}", pa.decimal128(precision, scale),
            [decimal.Decimal(0), unit, -unit, top, -top])
    add("day", pa.date32(), [datetime.date(1970, 1, 1), datetime.date(1, 1, 1),
                             datetime.date(9999, 12, 31), datetime.date(1969, 12, 31)])
    add("ts_ms", pa.timestamp("ms"), _moments())
    add("ts_us", pa.timestamp("us"), _moments())
    add("ts_utc", pa.timestamp("us", tz="UTC"),
        [m.replace(tzinfo=datetime.timezone.utc) for m in _moments()])
    add("time_us", pa.time64("us"), [datetime.time(0), datetime.time(23, 59, 59, 999999)])
    fields, arrays = zip(*columns.values())
    return pa.Table.from_arrays(list(arrays), schema=pa.schema(fields))


def nested_table(seed=2):
    """Lists, structs and maps, null and empty at every level."""
    source = random.Random(seed)
    inner = [[], [1], [1, None, 3], None, [7] * 40]
    lists = _column(source, 0.2, inner)
    deep = _column(source, 0.2, [[], [[]], [[1, 2], None, []], [None], [[5] * 3]])
    structs = _column(source, 0.2, [{"a": 1, "b": "x"}, {"a": None, "b": None}, {"a": 3, "b": ""}])
    people = _column(source, 0.2, [
        [], [{"name": "Ada", "tags": ["x", None]}, None], [{"name": None, "tags": None}],
        [{"name": "Bob", "tags": []}] * 5])
    maps = _column(source, 0.2, [[], [("k", 1)], [("k", None), ("a longer key than 12", 2)]])
    person = pa.struct([("name", pa.string()), ("tags", pa.list_(pa.string()))])
    return pa.table({
        "id": pa.array(range(ROWS), pa.int64()),
        "list": pa.array(lists, pa.list_(pa.int32())),
        "deep": pa.array(deep, pa.list_(pa.list_(pa.int64()))),
        "struct": pa.array(structs, pa.struct([("a", pa.int64()), ("b", pa.string())])),
        "people": pa.array(people, pa.list_(person)),
        "map": pa.array(maps, pa.map_(pa.string(), pa.int32())),
    })


def sorted_table(rows=20_000):
    """Columns in and near order, on which statistics prune."""
    source = random.Random(3)
    ids = list(range(rows))
    return pa.table({
        "id": pa.array(ids, pa.int64()),
        "near": pa.array([i // 7 + source.randrange(50) for i in ids], pa.int32()),
        "price": pa.array([math.nan if i % 997 == 0 else (i % 5000) / 4 for i in ids], pa.float64()),
        "zero": pa.array([-0.0 if i < rows // 2 else 0.0 for i in ids], pa.float64()),
        "name": pa.array([None if i % 501 == 0 else f"name {i // 10:06d} " + "é" * (i % 80)
                          for i in ids], pa.string()),
        "unsigned": pa.array([(i * 400_000) % (1 << 32) for i in ids], pa.uint32()),
        "amount": pa.array([decimal.Decimal(i - rows // 2).scaleb(-2) for i in ids],
                           pa.decimal128(20, 2)),
    })
