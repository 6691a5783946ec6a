"""Programs outside the tree build against what is installed, by pkg-config and by CMake, and run."""

import os
import pathlib
import shlex
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from source_tree import SAMPLE_ROWS, SOURCE_ROOT, compiler, public_headers, run, write_sample

OUTSIDE = SOURCE_ROOT / "tests" / "install"
BUILD_ROOT = os.environ["SLUICE_BUILD_ROOT"]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.root = cls.folder / "root"
        write_sample(cls.folder / "sample.parquet")
        outcome = run(["meson", "install", "--no-rebuild", "-C", BUILD_ROOT, "--destdir", cls.root])
        if outcome.returncode != 0:
            raise RuntimeError(outcome.stdout)
        package = next(cls.root.rglob("sluice.pc"))
        cls.library_folder = package.parent.parent
        cls.prefix = next(cls.root.rglob("include")).parent
        cls.environment = {
            **os.environ,
            "PKG_CONFIG_PATH": str(package.parent),
            "PKG_CONFIG_SYSROOT_DIR": str(cls.root),
        }

    def check(self, command, **options):
        outcome = run(command, **options)
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
        return outcome.stdout

    def check_program(self, program):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.library_folder)}
        words = self.check([program, self.folder / "sample.parquet"], env=environment).split()
        total = SAMPLE_ROWS * (SAMPLE_ROWS - 1) // 2
        self.assertEqual(words, [os.environ["SLUICE_VERSION"], str(SAMPLE_ROWS), str(total)])

    def check_pkg_config(self, name, *flags):
        asked = ["pkg-config", "--cflags", "--libs", *flags, "sluice"]
        words = shlex.split(self.check(asked, env=self.environment))
        if flags:
            words = ["-l:libsluice.a" if word == "-lsluice" else word for word in words]
        program = self.folder / name
        self.check([*compiler(), "-std=c++20", "-o", program, OUTSIDE / "main.cc", *words])
        linked = "libsluice.so" in run(["readelf", "--dynamic", program]).stdout
        self.assertEqual(linked, not flags)
        self.check_program(program)

    def test_pkg_config_shared(self):
        self.check_pkg_config("pkg_config_shared")

    def test_pkg_config_static(self):
        self.check_pkg_config("pkg_config_static", "--static")

    def test_cmake_from_a_moved_tree(self):
        if not shutil.which("cmake"):
            self.skipTest("no cmake")
        moved = self.folder / "moved"
        shutil.copytree(self.prefix, moved, symlinks=True)
        build = self.folder / "cmake"
        settings = [f"-DCMAKE_PREFIX_PATH={moved}", f"-DCMAKE_CXX_COMPILER={compiler()[-1]}"]
        self.check(["cmake", "-S", OUTSIDE, "-B", build, *settings])
        self.check(["cmake", "--build", build])
        self.check_program(build / "with_shared")
        self.check_program(build / "with_static")

    def test_documentation_is_installed(self):
        folder = self.prefix / "share" / "doc" / "sluice"
        for name, source in (("README.md", "README.md"), ("EXPRESSIONS.md", "engine/EXPRESSIONS.md"),
                             ("tools.md", "tools/README.md"), ("EXPLAIN.md", "tools/EXPLAIN.md")):
            self.assertEqual((folder / name).read_bytes(), (SOURCE_ROOT / source).read_bytes())

    def test_every_public_header_is_installed_and_no_other_file(self):
        include = self.prefix / "include"
        installed = {path.relative_to(include).as_posix() for path in include.glob("sluice/**/*.*")}
        self.assertEqual(installed, set(public_headers()))
