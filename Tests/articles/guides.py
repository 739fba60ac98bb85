#!/usr/bin/env python3
"""Runs every command of README.md and the articles, and compares what it prints with what the page shows.

    Tests/articles/guides.py PYRAMID [ARTICLE ...]

Each article has a temporary folder and a shell of its own, in which its blocks run in order: what one has built, exported or changed into is
there for the next. The folder stands for a clone of the project, ~/pyramid, with Input/, Sources/ and an empty Output/. `pyramid` is the
program PYRAMID. No network is needed.

How a page is written:

- ```sh has commands that must succeed. What they print isn't compared.
- ```console has commands after "$ ", each followed by all that it prints, errors too. A line that ends in a backslash goes on in the next.
  "..." stands for the rest of a line or anything within it, and by itself for any number of lines. Times ("0.3 s") and "peak memory 21.3 MB"
  match any others.
- A block of any language after a line that ends with "as `NAME`:", such as "Save these rows as `shops.csv`:", is written to that file.
- `pyramid serve` and `python3 -m http.server` run in the background until the end of the article, once they answer. Ports of 127.0.0.1
  and localhost are replaced by free ones.
- Other blocks, such as pages, styles and code, are nobody's business here. Commands in other fences or indented are an error.

Comments on lines of their own, which readers don't see:

    <!-- test: skip, needs a bucket of S3 -->          the next block isn't run, and the reason is printed
    <!-- test: skip all, Tests/articles/elsewhere.py runs them -->    no block of this article is run
    <!-- test: ends with 1 -->                         the last command of the next block ends with this status
    <!-- test: run cp Input/airports.csv shops.csv --> a command that readers don't see, for what they have and the test lacks
    <!-- test: options of pyramid build cafes.csv out --> from here on, indented blocks have options after "--", each with JSON that is in a file
                                                       of the tileset which they make, after two spaces or in the next lines
"""

import contextlib
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests"))

from workshop import blocks, executable, free_port  # noqa: E402

SERVERS = re.compile(r"(?:pyramid serve|python3 -m http\.server)\b")
# The longest that a command may take, so that one that waits for ever is an error.
SECONDS = 300


class Wrong(Exception):
    pass


def pattern(expected):
    """What a page shows, as a regular expression for what is printed."""
    lines = []
    for line in expected.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
            continue
        parts = re.split(r"(\.\.\.|\b[\d.]+ (?:ms|s|min)\b|peak memory [\d.]+ [kMG]?B)", line.rstrip())
        for number, part in enumerate(parts):
            if number % 2 == 0:
                parts[number] = re.escape(part)
            else:
                parts[number] = {".": ".*", "p": r"peak memory [\d.]+ [kMG]?B"}.get(part[0], r"[\d.]+ (?:ms|s|min)")
        lines.append("".join(parts) + r"\n")
    return re.compile("".join(lines))


def plain(printed):
    """Without blanks at the ends of lines, blank lines at the end, and the progress that slow builds print."""
    return "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines() if not re.fullmatch(r"[a-z]+ing\b.*, \d+%", line))


def session(code):
    """The commands of a console block, each with what the page shows after it."""
    commands = []
    goes_on = False
    for line in code.splitlines():
        if goes_on:
            commands[-1][0] += f"{line}\n"
        elif line.startswith("$ "):
            commands.append([f"{line[2:]}\n", ""])
        elif not commands:
            raise Wrong(f'begins with "{line}", expected "$ " and a command')
        else:
            commands[-1][1] += f"{line}\n"
        goes_on = line.endswith("\\") and (goes_on or line.startswith("$ "))
    return [(command, plain(expected)) for command, expected in commands]


