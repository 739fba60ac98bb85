#!/usr/bin/env python3
"""Builds the site: the articles and the libraries' symbols, by the toolchain's own docc, and live demos. Fails if a link leads nowhere.

All libraries must have been built with the program, as `make site` does.

Usage: website.py path/to/pyramid [output directory]
BASE=/pyramid in the environment: the site's path on its host.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Sources/Documentation"))

import airports  # noqa: E402
import articles  # noqa: E402
import quakes  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve()
SITE = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / ".build/site").resolve()
BASE = os.environ.get("BASE", "").strip("/")
# What the demo shows: PyPI's 28,000 airports, or the project's own, which have no kind, if they aren't there.
AIRPORTS = ROOT / ".build/web/wheels/airportsdata/airports.csv"
# What the second demo shows. If they are missing, the site has no second demo.
QUAKES = ROOT / ".build/web" / quakes.ROWS
IS_MAC = platform.system() == "Darwin"


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


# Buttons: on the landing page to the first demo, in the article on filters to the second.
METADATA = {"Pyramid": '@TechnologyRoot\n    @CallToAction(url: "/demo/", purpose: link, label: "Live demo")'}
if QUAKES.exists():
    METADATA["Filters"] = '@CallToAction(url: "/earthquakes/", purpose: link, label: "Earthquakes by day")'


def copied(catalog, work):
    """A copy of a catalog with DocC's links; that of the articles has the READMEs of the JavaScript and Python libraries, too."""
    copy = work / catalog
    shutil.copytree(catalog, copy)
    readmes = articles.READMES if ROOT / catalog == articles.ARTICLES else {}
    base = f"/{BASE}" if BASE else ""
    for path, target in [
        *((path, copy / path.relative_to(ROOT / catalog)) for path in (ROOT / catalog).rglob("*.md")),
        *((path, copy / f"{name}.md") for path, name in readmes.items()),
    ]:
        text = articles.for_docc(path, base, AIRPORTS.exists())
        if target.stem in METADATA:
            title, abstract, rest = text.split("\n\n", 2)
            text = f"{title}\n\n{abstract}\n\n@Metadata {{\n    {METADATA[target.stem]}\n}}\n\n{rest}"
        target.write_text(text)
    return copy


def write_symbols(module, folder):
    # A module that has been read from its library refers to the headers of zlib.
    target = json.loads(output("swift", "-print-target-info"))["target"]["triple"]
    sdk = ["-sdk", output("xcrun", "--show-sdk-path")] if IS_MAC else []
    folder.mkdir()
    output(
        "swift",
        "symbolgraph-extract",
        "-module-name",
        module,
        "-target",
        target,
        *sdk,
        "-I",
        str(PROGRAM.parent / "Modules"),
        "-I",
        "Sources/CZlib",
        "-Xcc",
        f"-fmodule-map-file={ROOT}/Sources/CZlib/module.modulemap",
        "-minimum-access-level",
        "public",
        "-skip-synthesized-members",
        "-output-dir",
        str(folder),
    )


