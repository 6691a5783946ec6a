"""Random predicates over generated files and the corpus have the rows that DuckDB and Polars say.

Alone, from the environment that tests/foreign/run makes in BUILD:

    SLUICE_BUILD=BUILD BUILD/foreign-environment/bin/python tests/foreign/opinion_test.py
        [--seed S] [--files N] [--predicates N]          every test, with these numbers
        --seed S --file (N | NAME) --predicate N         one predicate: what everybody says of it

What is known to be otherwise is data: known_differences.toml.
"""

import argparse
import collections
import pathlib
import random
import sys
import tempfile
import unittest

from opinion import answers, files, known_differences
from opinion.duckdb_opinion import DuckDbOpinion
from opinion.generator import Generator
from opinion.judge import Judge
from opinion.nodes import sluice_text
from opinion.polars_opinion import PolarsOpinion
from sluice_rows import BUILD

ENGINES = (DuckDbOpinion, PolarsOpinion)
# 5 000 predicates in all; over a file of the corpus up to three times as many as said here, if it
# has the columns.
NUMBERS = argparse.Namespace(seed=1, files=40, predicates=100, corpus_predicates=4)
# What part of the predicates over files that it reads an engine must have been asked at least:
# less, and the generator or the engine has changed.
LEAST_SHARES = {"duckdb": 0.9, "polars": 0.5}

counts = collections.Counter()


class File:
    """One file, and what is drawn over it."""

    def __init__(self, name, seed, folder, misread):
        self.name, self.seed = name, seed
        source = random.Random(f"{seed} {name}")
        self.lines = None
        if isinstance(name, int):
            self.path = pathlib.Path(folder) / f"{seed}-{name}.parquet"
            self.writer = files.generate(source, self.path)
        else:
            self.path = files.CORPUS / "files" / name
            self.writer = "corpus"
            self.lines = files.corpus_rows(name)
        self.columns = files.columns_of(self.path, source)
        self.engines = []
        for engine in ENGINES if self.columns else ():
            try:
                opened = engine(str(self.path), self.columns)
                opened.load()
            except Exception:  # Each has kinds of its own.
                counts[f"{engine.name} cannot read a file"] += 1
                if self.lines is None:
                    raise
                continue
            opened.lacks |= {tuple(entry["column"]) for entry in misread
                             if (entry["engine"], entry["file"]) == (engine.name, name)}
            self.engines.append(opened)

    def predicate(self, number):
        source = random.Random(f"{self.seed} {self.name} {number}")
        tree = Generator(source, self.columns).predicate()
        return tree, Judge(self.path, answers.some_switches(source), self.lines)

    def replay(self, number):
        return (f"SLUICE_BUILD={BUILD} {sys.executable} {__file__} --seed {self.seed} "
                f"--file {self.name} --predicate {number}")


class OpinionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.known, cls.misread = known_differences.load()

    def ask(self, name, number_of_predicates):
        file = File(name, NUMBERS.seed, self.folder.name, self.misread)
        if not file.columns:
            counts["files without a column that predicates are drawn over"] += 1
        if file.lines is not None:
            number_of_predicates *= min(3, len(file.columns))
        for number in range(number_of_predicates if file.columns else 0):
            tree, judge = file.predicate(number)
            counts["predicates"] += 1
            for engine in file.engines:
                counts[f"{engine.name} has read the file"] += 1
                if found := self.unknown(engine, tree, judge):
                    with self.subTest(where=sluice_text(found[0])):
                        self.fail(f"{found[1]}\nreplay: {file.replay(number)}")

    def unknown(self, engine, tree, judge):
        """A predicate as small as may be, and its difference that is not listed, or None."""
        found = judge.difference(engine, tree, counts)
        if found is None:
            return None
        entry = None
        if found.kind == "refused":  # It says itself what it does not take.
            entry = known_differences.entry_for(self.known, found, tree)
        if entry is None:
            tree, found = judge.smallest(engine, tree, found)
            entry = known_differences.entry_for(self.known, found, tree)
        if entry is None:
            return tree, found
        counts[f"{engine.name} differs as known: {entry['rule']}"] += 1
        return None


