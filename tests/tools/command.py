"""What tests of the programs share: starting them, and files that no writer would make."""

import os
import pathlib
import pty
import re
import subprocess

SLUICE = os.environ["SLUICE_COMMAND"]
CONFORMANCE = os.environ["SLUICE_CONFORMANCE"]
CORPUS = pathlib.Path(
    os.environ.get("SLUICE_CORPUS")
    or pathlib.Path(os.environ["SLUICE_SOURCE_ROOT"]).parent / "shared" / "corpus"
)
FILES = CORPUS / "files"
NESTED = FILES / "parquet-testing__nested_structs.rust.parquet"
PLAIN = FILES / "parquet-testing__alltypes_plain.parquet"
PAGES = FILES / "parquet-testing__alltypes_tiny_pages.parquet"
DAMAGED = FILES / "duckdb__1.parquet"


def start(*arguments, **options):
    options = {"capture_output": True, "timeout": 60, "text": True} | options
    return subprocess.run([*map(str, arguments)], **options)


def sluice(*arguments, **options):
    return start(SLUICE, *arguments, **options)


def counts(stats):
    """What --stats printed: counts by line and name, as {("rows", "delivered"): 3}. Of a verdict the
    line is "files: verdict" or "row groups: verdict"."""
    found = {}
    unit = ""
    for line in stats.splitlines():
        if verdict := re.fullmatch(r"  (\d+) (\w+: .+)", line):
            found[unit + ": verdict", verdict[2]] = int(verdict[1])
            continue
        unit, parts = line.split(": ", 1)
        for part in parts.split(", "):
            number, name = part.split(" ", 1)
            found[unit, name] = float(number) if unit == "time" else int(number)
    return found


def on_terminal(*arguments, stdout=None, **options):
    """What a program writes to a terminal that is its standard error and, unless `stdout` is given,
    its standard output."""
    terminal, other_end = pty.openpty()
    with subprocess.Popen(
        [*map(str, arguments)], stdout=stdout or other_end, stderr=other_end, **options
    ) as program:
        os.close(other_end)
        written = b""
        try:
            while piece := os.read(terminal, 1 << 16):
                written += piece
        except OSError:  # How Linux says that nobody holds the other end any more.
            pass
        finally:
            os.close(terminal)
    return program.returncode, written.decode()


def varint(value):
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(groups + bytes([value]))


class Struct:
    """A struct of Thrift's compact protocol, field after field."""

    def __init__(self):
        self.bytes = b""
        self.last = 0

    def field(self, number, kind, content):
        self.bytes += bytes([(number - self.last) << 4 | kind]) + content
        self.last = number
        return self

    def integer(self, number, value, kind=6):
        return self.field(number, kind, varint(value << 1 if value >= 0 else ~(value << 1)))

    def text(self, number, text):
        return self.field(number, 8, varint(len(text.encode())) + text.encode())

    def structs(self, number, structs):
        size = bytes([len(structs) << 4 | 12]) if len(structs) < 15 else b"\xfc" + varint(len(structs))
        return self.field(number, 9, size + b"".join(structs))

    def end(self):
        return self.bytes + b"\0"


def file_of(columns, row_groups=(), num_rows=0):
    """A file without pages: int32 `columns` by name; row groups are finished structs."""
    root = Struct().text(4, "root").integer(5, len(columns), 5).end()
    leaves = [Struct().integer(1, 1, 5).integer(3, 0, 5).text(4, name).end() for name in columns]
    footer = (
        Struct()
        .integer(1, 1, 5)
        .structs(2, [root, *leaves])
        .integer(3, num_rows)
        .structs(4, list(row_groups))
        .end()
    )
    return b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def row_group(num_rows, chunks=()):
    return Struct().structs(1, list(chunks)).integer(2, 0).integer(3, num_rows).end()


def chunk(name, num_values=0):
    """An int32 column chunk without bytes."""
    path = b"\x18" + varint(len(name.encode())) + name.encode()
    metadata = (
        Struct()
        .integer(1, 1, 5)
        .field(2, 9, b"\x05")
        .field(3, 9, path)
        .integer(4, 0, 5)
        .integer(5, num_values)
        .integer(6, 0)
        .integer(7, 0)
        .integer(9, 4)
        .end()
    )
    return Struct().integer(2, 0).field(3, 12, metadata).end()
