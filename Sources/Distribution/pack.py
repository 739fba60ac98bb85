#!/usr/bin/env python3
"""Packs a release of a built program.

    pack.py install PROGRAM PREFIX [DESTDIR]    what `make install` writes: program, man pages, completions, articles
    pack.py release PROGRAM DIRECTORY           the archive, the Debian package, the wheel, and the libraries for npm and PyPI
    pack.py formula DIRECTORY URL               Homebrew's formula for the archives of all machines, which will be at a URL
    pack.py web DIRECTORY                       PyramidWeb, minified: as one file, and in pieces that pages load as they need them
    pack.py check-install PREFIX [DESTDIR]      before the program is built: can it be installed there?
    pack.py check-release                       before the program is built: what can't be made here?

The same program and commit give the same bytes. Needs `strip`; the Debian package needs dpkg-dev, the libraries esbuild,
npm and pip.
"""

import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import articles
import homebrew
import manual
import wheel

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Debian has a python3-pyramid, a web framework, and PyPI a pyramid.
PACKAGE = "pyramid-clusters"
DESCRIPTION = """Description: clusters points for every zoom of a web map
 pyramid reads CSV or GeoJSON and writes static tiles with the markers of each
 zoom: GeoJSON, vector tiles, or one PMTiles archive. It verifies, serves and
 publishes them."""


# What may be missing from a release: the tools that it needs, and where Debian has them.
OPTIONAL = {
    "the Debian package": (["dpkg", "dpkg-deb", "dpkg-shlibdeps"], "dpkg-dev"),
    "PyramidWeb": (["esbuild"], "esbuild"),
    "the npm package of PyramidWeb": (["esbuild", "npm", "tsc"], "esbuild npm node-typescript"),
    "the Python wheel of PyramidSpark": (["pip"], "python3-pip"),
}


def has(tool):
    if tool == "pip":
        return subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0
    return shutil.which(tool) is not None


def require_strip():
    if not has("strip"):
        sys.exit("error: strip is missing: install binutils (Debian), or Apple's command line tools with xcode-select --install")


def missing_parts():
    """What can't be made here, by name, each with the reason."""
    lines = {}
    for part, (tools, package) in OPTIONAL.items():
        if missing := [tool for tool in tools if not has(tool)]:
            lines[part] = f"{part} is left out: {' and '.join(missing)} missing (apt-get install {package})"
    return lines


def check_release():
    require_strip()
    for line in missing_parts().values():
        print(line, file=sys.stderr)


def may_write(folder):
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def check_install(prefix, destdir=""):
    require_strip()
    for folder in INSTALLED:
        path = existing = target(prefix, destdir) / folder
        while not existing.exists():
            existing = existing.parent
        if not existing.is_dir() or not may_write(existing):
            sys.exit(
                f"error: {path} can't be written, so nothing was built or installed; install into your home directory:\n"
                '    make install PREFIX="$HOME/.local"'
            )


def target(prefix, destdir):
    """Where the files are written. Packagers collect them below DESTDIR."""
    return pathlib.Path(f"{destdir}{os.path.abspath(prefix)}")


# The folders that an installation writes to.
INSTALLED = [
    "bin",
    "share/man/man1",
    "share/bash-completion/completions",
    "share/zsh/site-functions",
    "share/fish/vendor_completions.d",
    f"share/doc/{PACKAGE}",
]


def install(program, prefix, destdir=""):
    root = target(prefix, destdir)
    tree(program, root)
    print(f"Installed in {root}:")
    for folder in INSTALLED:
        ours = "*" if folder.endswith(PACKAGE) else "*pyramid*"
        print(f"    {folder}: {', '.join(sorted(path.name for path in (root / folder).glob(ours)))}")
    if destdir:
        return
    path = root / "bin/pyramid"
    if (found := shutil.which("pyramid")) is None:
        print(f'{path.parent} is not on your PATH. Add it, for example in ~/.profile:\n    export PATH="{path.parent}:$PATH"')
    elif not os.path.samefile(found, path):
        print(f"Your PATH leads to another pyramid first: {found}")
    else:
        print("It is on your PATH: pyramid --help")
    functions = root / "share/zsh/site-functions"
    if root not in (pathlib.Path("/usr"), pathlib.Path("/usr/local")) and has("zsh"):
        print(f"For completions in zsh, add to ~/.zshrc, before compinit:\n    fpath=({functions} $fpath)")


