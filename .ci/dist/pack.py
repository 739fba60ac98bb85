#!/usr/bin/env python3
"""Packs a release of a built program.

    pack.py tree PROGRAM PREFIX          what `make install` puts below /usr/local: program, man pages, completions, articles
    pack.py release PROGRAM DIRECTORY    the archive, the Debian package, and the libraries for npm and PyPI

The same program and commit give the same bytes. Needs `strip`; the Debian package needs dpkg-dev, the libraries npm and pip.
"""

import gzip
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import manual

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Debian has a python3-pyramid, a web framework, and PyPI a pyramid.
PACKAGE = "pyramid-clusters"
DESCRIPTION = """Description: clusters points for every zoom of a web map
 pyramid reads CSV or GeoJSON and writes static tiles with the markers of each
 zoom: GeoJSON, vector tiles, or one PMTiles archive. It verifies, serves and
 publishes them."""


def tree(program, prefix, completions=("share/zsh/site-functions", "share/fish/vendor_completions.d")):
    """Writes the files of a release below a directory."""
    for name, text in manual.man_pages(program).items():
        put(prefix / "share/man/man1" / f"{name}.gz", gzip.compress(text.encode(), 9, mtime=0))
    zsh, fish = completions
    scripts = {"bash": "share/bash-completion/completions/pyramid", "zsh": f"{zsh}/_pyramid", "fish": f"{fish}/pyramid.fish"}
    for shell, path in scripts.items():
        put(prefix / path, manual.output(program, "--generate-completion-script", shell).encode())
    documents = prefix / "share/doc" / PACKAGE
    for name, text in manual.articles(ROOT / "Sources").items():
        put(documents / name, text.encode())
    put(documents / "copyright", copyright_notice(program).encode())
    put(prefix / "bin/pyramid", b"")
    subprocess.run(["strip", "-o", prefix / "bin/pyramid", program], check=True)
    os.chmod(prefix / "bin/pyramid", 0o755)


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.chmod(path, 0o644)


def copyright_notice(program):
    """The program has libraries in it whose licences want to be passed on."""
    text = "pyramid has no licence yet: its owner has not chosen one.\n\nIt contains these libraries.\n"
    checkouts = next(parent / "checkouts" for parent in pathlib.Path(program).resolve().parents
                     if (parent / "checkouts").is_dir())
    for library in sorted(checkouts.iterdir()):
        for licence in sorted(library.glob("LICENSE*")):
            text += f"\n{'=' * 78}\n{library.name}\n\n{licence.read_text()}"
    return text + f"\n{'=' * 78}\nSwift\n\nThe libraries of Swift are under the Apache License 2.0 with the Runtime Library Exception.\n"


def release(program, directory):
    version = manual.output(program, "--version").strip()
    check_versions(version)
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    date = int(subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, capture_output=True).stdout)
    os.environ["SOURCE_DATE_EPOCH"] = str(date)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        name = f"pyramid-{version}-{platform.system().lower()}-{platform.machine()}"
        tree(program, work / name)
        write_archive(work / name, directory / f"{name}.tar.gz", date)
        if shutil.which("dpkg-shlibdeps"):
            write_debian_package(program, version, work / "debian-package", directory)
        else:
            print("no Debian package, because dpkg-shlibdeps is missing: apt-get install dpkg-dev", file=sys.stderr)
        write_libraries(work, directory)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(directory.iterdir())]
    (directory / "SHA256SUMS").write_text("".join(sums))
    for path in sorted(directory.iterdir()):
        print(f"{path.stat().st_size:>10,}  {path}")


def check_versions(version):
    """The libraries have the version of the program."""
    for path, pattern in [("PyramidWeb/package.json", r'"version": "(.*)"'), ("PyramidSpark/pyproject.toml", r'(?m)^version = "(.*)"')]:
        path = ROOT / "Sources" / path
        if path.exists() and (found := re.search(pattern, path.read_text())[1]) != version:
            sys.exit(f"{path}: version is {found}, expected the program's, {version}")


def write_archive(folder, path, date):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = date
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            archive.add(folder, folder.name, filter=plain)


def write_debian_package(program, version, work, directory):
    tree(program, work / "usr", ("share/zsh/vendor-completions", "share/fish/vendor_completions.d"))
    # dpkg-shlibdeps looks for the description of a source package.
    put(work.parent / "debian/control", f"Source: {PACKAGE}\n\nPackage: {PACKAGE}\nArchitecture: any\n".encode())
    found = subprocess.run(["dpkg-shlibdeps", "-O", work / "usr/bin/pyramid"], check=True, capture_output=True, text=True,
                           cwd=work.parent).stdout
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    files = sorted(path for path in work.rglob("*") if path.is_file())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(work)}\n" for path in files)
    maintainer = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%an <%ae>"], check=True, capture_output=True,
                                text=True).stdout.strip()
    put(work / "DEBIAN/md5sums", sums.encode())
    put(work / "DEBIAN/control", f"""Package: {PACKAGE}
Version: {version}
Architecture: {architecture}
Maintainer: {os.environ.get("MAINTAINER", maintainer)}
Installed-Size: {sum(path.stat().st_size for path in files) // 1024}
Depends: {re.search("shlibs:Depends=(.*)", found)[1]}
Section: science
Priority: optional
{DESCRIPTION}
""".encode())
    for path in [work, *work.rglob("*")]:
        if path.is_dir():
            os.chmod(path, 0o755)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", work,
                    directory / f"{PACKAGE}_{version}_{architecture}.deb"], check=True, stdout=subprocess.DEVNULL)


def write_libraries(work, directory):
    if shutil.which("npm"):
        subprocess.run(["npm", "pack", "--silent", "--pack-destination", directory.resolve()], check=True,
                       cwd=ROOT / "Sources/PyramidWeb", stdout=subprocess.DEVNULL)
    else:
        print("no npm package, because npm is missing", file=sys.stderr)
    if (ROOT / "Sources/PyramidSpark").is_dir():
        # A build leaves files beside the sources.
        shutil.copytree(ROOT / "Sources/PyramidSpark", work / "spark")
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", directory, work / "spark"],
                       check=True)


if __name__ == "__main__":
    action, program, target = sys.argv[1:]
    program, target = pathlib.Path(program).resolve(), pathlib.Path(target).resolve()
    {"tree": tree, "release": release}[action](program, target)