class GeneratedFiles(OpinionTest):
    """Each file is a test: see add_tests."""


class CorpusFiles(OpinionTest):
    """Each file is a test: see add_tests."""


class KnownDifferences(OpinionTest):
    def test_every_example_is_still_one(self):
        paths = known_differences.write_example_files(self.folder.name)
        for entry in self.known:
            with self.subTest(engine=entry["engine"], rule=entry["rule"]):
                path = paths[entry.get("writer", "pyarrow")]
                self.assertNotEqual(entry["our_rows"], entry["their_rows"])
                self.assertEqual(known_differences.example_of_sluice(path, entry),
                                 entry["our_rows"])
                self.assertEqual(known_differences.example_of_engine(path, entry),
                                 entry["their_rows"])

    def test_every_misread_column_is_still_one(self):
        for entry in self.misread if files.corpus_names() else ():
            with self.subTest(engine=entry["engine"], file=entry["file"], column=entry["column"]):
                path = files.CORPUS / "files" / entry["file"]
                self.assertNotEqual(entry["our_count"], entry["their_count"])
                self.assertEqual(known_differences.count_of_sluice(path, entry), entry["our_count"])
                self.assertEqual(known_differences.count_of_engine(path, entry),
                                 entry["their_count"])


class WhatWasAsked(unittest.TestCase):
    """The last class by name, so that everything was asked before."""

    def test_of_each_engine_as_much_as_ever(self):
        if not counts["predicates"]:
            self.skipTest("nothing was asked")
        if NUMBERS.files >= 40 and NUMBERS.predicates >= 100 and files.corpus_names():
            self.assertGreaterEqual(counts["predicates"], 5000)
        for name, share in LEAST_SHARES.items():
            self.assertGreaterEqual(counts[f"{name} asked"],
                                    share * counts[f"{name} has read the file"])
            self.assertGreater(counts[f"{name} answered rows"], 0)


def add_tests(numbers):
    for number in range(numbers.files):
        setattr(GeneratedFiles, f"test_{number:03}",
                lambda self, number=number: self.ask(number, numbers.predicates))
    for name in files.corpus_names() if numbers.corpus_predicates else ():
        setattr(CorpusFiles, f"test_{name.removesuffix('.parquet')}",
                lambda self, name=name: self.ask(name, numbers.corpus_predicates))
    if not files.corpus_names():
        def test_nothing(self):
            self.skipTest(f"there is no corpus at {files.CORPUS}")
        CorpusFiles.test_nothing = test_nothing


def tearDownModule():
    print()
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")


def show(numbers):
    """Everything about one predicate."""
    name = int(numbers.file) if numbers.file.isdigit() else numbers.file
    folder = tempfile.mkdtemp(prefix="opinion-")
    file = File(name, numbers.seed, folder, known_differences.load()[1])
    tree, judge = file.predicate(numbers.predicate)
    where = sluice_text(tree)
    print(f"{file.path} of {file.writer}\n{where}\nsluice: {judge.ask(where)}")
    for engine in file.engines:
        print(f"{engine.name}: {engine.ask(tree)}")
        if found := judge.difference(engine, tree):
            smaller, found = judge.smallest(engine, tree, found)
            print(f"smaller: {sluice_text(smaller)}\n{found}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=NUMBERS.seed)
    parser.add_argument("--files", type=int, default=NUMBERS.files)
    parser.add_argument("--predicates", type=int, default=NUMBERS.predicates)
    parser.add_argument("--corpus-predicates", type=int, default=NUMBERS.corpus_predicates)
    parser.add_argument("--file")
    parser.add_argument("--predicate", type=int)
    numbers = parser.parse_args()
    NUMBERS.__dict__.update(numbers.__dict__)
    if numbers.file is not None:
        return show(numbers)
    add_tests(numbers)
    return unittest.main(argv=sys.argv[:1], verbosity=2)


if __name__ == "__main__":
    main()
else:
    add_tests(NUMBERS)