def tree(program, prefix, completions=("share/zsh/site-functions", "share/fish/vendor_completions.d")):
    """Writes the files of a release below a directory."""
    for name, text in manual.man_pages(program).items():
        put(prefix / "share/man/man1" / f"{name}.gz", gzip.compress(text.encode(), 9, mtime=0))
    zsh, fish = completions
    scripts = {"bash": "share/bash-completion/completions/pyramid", "zsh": f"{zsh}/_pyramid", "fish": f"{fish}/pyramid.fish"}
    for shell, path in scripts.items():
        put(prefix / path, manual.output(program, "--generate-completion-script", shell).encode())
    documents = prefix / "share/doc" / PACKAGE
    for name, text in articles.for_folder().items():
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
    checkouts = next(parent / "checkouts" for parent in pathlib.Path(program).resolve().parents if (parent / "checkouts").is_dir())
    for library in sorted(checkouts.iterdir()):
        for licence in sorted(library.glob("LICENSE*")):
            text += f"\n{'=' * 78}\n{library.name}\n\n{licence.read_text()}"
    return text + f"\n{'=' * 78}\nSwift\n\nThe libraries of Swift are under the Apache License 2.0 with the Runtime Library Exception.\n"


def release(program, directory):
    """Writes all files or, if something fails, none: those of an earlier release stay."""
    require_strip()
    with tempfile.TemporaryDirectory(dir=directory.parent) as new:
        write_release(program, pathlib.Path(new))
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(new, directory)
    for path in sorted(directory.iterdir()):
        print(f"{path.stat().st_size:>10,}  {path}")
    for line in missing_parts().values():
        print(line, file=sys.stderr)


def write_release(program, directory):
    missing = missing_parts()
    version = manual.output(program, "--version").strip()
    check_versions(version)
    date = int(subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, capture_output=True).stdout)
    os.environ["SOURCE_DATE_EPOCH"] = str(date)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        name = f"pyramid-{version}-{built_for()}"
        tree(program, work / name)
        write_archive(work / name, directory / f"{name}.tar.gz", date)
        tag = wheel.platform(work / name / "bin/pyramid", built_for())
        wheel.write_wheel(work / name, PACKAGE, version, tag, directory, date)
        if "the Debian package" not in missing:
            write_debian_package(program, version, work / "debian-package", directory)
        if "PyramidWeb" not in missing:
            web = write_web_files(directory, work / "web")
            if "the npm package of PyramidWeb" not in missing:
                subprocess.run(["npm", "pack", "--silent", "--pack-destination", directory], check=True, cwd=web, stdout=subprocess.DEVNULL)
        if "the Python wheel of PyramidSpark" not in missing:
            # A build leaves files beside the sources.
            shutil.copytree(ROOT / "Sources/PyramidSpark", work / "spark")
            subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", directory, work / "spark"], check=True)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(directory.iterdir()) if path.is_file()]
    (directory / "SHA256SUMS").write_text("".join(sums))


# What several entries of the JavaScript library share, by a module in it: esbuild's own names change with the content.
CHUNKS = {
    "tileset/tileset.js": "core",
    "markers/map-adapter.js": "map",
    "markers/marker-opener.js": "opener",
    "legend/legend-hash.js": "hash",
    "legend/legend-slider.js": "slider",
    "legend/legend-timeline.js": "timeline",
    "tileset/byte-reader.js": "bytes",
    "tileset/dates.js": "dates",
    "tileset/pmtiles.js": "pmtiles",
    "tileset/points.js": "points",
    "tileset/extent.js": "extent",
    "tileset/mvt.js": "mvt",
}
# What pages have already when they load a module. Without these imports, esbuild would put everything that a late module shares with some
# entries into a file of its own: more requests, and more bytes.
THERE_BEFORE = {
    "tileset/pmtiles.js": ["index"],
    "tileset/mvt.js": ["index"],
    "tileset/points.js": ["index"],
    "tileset/extent.js": ["index"],
    "markers/marker-opener.js": ["index", "markers/map-adapter"],
    "legend/legend.js": ["markers/map-adapter"],
    "legend/legend-slider.js": ["index", "markers/map-adapter"],
    "legend/legend-timeline.js": ["index", "markers/map-adapter"],
}


