#!/usr/bin/env python3
"""The steps of the action in .github/actions/build, run as scripts: they install what `docker` builds, and build and check a site. What the guides
and action.yml name is there.

    action_test.py PROGRAM
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github/actions/build"
sys.path.append(str(ROOT / "Tests"))

from workshop import code_blocks, executable  # noqa: E402

PROGRAM = Path(sys.argv.pop(1)).resolve()


class ActionTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        self.environment = {**os.environ, "HOME": str(self.folder), "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "GITHUB_PATH": str(self.folder / "path")}

    def run_step(self, script, *arguments, **environment):
        return subprocess.run([ACTION / script, *arguments], cwd=self.folder, env={**self.environment, **environment}, capture_output=True, text=True)

    def build(self, rows, options):
        (self.folder / "bin/pyramid").symlink_to(PROGRAM)
        (self.folder / "my shops.csv").write_text(rows)
        return self.run_step("build.sh", INPUT="my shops.csv", OUTPUT="my site", OPTIONS=options)

    def test_a_site_is_built_and_checked(self):
        result = self.build("kind of shop,latitude,longitude\nbar,48.1,-11.5\ncafe,48.2,11.6\n", "--max-zoom 3 --filter-by 'kind of shop'")
        self.assertEqual((result.returncode, "sound, and what its input makes" in result.stderr), (0, True), result.stderr)
        site = self.folder / "my site"
        self.assertIn("<html", (site / "index.html").read_text())
        # Hosts such as GitHub Pages compress by themselves.
        self.assertTrue((site / "tiles/0/0/0.json").read_bytes().startswith(b'{"type":"FeatureCollection"'))
        self.assertIn("kind of shop", (site / "tilejson.json").read_text())

    def test_bad_rows_stop_the_job(self):
        result = self.build("latitude,longitude\n48,11\n148,11\n248,11\n", "")
        self.assertEqual(result.returncode, 65)
        self.assertFalse((self.folder / "my site").exists())

    def test_the_program_is_built_once_and_later_steps_find_it(self):
        executable(self.folder / "bin/docker", f"""#!/bin/sh
echo "$*" >> {self.folder}/calls
case $1 in
build) [ -e "$3" ] ;;
create) echo container ;;
cp) [ "$2" = container:/usr/local/bin/pyramid ] && cp {PROGRAM} "$3" ;;
esac
""")
        for _ in range(2):
            result = self.run_step("install.sh")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([line.split()[0] for line in (self.folder / "calls").read_text().splitlines()], ["build", "create", "cp", "rm"])
        [place] = set((self.folder / "path").read_text().splitlines())
        self.assertEqual((Path(place) / "pyramid").read_bytes(), PROGRAM.read_bytes())

    def test_a_program_that_cannot_be_built_stops_the_job(self):
        executable(self.folder / "bin/docker", "#!/bin/sh\nexit 3\n")
        self.assertEqual(self.run_step("install.sh").returncode, 3)
        self.assertFalse((self.folder / "path").exists())

    def test_the_digest_changes_with_what_the_program_is_built_from(self):
        def digest():
            result = subprocess.run([copy / ".github/actions/build/install.sh", "digest"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
            self.assertRegex(result.stdout, r"^[0-9a-f]{16}\n$")
            return result.stdout

        copy = self.folder / "copy"
        # What the Dockerfile runs.
        recipe = subprocess.run(["make", "-n", "install", "PREFIX=/usr/local", "DESTDIR=/release"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        scripts = {path for name in re.findall(r"[\w./]+", recipe) if (path := ROOT / name).is_file() and ROOT in path.parents}
        self.assertGreaterEqual(len(scripts), 2)
        files = [*sorted(scripts), ROOT / "Makefile", ROOT / "Package.swift", *sorted((ROOT / "Sources").rglob("*.swift"))[:2]]
        for path in [*files, ROOT / "README.md", ACTION / "install.sh"]:
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        first = digest()
        (copy / "README.md").write_text("something else")
        self.assertEqual(digest(), first)
        for path in files:
            target = copy / path.relative_to(ROOT)
            target.write_bytes(path.read_bytes() + b" ")
            self.assertNotEqual(digest(), first, path)
            target.write_bytes(path.read_bytes())
            self.assertEqual(digest(), first)
        target.rename(target.with_name("another"))
        self.assertNotEqual(digest(), first)

    def test_the_action_and_the_guides_name_what_there_is(self):
        text = (ACTION / "action.yml").read_text()
        inputs = set(re.findall(r"^  (\w+):$", text[text.index("inputs:"):text.index("runs:")], re.M))
        self.assertEqual(set(re.findall(r"inputs\.(\w+)", text)), inputs)
        self.assertEqual(set(re.findall(r"^ +([A-Z]+): ", text, re.M)), set(re.findall(r"\$\{?([A-Z]+)", re.sub(r"^#.*", "", (ACTION / "build.sh").read_text(), flags=re.M))))
        for script in re.findall(r"GITHUB_ACTION_PATH/([\w.]+)", text):
            self.assertTrue(os.access(ACTION / script, os.X_OK), script)
        workflows = [code for article in (ROOT / "Sources/Documentation").rglob("*.md") for _, code in code_blocks(article, "yaml")]
        used = [code for code in workflows if "pyramid/.github/actions/build@" in code]
        self.assertGreaterEqual(len(used), 2)
        for code in used:
            _, _, step = code.partition("pyramid/.github/actions/build@")
            step = re.split(r"^      - ", step, flags=re.M)[0]
            self.assertLessEqual(set(re.findall(r"^ {10}(\w+):", step, re.M)), inputs)


unittest.main()
