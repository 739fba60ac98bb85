#!/usr/bin/env python3
"""pip installs the program's wheel into a virtual environment, where it does what the program does, and removes it without a trace.

    wheel_test.py PROGRAM
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Sources/Distribution"), str(ROOT / "Tests")]

import manual  # noqa: E402
import pack  # noqa: E402
import wheel  # noqa: E402
from workshop import expect, tree  # noqa: E402


def main(program):
    expect(wheel.platform(pathlib.Path("/dev/null"), "macos-arm64") == "macosx_26_0_arm64", "another tag for macOS")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        needs = folder / "needs"
        needs.write_bytes(b"\0GLIBC_2.4\0GLIBC_2.35\0GLIBC_2.9\0")
        expect(wheel.platform(needs, "linux-aarch64") == "manylinux_2_35_aarch64", "another tag for Linux")

        pack.put(folder / "tree/share/man/man1/pyramid.1.gz", b"a page")
        pack.put(folder / "tree/bin/pyramid", b"")
        shutil.copyfile(program, folder / "tree/bin/pyramid")
        version = manual.output(program, "--version").strip()
        tag = wheel.platform(folder / "tree/bin/pyramid", pack.built_for())
        (folder / "again").mkdir()
        for place in (folder, folder / "again"):
            wheel.write_wheel(folder / "tree", pack.PACKAGE, version, tag, place, 1_700_000_000)
        [path] = folder.glob("*.whl")
        expect(path.read_bytes() == (folder / "again" / path.name).read_bytes(), "the same files make another wheel")

        environment = folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        before = tree(environment)
        pip = [environment / "bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--no-index", path], check=True)
        installed = environment / "bin/pyramid"
        expect(installed.read_bytes() == pathlib.Path(program).read_bytes() and os.access(installed, os.X_OK), "another program is installed")
        expect((environment / "share/man/man1/pyramid.1.gz").read_bytes() == b"a page", "the man page isn't where man looks")
        shown = subprocess.run([*pip[:3], "show", pack.PACKAGE], check=True, capture_output=True, text=True).stdout
        expect(f"Version: {version}\n" in shown, f"pip shows {shown}")
        rows = ROOT / "Input/capitals.csv"
        for name, each in (("one", program), ("two", installed)):
            subprocess.run([each, "build", rows, folder / name, "--bundle", "256", "--quiet"], check=True)
        expect(len(tree(folder / "one")) > 5 and tree(folder / "one") == tree(folder / "two"), "the installed program writes other files")
        subprocess.run([*pip, "uninstall", "--yes", pack.PACKAGE], check=True)
        left = {name for name in tree(environment).keys() - before.keys() if not name.endswith(".pyc")}
        expect(not left - {"share/man/man1/", "share/man/", "share/"}, f"pip leaves {left}")
    print(f"wheel_test: {path.name} passed")


main(os.path.abspath(sys.argv[1]))