class Shell:
    """A shell that runs one command after the other in a folder."""

    def __init__(self, folder, program):
        self.folder, self.ports = Path(folder, "pyramid"), {}
        self.script, self.output = Path(folder, "command"), Path(folder, "output")
        os.makedirs(self.folder / "Output")
        shutil.copytree(ROOT / "Input", self.folder / "Input")
        (self.folder / "Sources").symlink_to(ROOT / "Sources")
        programs = Path(folder, "bin")
        programs.mkdir()
        (programs / "pyramid").symlink_to(os.path.abspath(program))
        for name in ("xdg-open", "open"):
            executable(programs / name, "#!/bin/sh\n")
        statuses, self.to_statuses = os.pipe()
        self.statuses = statuses
        self.process = subprocess.Popen(
            ["bash", "--norc"],
            stdin=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            start_new_session=True,
            pass_fds=[self.to_statuses],
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": folder, "LC_ALL": "C.UTF-8"},
        )
        os.close(self.to_statuses)

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        os.close(self.statuses)

    def port(self, shown):
        if shown not in self.ports:
            self.ports[shown] = str(free_port())
        return self.ports[shown]

    def with_ports(self, text):
        """Commands and files with ports of this machine that are free."""
        text = re.sub(r"((?:127\.0\.0\.1|localhost):|\bserve .*--port[ =]|http\.server )(\d+)", lambda found: found[1] + self.port(found[2]), text)
        text = re.sub(r"(\bpyramid serve\b)(?!.*--port)", lambda found: f"{found[1]} --port {self.port('8080')}", text)
        return re.sub(r"http\.server(?! \d)", lambda found: f"{found[0]} {self.port('8000')}", text)

    def printed(self):
        text = self.output.read_text(encoding="utf-8", errors="backslashreplace")
        for shown, port in self.ports.items():
            text = text.replace(f":{port}", f":{shown}")
        return plain(text)

    def status(self, seconds):
        if not select.select([self.statuses], [], [], seconds)[0]:
            raise Wrong(f"doesn't end within {seconds} s")
        text = os.read(self.statuses, 100).decode()
        return int(text) if text else None

    def run(self, command, expected=None, status=0, options="set +eo pipefail"):
        """Runs a command, which must print what is expected, or anything, and end with a status."""
        self.script.write_text(self.with_ports(command), encoding="utf-8")
        self.tell(f"{options}; source {self.script} </dev/null >{self.output} 2>&1; echo $? >&{self.to_statuses}")
        # A command that fails under `set -e` ends the shell.
        found, printed = self.status(SECONDS), self.printed()
        found = self.process.wait() if found is None else found
        if found != status:
            raise Wrong(f"ends with {found}, expected {status}; it prints\n{printed}")
        if expected is not None and not pattern(expected).fullmatch(printed):
            raise Wrong(f"prints\n{printed}expected\n{expected}")

    def write(self, name, text):
        """Writes a file into the folder that the shell is in."""
        copy = self.script.with_name("file")
        copy.write_text(self.with_ports(text), encoding="utf-8")
        self.run(f'mkdir -p "$(dirname "{name}")" && cp {copy} "{name}"')

    def tell(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def serve(self, command, expected):
        """Starts a server, and waits until it prints what the page shows, and answers."""
        command = self.with_ports(command)
        self.script.write_text(command, encoding="utf-8")
        self.output.write_text("")
        port = int(re.search(r"(?:--port[ =]|http\.server )(\d+)", command)[1])
        self.tell(f"(exec {self.to_statuses}>&-; source {self.script}) </dev/null >{self.output} 2>&1 & echo 0 >&{self.to_statuses}")
        self.status(SECONDS)
        deadline = time.monotonic() + 60
        while True:
            with socket.socket() as client:
                answers = client.connect_ex(("127.0.0.1", port)) == 0
            if answers and (not expected or pattern(expected).fullmatch(self.printed())):
                # What it prints later isn't what the next command prints.
                self.output = self.output.with_name(f"{self.output.name}-")
                self.script = self.script.with_name(f"{self.script.name}-")
                return
            if time.monotonic() > deadline:
                raise Wrong(f"doesn't start: it prints\n{self.printed()}")
            time.sleep(0.05)


def run_block(shell, block, status):
    """Runs the commands of a block, of which the last ends with a status, and counts them."""
    if block.language == "sh" and not SERVERS.match(block.code):
        # Where another status than 0 is expected, the shell must go on.
        shell.run(block.code, None, status, "set +e" if status else "set -eo pipefail")
        return 1
    commands = session(block.code) if block.language == "console" else [(block.code, "")]
    for number, (command, expected) in enumerate(commands, 1):
        try:
            if SERVERS.match(command):
                shell.serve(command, expected)
            else:
                shell.run(command, expected, status if number == len(commands) else 0)
        except Wrong as wrong:
            raise Wrong(f"{command.rstrip()}: {wrong}") from None
    return len(commands)


def run_options(shell, command, code):
    """Builds with the options of each example, and looks for its JSON."""
    # Further JSON has lines of its own, and an object may go on in the next.
    for example in re.split(r"^(?=--)", code, flags=re.M)[1:]:
        options, json = re.fullmatch(r"(--.*?)(?:  +|\n)(\S.*)", example.strip(), re.S).groups()
        shell.run(f"rm -rf out && {command} {options} --quiet --compression none", "")
        tiles = "".join(path.read_text(encoding="utf-8") for path in Path(shell.folder, "out/tiles").rglob("*.json"))
        for fragment in re.split(r"\n(?=\")", re.sub(r"\n +", "\n", json)):
            fragment = fragment.replace("\n", "")
            if not re.search(rf"{re.escape(fragment)}[,}}\]]", tiles):
                raise Wrong(f"no tile has {fragment} with {options}")
    return len(re.findall(r"^--", code, re.M))


def run_article(article, program):
    """Runs an article; what was run, and why the rest was not."""
    commands, files, skipped = 0, 0, []
    found, options = list(blocks(article)), None
    skips_all = [note for block in found for note in block.notes if note.startswith("skip all, ")]
    with tempfile.TemporaryDirectory(prefix="pyramid-guides.") as folder:
        shell = Shell(folder, program)
        try:
            for block in found:
                try:
                    skip, status = None, 0
                    for note in block.notes:
                        word, _, rest = note.partition(" ")
                        if word == "run":
                            shell.run(f"{rest}\n")
                        elif word == "ends" and re.fullmatch(r"with \d+", rest):
                            status = int(rest[5:])
                        elif word == "skip," and rest:
                            skip = rest
                        elif word == "options" and rest.startswith("of "):
                            options = rest[3:]
                        elif note not in skips_all:
                            raise Wrong(
                                f'has the comment "{note}", expected "skip, REASON", "skip all, REASON", "ends with N", "run COMMAND" or "options of COMMAND"'
                            )
                    is_command = block.language in ("sh", "console")
                    if (skip or status) and not is_command:
                        raise Wrong("a comment about the next block's commands is before a block that has none")
                    if (
                        not is_command
                        and block.language in ("", "bash", "shell", "text", "indented")
                        and re.search(r"^ *(\$ |(pyramid|make|curl|aws|npm|pip|git|docker|sudo) (?!.*<))", block.code, re.M)
                    ):
                        raise Wrong("commands stand in a block that is neither ```sh nor ```console")
                    name = re.search(r"\bas `([^`]+)`:$", block.before)
                    if skips_all:
                        continue
                    if skip:
                        skipped.append(f"{block.line}: {skip}")
                    elif name:
                        shell.write(name[1], block.code)
                        files += 1
                    elif options and block.language == "indented":
                        commands += run_options(shell, options, re.sub("^    ", "", block.code, flags=re.M))
                    elif is_command:
                        commands += run_block(shell, block, status)
                except Wrong as wrong:
                    raise Wrong(f"{os.path.relpath(article, ROOT)}:{block.line}: {wrong}") from None
        finally:
            shell.close()
    return commands, files, skipped + [note.removeprefix("skip all, ") for note in skips_all]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    articles = [Path(name).resolve() for name in sys.argv[2:]] or [ROOT / "README.md", *sorted((ROOT / "Sources/Documentation").rglob("*.md"))]
    failures = total = 0
    for article in articles:
        try:
            commands, files, skipped = run_article(article, sys.argv[1])
        except Wrong as wrong:
            failures += 1
            print(f"FAILED {wrong}", flush=True)
            continue
        total += commands
        if commands or skipped:
            print(f"ok     {os.path.relpath(article, ROOT)}: {commands} commands run, {files} files written", flush=True)
            for reason in skipped:
                print(f"       not run, {reason}", flush=True)
    print(f"{total} commands")
    sys.exit(1 if failures else 0)


main()
