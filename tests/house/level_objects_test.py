"""No weak symbol of a level's kernels is defined in any other object of the library.

The linker keeps one copy of a weak symbol for everybody. If it took the copy that was compiled for
AVX-512, the program would die on a machine without.
"""

import collections
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import run

LIBRARY = os.environ["SLUICE_STATIC_LIBRARY"]
LEVELS = [path for path in os.environ["SLUICE_LEVEL_LIBRARIES"].split(os.pathsep) if path]


def weak_definitions(library):
    """Name -> how many objects of the archive define it."""
    listing = run(["nm", "--defined-only", "--format=posix", library])
    if listing.returncode != 0:
        raise RuntimeError(listing.stdout)
    return collections.Counter(re.findall(r"^(\S+) [WVu] ", listing.stdout, re.MULTILINE))


class LevelObjects(unittest.TestCase):
    def test_no_weak_symbol_is_shared(self):
        if not LEVELS:
            self.skipTest("no levels besides the plain one for this processor")
        everywhere = weak_definitions(LIBRARY)
        self.assertTrue(everywhere)
        for level in LEVELS:
            with self.subTest(os.path.basename(level)):
                own = weak_definitions(level)
                self.assertEqual([name for name in own if everywhere[name] > own[name]], [])
