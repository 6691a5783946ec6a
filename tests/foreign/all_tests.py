"""Runs the tests of every module of this room; the last line counts them all."""

import sys

import foreign_test
from arrow_export_test import ArrowExport

foreign_test.ArrowExport = ArrowExport
sys.exit(foreign_test.main())
