"""What an engine says of a predicate over a file, and what this library says."""

import dataclasses
import os
import random
import re
import subprocess

from sluice_rows import BUILD


def _switches():
    """What can be switched off, by the program's own word."""
    text = subprocess.run([os.path.join(BUILD, "tools/sluice"), "cat", "--help"],
                          capture_output=True, check=True, text=True).stdout
    return tuple(sorted(set(re.findall(r"--no-([a-z-]+)", text))))


SWITCHES = _switches()


@dataclasses.dataclass(frozen=True)
class Answer:
    """`kind` is one of

    rows     the positions of those for which the predicate is true, in order; of corpus files the
             canonical rows, sorted
    error    of a row, which has no value there; `text` says what
    refused  the engine does not take the predicate; `text` says why
    none     there is no way to ask the engine; `text` says why
    """

    kind: str
    rows: tuple = ()
    text: str = ""

    @property
    def is_there(self):
        return self.kind != "none"

    def __str__(self):
        if self.kind == "rows":
            return f"{len(self.rows)} rows, {list(self.rows[:6])} first"
        return f"{self.kind}: {self.text.strip()!r}"


def run_sluice(path, where, *options):
    """(exit status, standard output, standard error); the status is negative after a signal."""
    done = subprocess.run(
        [os.path.join(BUILD, "tools/sluice"), "cat", str(path), "--where", where, *options],
        capture_output=True, check=False, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def some_switches(source: random.Random):
    """Mostly none; else a few, or all."""
    pick = source.random()
    if pick < 0.7:
        return []
    chosen = SWITCHES if pick > 0.95 else source.sample(SWITCHES, source.randrange(1, 5))
    return [f"--no-{name}" for name in chosen]


def ask_sluice(path, where, options=(), is_canonical=False):
    """Raises where the program ends as no user error ends it."""
    columns = ("--format", "canon") if is_canonical else ("--columns", "row", "--format", "csv")
    status, output, message = run_sluice(path, where, *columns, *options)
    if status == 0:
        lines = output.splitlines()
        rows = sorted(lines) if is_canonical else map(int, lines[1:])
        return Answer("rows", tuple(rows))
    if status == 1 and message.startswith("sluice: row error: "):
        return Answer("error", text=message)
    if status == 2 and message.startswith("sluice: invalid argument: "):
        return Answer("refused", text=message)
    raise AssertionError(f"sluice ended with status {status}: {message}")
