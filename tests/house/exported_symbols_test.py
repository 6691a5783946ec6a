"""The shared library exports names of its own namespace only, under its full version."""

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import run

LIBRARY = os.environ["SLUICE_SHARED_LIBRARY"]
VERSION = os.environ["SLUICE_VERSION"]
OWN = re.compile(
    r"((vtable|VTT|typeinfo|typeinfo name|guard variable) for |(non-)?virtual thunk to )?sluice::"
)


class ExportedSymbols(unittest.TestCase):
    def setUp(self):
        listing = run(["nm", "--dynamic", "--demangle", "--defined-only", "--format=posix", LIBRARY])
        self.assertEqual(listing.returncode, 0, listing.stdout)
        # name, type letter, value, size; a demangled name has spaces.
        lines = listing.stdout.splitlines()
        self.names = [re.sub(r" [A-Za-z] [0-9a-f]+( [0-9a-f]+)?$", "", line) for line in lines]

    def test_every_name_is_our_own(self):
        self.assertEqual([name for name in self.names if not OWN.match(name)], [])

    def test_the_library_exports_its_interface(self):
        self.assertIn("sluice::v0::Version()", self.names)

    def test_the_soname_has_the_full_version(self):
        dynamic = run(["readelf", "--dynamic", LIBRARY]).stdout
        self.assertRegex(dynamic, rf"soname: \[libsluice\.so\.{re.escape(VERSION)}\]")
