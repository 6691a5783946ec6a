"""Rows as `sluice cat --format canon` prints them, compared with the values of an Arrow table."""

import json
import math
import os
import struct
import subprocess

import pyarrow as pa

BUILD = os.environ["SLUICE_BUILD"]


def run(*arguments):
    """Runs a program of the build; fails with what it says on standard error."""
    program = os.path.join(BUILD, *arguments[0].split("/"))
    done = subprocess.run([program, *arguments[1:]], capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments[0]}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def cat(path):
    return [json.loads(line) for line in
            run("tools/sluice", "cat", "--format", "canon", path).splitlines()]


def _float(value, is_single):
    number = float(value)
    return struct.pack("<f", number) if is_single else struct.pack("<d", number)


def _time_text(value, unit):
    digits = {"ms": 3, "us": 6, "ns": 9}[unit]
    text = value.strftime("%H:%M:%S")
    nanos = getattr(value, "nanosecond", 0) + value.microsecond * 1000
    return f"{text}.{nanos:09d}"[:len(text) + 1 + digits]


def same(shown, value, kind):
    """Whether canonical JSON shows the Python value that Arrow gives for the type."""
    if value is None or shown is None:
        return value is None and shown is None
    if pa.types.is_boolean(kind):
        return shown is value
    if pa.types.is_integer(kind):
        return int(shown) == value
    if pa.types.is_floating(kind):
        if math.isnan(value):
            return shown == "NaN"
        return _float(shown, pa.types.is_float32(kind)) == _float(value, pa.types.is_float32(kind))
    if pa.types.is_decimal(kind):
        return shown == format(value, "f") or (value == 0 and shown.strip("0.") == "")
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return shown == value
    if pa.types.is_date(kind):
        return shown == f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
    if pa.types.is_timestamp(kind):
        date = f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
        return shown == f"{date}T{_time_text(value, kind.unit)}" + ("Z" if kind.tz else "")
    if pa.types.is_time(kind):
        return shown.rstrip("Z") == _time_text(value, kind.unit)
    if pa.types.is_struct(kind):
        return (list(shown) == [field.name for field in kind] and
                all(same(shown[field.name], value[field.name], field.type) for field in kind))
    if pa.types.is_map(kind):
        return (len(shown) == len(value) and
                all(same(s[0], v[0], kind.key_type) and same(s[1], v[1], kind.item_type)
                    for s, v in zip(shown, value)))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return (len(shown) == len(value) and
                all(same(s, v, kind.value_type) for s, v in zip(shown, value)))
    if isinstance(value, bytes):
        return shown == {"hex": value.hex()}
    raise AssertionError(f"no rule for {kind}: {value!r}")


def first_difference(path, table):
    """None where the file, read here, holds exactly the table; else what differs first."""
    rows = cat(path)
    if len(rows) != table.num_rows:
        return f"{len(rows)} rows for {table.num_rows}"
    for column, field in enumerate(table.schema):
        values = table.column(column).to_pylist()
        for row, value in enumerate(values):
            if not same(rows[row][column], value, field.type):
                return f"row {row}, column {field.name}: {rows[row][column]!r} for {value!r}"
    return None