def write_web_files(directory, work):
    """Packs the JavaScript library.

    Into `directory`, with source maps: pyramid-web.js and pyramid-web.global.js, each all of it in one file; and pyramid-web/, the package
    for npm, whose entries share what they have in common, so that a page loads only what it uses. `work` is for a copy of the sources.
    """
    package = directory / "pyramid-web"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "Sources/PyramidWeb", work)
    details = json.loads((work / "package.json").read_text())
    # These imports are for their effect on the files.
    (work / "package.json").write_text(json.dumps({**details, "sideEffects": True}))

    def esbuild(*arguments):
        subprocess.run(
            [
                "esbuild",
                *arguments,
                "--bundle",
                "--minify",
                "--sourcemap",
                "--target=es2022",
                "--legal-comments=none",
                f"--banner:js=/* pyramid-web {details['version']} */",
                "--log-level=warning",
            ],
            check=True,
            cwd=work,
        )

    esbuild("pyramid-web.js", "--format=esm", f"--outfile={directory / 'pyramid-web.js'}")
    esbuild("pyramid-web.js", "--format=iife", "--global-name=pyramid", f"--outfile={directory / 'pyramid-web.global.js'}")
    style = work / "legend/legend-style.js"
    before, rules, after = style.read_text().rsplit("`", 2)
    # esbuild leaves texts as they are.
    small = subprocess.run(
        ["esbuild", "--loader=css", "--minify"], input=rules.replace("&", ".pyramid-legend"), check=True, capture_output=True, text=True
    ).stdout
    style.write_text("`".join([before, small.replace(".pyramid-legend", "&"), after]))
    for path, modules in THERE_BEFORE.items():
        with open(work / path, "a") as file:
            file.writelines(f'import "../{module}.js";\n' for module in modules)
    entries = ["index.js", "leaflet.js", "maplibre.js", "openlayers.js", "legend.js"]
    esbuild(*entries, "--format=esm", "--splitting", "--chunk-names=[name]-[hash]", f"--outdir={package}", f"--metafile={work / 'meta.json'}")
    names = {}
    for path, output in json.loads((work / "meta.json").read_text())["outputs"].items():
        name = path.rsplit("/", 1)[-1]
        if name.endswith(".js") and name not in entries:
            chunks = [CHUNKS[module] for module in output["inputs"] if module in CHUNKS]
            if len(chunks) != 1:
                sys.exit(f"error: CHUNKS must name one of the modules of this file, or THERE_BEFORE keep it together: {list(output['inputs'])}")
            names[name] = f"{chunks[0]}.js"
    assert len(set(names.values())) == len(names), names
    for path in package.iterdir():
        text = path.read_text()
        for name, fixed in names.items():
            text = text.replace(name, fixed)
        path.unlink()
        path.with_name(re.sub(r"^.*?\.js", lambda found: names.get(found[0], found[0]), path.name)).write_text(text)
    # The entries again, under one name: one file of its own would have other classes.
    for name in ["pyramid-web.js", "package.json", "README.md", "environment.d.ts"]:
        shutil.copyfile(ROOT / "Sources/PyramidWeb" / name, package / name)
    for path in directory.glob("pyramid-web.global.js*"):
        shutil.copyfile(path, package / path.name)
    shutil.copytree(work / "examples", package / "examples")
    if has("tsc"):
        subprocess.run(["tsc", "-p", work, "--emitDeclarationOnly", "--outDir", package / "types"], check=True)
    return package


def built_for():
    """The system and the architecture of the compiler's programs, such as linux-x86_64."""
    information = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
    target = information["target"]
    return f"{target['platform'].replace('macosx', 'macos')}-{target['arch']}"


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
    found = subprocess.run(["dpkg-shlibdeps", "-O", work / "usr/bin/pyramid"], check=True, capture_output=True, text=True, cwd=work.parent).stdout
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    files = sorted(path for path in work.rglob("*") if path.is_file())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(work)}\n" for path in files)
    maintainer = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%an <%ae>"], check=True, capture_output=True, text=True).stdout.strip()
    put(work / "DEBIAN/md5sums", sums.encode())
    put(
        work / "DEBIAN/control",
        f"""Package: {PACKAGE}
Version: {version}
Architecture: {architecture}
Maintainer: {os.environ.get("MAINTAINER", maintainer)}
Installed-Size: {sum(path.stat().st_size for path in files) // 1024}
Depends: {re.search("shlibs:Depends=(.*)", found)[1]}
Recommends: libjs-leaflet
Section: science
Priority: optional
{DESCRIPTION}
""".encode(),
    )
    for path in [work, *work.rglob("*")]:
        if path.is_dir():
            os.chmod(path, 0o755)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", work, directory / f"{PACKAGE}_{version}_{architecture}.deb"],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def main(action, *arguments):
    try:
        if action == "install":
            program, *place = arguments
            install(pathlib.Path(program).resolve(), *place)
        elif action == "release":
            program, directory = (pathlib.Path(path).resolve() for path in arguments)
            release(program, directory)
        elif action == "formula":
            path = pathlib.Path(arguments[0], "pyramid.rb")
            path.write_text(homebrew.formula(path.parent, arguments[1].rstrip("/")))
            print(path)
        elif action == "web":
            if not has("esbuild"):
                sys.exit("error: esbuild is missing: apt-get install esbuild")
            with tempfile.TemporaryDirectory() as work:
                directory = pathlib.Path(arguments[0])
                directory.mkdir(parents=True, exist_ok=True)
                write_web_files(directory, pathlib.Path(work) / "web")
        else:
            {"check-install": check_install, "check-release": check_release}[action](*arguments)
    except subprocess.CalledProcessError as error:
        command = " ".join(str(word) for word in error.cmd)
        reason = error.stderr.strip() if isinstance(error.stderr, str) else ""
        sys.exit(f"error: {command} failed with exit code {error.returncode}{reason and ': ' + reason}; nothing was packed")


if __name__ == "__main__":
    main(*sys.argv[1:])
