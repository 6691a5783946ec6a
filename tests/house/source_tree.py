"""What the tests of the house know about the source tree."""

import os
import pathlib
import shlex
import subprocess

SOURCE_ROOT = pathlib.Path(os.environ.get("SLUICE_SOURCE_ROOT", pathlib.Path(__file__).parents[2]))

# From the ground up: a file includes its own layer and those before it.
LAYERS = ["format", "catalog", "engine", "tools"]
# These may use any layer, and bench may use tests; no layer uses them.
BESIDE_THE_LAYERS = ["tests", "bench"]


def sources(root=SOURCE_ROOT, rooms=(*LAYERS, *BESIDE_THE_LAYERS)):
    """The C++ files of the rooms, as paths relative to the root."""
    found = []
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".h", ".cc"):
                found.append(path.relative_to(root).as_posix())
    return found


def public_headers(root=SOURCE_ROOT):
    """Spelling in an include -> path relative to the root. A generated header stands as its .in."""
    found = {}
    for layer in LAYERS:
        include = root / layer / "include"
        for path in sorted(include.rglob("*")):
            if path.name.endswith((".h", ".h.in")):
                spelling = path.relative_to(include).as_posix().removesuffix(".in")
                found[spelling] = path.relative_to(root).as_posix()
    return found


def compiler():
    return shlex.split(os.environ["SLUICE_CXX"])


def run(command, **options):
    """The finished process; its output, both streams, is text in `stdout`."""
    return subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )


def write_sample(path):
    """Writes the sample file: rows 0 to SAMPLE_ROWS - 1, their number the first column."""
    outcome = run([os.environ["SLUICE_SAMPLE_WRITER"], path])
    if outcome.returncode != 0:
        raise RuntimeError(outcome.stdout)


SAMPLE_ROWS = 10000