def convert(docc, work, catalogs):
    """Makes an archive of each catalog. They link each other, so all are made twice: the second time, links find their targets."""
    archives = []
    for number in (1, 2):
        dependencies, archives = archives, [work / f"{number}/{name}.doccarchive" for name in catalogs]
        (work / str(number)).mkdir()
        for (name, catalog), archive in zip(catalogs.items(), archives):
            symbols = ["--additional-symbol-graph-dir", str(work / name)] if (work / name).exists() else []
            result = subprocess.run(
                [
                    docc,
                    "convert",
                    str(catalog),
                    *symbols,
                    "--fallback-display-name",
                    name,
                    "--fallback-bundle-identifier",
                    name,
                    "--fallback-default-module-kind",
                    "Swift library",
                    *[part for other in dependencies if other.name != archive.name for part in ("--dependency", str(other))],
                    "--enable-experimental-external-link-support",
                    *(["--hosting-base-path", BASE] if BASE else []),
                    *(["--no-transform-for-static-hosting"] if number == 1 else []),
                    "--output-path",
                    str(archive),
                    "--diagnostics-file",
                    str(work / f"{name}.json"),
                ],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if result.returncode != 0:
                raise SystemExit(result.stdout)
    return archives


def findings(path):
    """docc also warns where a comment documents some parameters and not others, which is our style."""
    for finding in json.loads(path.read_text())["diagnostics"]:
        if "is missing documentation" not in finding["summary"]:
            source, line = finding.get("source", ""), finding.get("range", {}).get("start", {}).get("line", 0)
            yield f"{source.split('/Sources/')[-1]}:{line}: {finding['summary']}"


def build_demos(work):
    """The preview page with airports, and with earthquakes."""
    rows, options = work / "airports.csv", airports.OPTIONS
    if AIRPORTS.exists():
        airports.write_airports(AIRPORTS, rows)
    else:
        rows, options = ROOT / "Input/airports.csv", ["--filter-by", "elevation_ft:0:500:1000:2000:4000:8000,country"]
    demos = {"demo": (rows, options), "earthquakes": (QUAKES, quakes.OPTIONS)}
    for name, (rows, options) in demos.items():
        if rows.exists():
            subprocess.run([PROGRAM, "build", rows, SITE / name, "--bundle", "256", *options, "--preview", "--quiet"], check=True)


def names_of_web_library(page):
    """The options, events and members of the JavaScript library, for the navigation and its filter: the first cells of its README's tables."""
    [readme] = [path for path, name in articles.READMES.items() if name == "PyramidWeb"]
    for section in re.split(r"^## ", readme.read_text(), flags=re.M)[1:]:
        heading, text = section.split("\n", 1)
        if re.search(r"^\| (option|type|member) \|", text, re.M):
            path = f"{page}#{articles.anchor(heading)}"
            names = [name for cell in re.findall(r"^\| (`.*?) \| ", text, re.M) for name in re.findall(r"`(?:await )?((?:markers\.)?\w+)", cell)]
            yield {
                "title": heading,
                "type": "article",
                "path": path,
                "children": [{"title": name, "type": "property", "path": path} for name in dict.fromkeys(names)],
            }


def join_navigation():
    """docc lists the archives beside each other, below a page of its own. Our landing page is at the top, and lists the libraries."""
    path = SITE / "index/index.json"
    index = json.loads(path.read_text())
    languages = index["interfaceLanguages"]
    [top] = languages["swift"]
    landing, *libraries = top["children"]
    # The navigator would begin at a module if there were others.
    libraries = {library["path"]: library | {"type": "collection"} for library in libraries}
    landing["children"] = [libraries.get(child.get("path"), child) for child in landing["children"]]
    [web] = [child for child in landing["children"] if child.get("path") == "/documentation/pyramid/pyramidweb"]
    web["children"] = list(names_of_web_library(web["path"]))
    languages["swift"] = [landing]
    path.write_text(json.dumps(index))


# Code has up to 140 characters in a line, and tables have up to six columns.
STYLE = """
.code-listing pre, .code-listing code { font-size: 13px !important; line-height: 1.5 !important; white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
main table { font-size: 15px; }
"""


def adapt_appearance():
    """What docc's theme can't set: the name in the header, and code that fits."""
    [script] = SITE.glob("js/index.*.js")
    text, count = re.subn(r'("documentation":\{"title":|\["meta","title"\],)"Documentation"', r'\1"pyramid"', script.read_text())
    if count < 2:
        raise SystemExit(f"{script} has no title of the header or of pages")
    script.write_text(text)
    [style] = SITE.glob("css/index.*.css")
    style.write_text(style.read_text() + STYLE)


def lead(page, url):
    """A page that leads to another one."""
    icon = "../" * page.count("/") + "favicon.ico"
    (SITE / page).write_text(
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>pyramid</title>\n<link rel="icon" href="{icon}">\n'
        f'<meta http-equiv="refresh" content="0; url={url}">\n<a href="{url}">pyramid</a>\n'
    )


def main():
    os.chdir(ROOT)
    docc = shutil.which("docc") or output("xcrun", "--find", "docc")
    products = json.loads(output("swift", "package", "dump-package"))["products"]
    modules = [target for product in products if "library" in product["type"] for target in product["targets"]]
    catalogs = {"Pyramid": Path("Sources/Documentation/Pyramid.docc")}
    catalogs |= {module: path for module in modules if (path := Path(f"Sources/{module}/{module}.docc")).exists()}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for module in list(catalogs)[1:]:
            write_symbols(module, work / module)
        archives = convert(docc, work, {name: copied(catalog, work) for name, catalog in catalogs.items()})
        wrong = [finding for name in catalogs for finding in findings(work / f"{name}.json")]
        if wrong:
            raise SystemExit("\n".join(wrong))
        shutil.rmtree(SITE, ignore_errors=True)
        output(docc, "merge", *map(str, archives), "--output-path", str(SITE))
        build_demos(work)
    # The example pages, which show the demo's tileset.
    shutil.copytree("Sources/PyramidWeb", SITE / "pyramid-web", ignore=shutil.ignore_patterns("*.swift", "*.json", "*.md", "*.d.ts"))
    shutil.copy(catalogs["Pyramid"] / "theme-settings.json", SITE)
    join_navigation()
    adapt_appearance()
    lead("index.html", "documentation/pyramid/")
    (SITE / "data/documentation.json").unlink()
    lead("documentation/index.html", "pyramid/")
    print(f"The site is in {SITE}. To read it: python3 -m http.server --directory {SITE}, then http://127.0.0.1:8000/")


main()
