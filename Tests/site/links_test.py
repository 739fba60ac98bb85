#!/usr/bin/env python3
"""The links between the articles and READMEs, as they work where the repository is read: to files and headings that exist. Every article
and every Swift library is reached from README.md. How links become those of the site and of an installation; site_test.py follows those of the site.
Also what several pages must have in common: the versions of libraries, and code that is copied."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Sources/Distribution"))

import articles  # noqa: E402

FILES = [ROOT / "README.md", *(path for folder in ("Sources", "Tests", "Input", "Output", ".github") for path in (ROOT / folder).rglob("*.md"))]
FILES = [path for path in FILES if ".build" not in path.parts and path.parts[-2:] != ("examples", "README.md")]


class LinkTests(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        for path in FILES:
            for target, fragment in articles.links(path, path.read_text()):
                self.assertTrue(target.exists(), f"{path} links to {target}")
                if fragment:
                    self.assertIn(fragment, map(articles.slug, articles.headings(target.read_text())), f"{path} links to {target}")

    def test_no_article_has_links_of_docc(self):
        for path in FILES:
            self.assertFalse("<doc:" in path.read_text(), path)

    def test_every_article_is_reached_from_the_readme(self):
        reached, waiting = set(), [ROOT / "README.md"]
        while waiting:
            path = waiting.pop()
            if path.suffix == ".md" and path not in reached:
                reached.add(path)
                waiting += [target for target, _ in articles.links(path, path.read_text())]
        libraries = (ROOT / "Sources").glob("*/*.docc/*.md")
        self.assertEqual({*articles.pages(), *libraries} - reached, set())

    def test_pages_load_one_version_of_each_library(self):
        found = {}
        for path in [*FILES, *(ROOT / "Sources/PyramidWeb/examples").glob("*.html")]:
            for name, version in re.findall(r"https://(?:unpkg\.com|cdn\.jsdelivr\.net/npm|esm\.sh)/([\w-]+)@([\d.]+)", path.read_text()):
                found.setdefault(name, {}).setdefault(version, []).append(path.name)
        self.assertGreaterEqual(found.keys(), {"leaflet", "maplibre-gl", "ol"})
        self.assertEqual({name: places for name, places in found.items() if len(places) > 1}, {})

    def test_the_example_for_contributors_is_one_of_the_tests(self):
        [example] = re.findall(r"^```swift\n(.*?)^```$", (ROOT / ".github/CONTRIBUTING.md").read_text(), re.M | re.S)
        example = "".join(f"    {line}\n" for line in example.splitlines())
        self.assertTrue(any(example in path.read_text() for path in (ROOT / "Tests").rglob("*.swift")), example)

    def test_links_in_code_are_left_alone_and_others_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "one.md")
            path.write_text(
                "# One\n## B c: `d`\n`[a](two.md) and\na line` [b](two.md#e-f) [g](#b-c-d) ![h](p@2x.png) [i](https://j.k/l)\n```\n[m](two.md)\n```\n"
            )
            Path(folder, "two.md").write_text("# Two\n```\n# E f, no heading\n```\n### E, f\n")
            found = list(articles.links(path, path.read_text()))
            self.assertEqual(found, [(Path(folder, "two.md"), "e-f"), (path, "b-c-d"), (Path(folder, "p@2x.png"), "")])
            text = articles.with_links(path, lambda *link: repr((link[0], link[1], link[2].name, link[3])))
            self.assertEqual(
                text.splitlines()[3],
                "a line` (False, 'b', 'two.md', 'E, f') (False, 'g', 'one.md', 'B c: `d`') (True, 'h', 'p@2x.png', None) [i](https://j.k/l)",
            )
            self.assertEqual(articles.anchor("B c: `d`"), "B-c-d")
            path.write_text("[a](two.md#gone)")
            with self.assertRaisesRegex(SystemExit, "no heading for #gone"):
                articles.with_links(path, lambda *link: "")

    def test_example_pages_that_filter_by_a_column_are_linked_where_the_demo_has_it(self):
        for has_kinds, kinds in ((True, ["", "airstrip"]), (False, [""])):
            text = articles.for_docc(articles.ARTICLES / "Guides/ShowingMarkers.md", "/docs", has_kinds)
            found = re.findall(r"\]\(/docs/pyramid-web/examples/([\w-]+)\.html\?tiles=\.\./\.\./demo/(?:&kind=(\w+))?\)", text)
            self.assertEqual(dict(found), {name: kind for name, kind in articles.EXAMPLES.items() if kind in kinds})
            for name, kind in found:
                page = (articles.SOURCES / f"PyramidWeb/examples/{name}.html").read_text()
                self.assertEqual(bool(kind), 'query.get("kind")' in page, name)

    def test_an_installation_has_the_articles_side_by_side(self):
        folder = articles.for_folder()
        self.assertIn("[Vector tiles in MapLibre](VectorTiles.md)", folder["WhichOutput.md"])
        for name, text in folder.items():
            for target, fragment in articles.links(Path("/", name), text):
                self.assertIn(target.name, folder, name)
                self.assertIn(fragment or "", ["", *map(articles.slug, articles.headings(folder[target.name]))], name)


unittest.main()
