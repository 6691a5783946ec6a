"""Includes only go down: tools -> engine -> catalog -> format, and the rooms of format/ keep apart
(contract V-01 to V-03).

format/model stands alone; format/file and format/parquet may use it. format/parquet does no I/O: it
knows the interfaces of <sluice/random_access_file.h> and <sluice/output_file.h>, not what is behind.
"""

import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import BESIDE_THE_LAYERS, LAYERS, SOURCE_ROOT, public_headers, sources

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)

FILE_HEADERS = ("sluice/random_access_file.h", "sluice/output_file.h")
INPUT_OUTPUT = re.compile(
    r"^(fstream|iostream|filesystem|cstdio|stdio\.h|fcntl\.h|unistd\.h|sys/(stat|mman|uio|file)\.h)$"
)
# Library headers -> the one place that may include them.
LIBRARIES = {
    "xsimd/": r"format/model/kernels/lanes\.h$",
    "thrift/": r"format/parquet/thrift_border\.h$|tests/",
    "rocksdb/": r"catalog/(?!include/)|tests/",
    "CLI/": r"tools/",
    "gtest/": r"tests/",
    "gmock/": r"tests/",
    "benchmark/": r"bench/",
}


def room_of(path, spelling=""):
    """Layer, or for format/ its room, of a file of the tree."""
    parts = path.split("/")
    if parts[0] != "format":
        return parts[0]
    if parts[1] == "include":
        spelling = "/".join(parts[2:]).removesuffix(".in")
        if spelling.startswith("sluice/parquet/"):
            return "format/parquet"
        return "format/file" if spelling in FILE_HEADERS else "format/model"
    return "/".join(parts[:2])


def violations(root):
    """Lines that say which include of which file is not allowed, and why."""
    headers = public_headers(root)
    generated = {path for path in headers.values() if path.endswith(".in")}
    found = []
    for path in [*sources(root), *generated]:
        for quoted, angled in INCLUDE.findall((root / path).read_text()):
            reason = quoted_reason(root, path, quoted) if quoted else None
            target = quoted or headers.get(angled)
            if angled and angled.startswith("sluice/") and not target:
                reason = "there is no such public header"
            if target:
                reason = reason or inner_reason(path, target, angled)
            elif angled:
                reason = reason or outer_reason(path, angled)
            if reason:
                found.append(f"{path}: {quoted or angled}: {reason}")
    return found


def quoted_reason(root, path, quoted):
    if quoted.startswith("sluice/"):
        return "public headers are included as <sluice/...>"
    if "/include/" in path:
        return "a public header includes only std and <sluice/...>"
    if "/" not in quoted:
        return "private headers are spelt from the root"
    # What the build generates is not in the tree.
    if quoted.split("/")[0] in (*LAYERS, *BESIDE_THE_LAYERS) and "/include/" in quoted:
        return "public headers are included as <sluice/...>"
    return None


def inner_reason(path, target, angled):
    own, other = path.split("/")[0], target.split("/")[0]
    if own == "tests" and other == "bench":
        return "tests do not use bench"
    if own in BESIDE_THE_LAYERS:
        return None
    if other not in LAYERS:
        return f"a layer does not use {other}"
    if LAYERS.index(other) > LAYERS.index(own):
        return f"{own} is below {other}"
    if own != "format":
        return None
    own_room, other_room = room_of(path), room_of(target)
    if other_room in ("format/model", own_room):
        return None
    if own_room == "format/parquet" and angled in FILE_HEADERS:
        return None
    return f"{own_room} does not use {other_room}"


def outer_reason(path, angled):
    for prefix, allowed in LIBRARIES.items():
        if angled.startswith(prefix) and not re.match(allowed, path):
            return "this library has one place, which is not here"
    if "/include/" in path and not re.fullmatch(r"[a-z_]+", angled):
        return "a public header includes only std and <sluice/...>"
    if room_of(path) in ("format/model", "format/parquet") and INPUT_OUTPUT.match(angled):
        return "only format/file does I/O"
    return None


class Layering(unittest.TestCase):
    def test_the_tree_keeps_the_rules(self):
        self.assertGreater(len(sources()), 20)
        self.assertEqual(violations(SOURCE_ROOT), [])

    def test_each_rule_is_seen_broken(self):
        header, reader = "format/include/sluice/types.h", "format/include/sluice/parquet/reader.h"
        broken = {
            "format/model/up.cc": "#include <sluice/scan.h>",
            "format/model/sideways.cc": "#include <sluice/parquet/reader.h>",
            "format/model/file.cc": "#include <sluice/random_access_file.h>",
            "format/file/parquet.cc": '#include "format/parquet/footer.h"',
            "format/parquet/behind.cc": '#include "format/file/local_file.h"',
            "format/parquet/input.cc": "#include <fstream>",
            "format/model/kernels/other.cc": "#include <xsimd/xsimd.hpp>",
            "format/model/near.cc": '#include "near.h"',
            "format/model/test.cc": '#include "tests/support/page_builder.h"',
            "catalog/up.cc": '#include "engine/bind.h"',
            "engine/rocks.cc": "#include <rocksdb/db.h>",
            "tests/bench.cc": '#include "bench/cycles.h"',
            "format/include/sluice/bad.h": "#include <thrift/Thrift.h>",
            "format/include/sluice/worse.h": '#include "format/model/try.h"',
            "tools/none.cc": "#include <sluice/nowhere.h>",
        }
        kept = {
            header: "#include <vector>",
            reader: "#include <sluice/types.h>\n#include <sluice/random_access_file.h>",
            "format/include/sluice/random_access_file.h": "#include <sluice/types.h>",
            "engine/include/sluice/scan.h": "#include <sluice/types.h>",
            "format/parquet/reader.cc": "#include <sluice/parquet/reader.h>",
            "format/model/kernels/lanes.h": "#include <xsimd/xsimd.hpp>",
            "catalog/rocks.cc": "#include <rocksdb/db.h>\n#include <sluice/types.h>",
            "engine/scan.cc": '#include "catalog/catalog.h"\n#include <sluice/parquet/reader.h>',
            "bench/any.cc": '#include "tests/support/page_builder.h"',
            "tests/any.cc": '#include "engine/bind.h"\n#include "tests/support/page_builder.h"',
        }
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**broken, **kept}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text + "\n")
            seen = {line.split(":")[0] for line in violations(root)}
        self.assertEqual(seen, set(broken))
