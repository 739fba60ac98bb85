#!/usr/bin/env python3
"""What pack.py says before a build: which part of a release is left out and why, and whether there are rights to install."""

import contextlib
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Sources/Distribution"))

import pack  # noqa: E402


class PackTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def output(self, body):
        """What is printed, and what the program exits with."""
        text, code = io.StringIO(), None
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            try:
                body()
            except SystemExit as exit:
                code = exit.code
        return text.getvalue(), code

    def without(self, *tools):
        return unittest.mock.patch.object(pack, "has", lambda tool: tool not in tools)

    def test_everything_can_be_made_where_all_tools_are(self):
        with self.without():
            self.assertEqual(self.output(pack.check_release), ("", None))

    def test_what_is_left_out_is_named_with_its_cure(self):
        with self.without("pip", "dpkg-shlibdeps"):
            text, code = self.output(pack.check_release)
        self.assertEqual(text.splitlines(), [
            "the Debian package is left out: dpkg-shlibdeps missing (apt-get install dpkg-dev)",
            "the Python wheel of PyramidSpark is left out: pip missing (apt-get install python3-pip)",
        ])
        with self.without("esbuild", "npm"):
            text, code = self.output(pack.check_release)
        self.assertEqual(text.splitlines(), [
            "PyramidWeb is left out: esbuild missing (apt-get install esbuild)",
            "the npm package of PyramidWeb is left out: esbuild and npm missing (apt-get install esbuild npm node-typescript)",
        ])
        self.assertIsNone(code)

    def test_without_strip_nothing_can_be_made(self):
        with self.without("strip"):
            for check in (pack.check_release, lambda: pack.check_install(str(self.folder))):
                self.assertTrue(str(self.output(check)[1]).startswith("error: strip is missing: install binutils"))

    def test_pip_is_a_module_of_this_python(self):
        failed = subprocess.CompletedProcess([], 1)
        with unittest.mock.patch.object(subprocess, "run", return_value=failed):
            self.assertFalse(pack.has("pip"))

    def test_a_place_without_rights_is_refused(self):
        self.assertEqual(self.output(lambda: pack.check_install(str(self.folder / "new/er"))), ("", None))
        (self.folder / "file").write_text("")
        places = [str(self.folder / "file")]
        os.chmod(self.folder, 0o755)
        closed = self.folder / "closed/share/man"
        closed.mkdir(parents=True)
        (self.folder / "closed/bin").mkdir()
        for path in (closed, self.folder / "closed/share"):
            os.chmod(path, 0o555)
        self.addCleanup(lambda: [os.chmod(path, 0o755) for path in (self.folder / "closed/share", closed)])
        places.append(str(self.folder / "closed"))
        user = os.geteuid()
        if user == 0:
            os.chown(self.folder / "closed/bin", 65534, 65534)
            os.seteuid(65534)
            self.addCleanup(os.seteuid, user)
        for place, missing in zip(places, ("bin", "share/man/man1")):
            text, code = self.output(lambda: pack.check_install(place))
            self.assertEqual(text, "")
            self.assertTrue(code.startswith(f"error: {place}/{missing} can't be written, so nothing was built or installed"), code)
            self.assertIn('make install PREFIX="$HOME/.local"', code)

    def test_the_formula_names_the_archives_of_all_machines(self):
        for system in ("linux-aarch64", "linux-x86_64", "macos-arm64"):
            (self.folder / f"pyramid-0.3.1-{system}.tar.gz").write_text(system)
        (self.folder / "pyramid-web-0.3.1.tgz").write_text("")
        self.assertEqual(self.output(lambda: pack.main("formula", str(self.folder), "https://example.org/o/p/releases/download/v0.3.1/"))[1], None)
        text = (self.folder / "pyramid.rb").read_text()
        self.assertIn('homepage "https://example.org/o/p"\n  version "0.3.1"\n', text)
        macos = text[text.index("  on_macos do"):]
        self.assertTrue(text.index("on_linux do") < text.index("on_intel do") < text.index("on_macos do"))
        self.assertIn('  on_macos do\n    on_arm do\n      url "https://example.org/o/p/releases/download/v0.3.1/pyramid-0.3.1-macos-arm64.tar.gz"\n'
                      f'      sha256 "{hashlib.sha256(b"macos-arm64").hexdigest()}"\n    end\n  end\n', macos)
        if ruby := shutil.which("ruby"):
            subprocess.run([ruby, "-c", self.folder / "pyramid.rb"], check=True, stdout=subprocess.DEVNULL)

    def test_no_formula_is_made_of_nothing(self):
        self.assertIn("has no archive of a release", self.output(lambda: pack.main("formula", str(self.folder), "https://example.org"))[1])

    def install(self, path, prefix="prefix", destdir=""):
        def tree(program, root):
            for folder in pack.INSTALLED:
                (root / folder).mkdir(parents=True, exist_ok=True)
                (root / folder / "pyramid").write_text("")
                (root / folder / "other").write_text("")
            os.chmod(root / "bin/pyramid", 0o755)

        with unittest.mock.patch.object(pack, "tree", tree), unittest.mock.patch.dict(os.environ, PATH=path), self.without("zsh"):
            return self.output(lambda: pack.install("program", str(self.folder / prefix), destdir))[0]

    def test_an_installation_says_what_went_where_and_how_it_is_found(self):
        place = self.folder / "prefix"
        text = self.install(path="/nowhere")
        self.assertIn(f"Installed in {place}:\n    bin: pyramid\n    share/man/man1: pyramid\n", text)
        self.assertIn("share/doc/pyramid-clusters: other, pyramid\n", text)
        self.assertIn(f'{place}/bin is not on your PATH. Add it, for example in ~/.profile:\n    export PATH="{place}/bin:$PATH"', text)
        self.assertIn("It is on your PATH", self.install(path=f"/nowhere:{place}/bin"))
        shutil.copytree(place, self.folder / "other")
        self.assertIn(f"another pyramid first: {self.folder}/other/bin/pyramid", self.install(path=f"{self.folder}/other/bin:{place}/bin"))

    def test_below_destdir_nothing_is_said_of_the_path(self):
        text = self.install(path="/nowhere", destdir=f"{self.folder}/collected")
        self.assertIn(f"Installed in {self.folder}/collected{self.folder}/prefix:\n", text)
        self.assertNotIn("PATH", text)

    def test_a_release_that_fails_leaves_the_earlier_one(self):
        release = self.folder / "dist"
        release.mkdir()
        (release / "old").write_text("")

        def fail(program, directory):
            (directory / "half").write_text("")
            raise subprocess.CalledProcessError(3, ["npm", "pack"], stderr="no room\n")

        with unittest.mock.patch.object(pack, "write_release", fail):
            code = self.output(lambda: pack.main("release", "program", str(release)))[1]
        self.assertEqual(code, "error: npm pack failed with exit code 3: no room; nothing was packed")
        self.assertEqual([path.name for path in self.folder.rglob("*")], ["dist", "old"])


if __name__ == "__main__":
    sys.exit(unittest.main())
