"""The command runs on processors that lack what this one has, down to plain x86-64.

Emulated: a library that is built on a machine with AVX-512 must not use it on one without, and what
chooses the SIMD level is not seen to fail where every level is there.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SAMPLE_ROWS, run, write_sample

# One of each level. Core 2 has no POPCNT, Nehalem no AVX, Haswell no AVX-512.
PROCESSORS = ["core2duo", "Nehalem", "Haswell"]


class Processors(unittest.TestCase):
    def test_every_level_reads_the_same_rows(self):
        emulator = shutil.which("qemu-x86_64")
        if emulator is None:
            self.skipTest("there is no qemu-x86_64")
        command = os.environ["SLUICE_COMMAND"]
        with tempfile.TemporaryDirectory() as name:
            sample = pathlib.Path(name) / "sample.parquet"
            write_sample(sample)
            arguments = [command, "cat", sample, "--format", "canon"]
            here = run(arguments)
            self.assertEqual(here.returncode, 0, here.stdout)
            self.assertEqual(len(here.stdout.splitlines()), SAMPLE_ROWS)
            for processor in PROCESSORS:
                with self.subTest(processor):
                    there = run([emulator, "-cpu", processor, *arguments])
                    self.assertEqual(there.returncode, 0, there.stdout[-1000:])
                    rows = [line for line in there.stdout.splitlines() if line.startswith("[")]
                    self.assertEqual(rows, here.stdout.splitlines())


if __name__ == "__main__":
    unittest.main()
