"""What several of the Python tests use."""

import contextlib
import csv
import gzip
import http.server
import json
import logging
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

# The tests write and delete many small files. In memory, if there is enough, that takes a fifth of the time that it takes on ext4.
MEMORY = "/dev/shm"
if os.path.isdir(MEMORY) and shutil.disk_usage(MEMORY).free > 2_000_000_000:
    os.environ.setdefault("TMPDIR", MEMORY)


def expect(is_right, what):
    if not is_right:
        raise SystemExit(f"{Path(sys.argv[0]).stem}: {what}")


def soon(look, is_right, seconds=30):
    """What `look` finds as soon as it is right, or at the end of this time, because a busy machine needs longer than any fixed pause."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if is_right(found) or time.monotonic() > end:
            return found
        time.sleep(0.05)


def tree(path):
    """The files below a directory by their relative paths, with their bytes; a link is where it leads to, and an empty directory
    ends with a slash. Of a file, its bytes by an empty path."""
    path, found = Path(path), {}
    if path.is_file():
        return {"": path.read_bytes()}
    for folder, directories, names in os.walk(path):
        for name in names + directories:
            file = Path(folder, name)
            relative = str(file.relative_to(path))
            if file.is_symlink():
                found[relative] = b"-> " + os.fsencode(os.readlink(file))
            elif name in names:
                found[relative] = file.read_bytes()
            elif not os.listdir(file):
                found[relative + "/"] = b""
    return found


def differences(left, right):
    """The paths that don't have the same bytes in two trees."""
    left, right = tree(left), tree(right)
    return sorted(path for path in left.keys() | right.keys() if left.get(path) != right.get(path))


def features(tileset, zoom):
    """What the GeoJSON tiles of a zoom hold."""
    tiles = Path(tileset).glob(f"tiles/{zoom}/*/*.json")
    return [feature for tile in tiles for feature in json.loads(gzip.decompress(tile.read_bytes()))["features"]]


def write_csv(path, rows):
    """Writes dictionaries, all with the columns of the first."""
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def free_port():
    """A port that a server can use a little later: none of those that the system gives to whoever asks for any."""
    while True:
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", random.randrange(10_000, 32_000)))
            return one.getsockname()[1]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, or what a subclass answers, and prints nothing."""

    def log_message(self, *_):
        pass


class Host(http.server.ThreadingHTTPServer):
    """A web server at `url`, which has no slash at its end; it runs until its block or the process ends."""

    daemon_threads = True

    def __init__(self, handler, port=0):
        super().__init__(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *arguments):
        # Browsers close connections as they like.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(*arguments)

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


@contextlib.contextmanager
def serving(program, tileset, *options):
    """The URL at which `pyramid serve` serves a tileset."""
    with subprocess.Popen([program, "serve", tileset, "--port", "0", *options], stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


class Block(NamedTuple):
    """A fenced block of an article: its language, its code, the line of the fence, the title of its section, the line of text before it, and what
    the comments before it tell the tests, such as `<!-- test: skip, needs a network -->`."""

    language: str
    code: str
    line: int
    section: str | None
    before: str
    notes: list[str]


def blocks(article):
    """All code of an article, with "indented" as the language of what isn't fenced; at the end a block of no language with the notes after the last."""
    text = Path(article).read_text(encoding="utf-8")
    section, before, notes = None, "", []
    for found in re.finditer(
        r"^```(\w*)[^\n]*\n(.*?)^```$|^<!-- test: (.*?) -->$|^#+ ([^\n]*)$|((?:^    [^\n]*\n|^\n)+)|^([^\n]+)$", text, re.M | re.S
    ):
        language, code, note, title, indented, line = found.groups()
        number = text.count("\n", 0, found.start()) + 1
        if note:
            notes.append(note)
        elif title:
            section, before = title, ""
        elif line:
            before = line
        elif language is not None or indented.strip():
            yield Block("indented" if indented else language, indented or code, number, section, before, notes)
            before, notes = "", []
    yield Block("", "", 0, section, "", notes)


def code_blocks(article, language):
    """The code of an article in a language, each with the title of its section."""
    return [(block.section, block.code) for block in blocks(article) if block.language == language]


def executable(path, script):
    """Writes a script that stands in for a program."""
    Path(path).write_text(script)
    Path(path).chmod(0o755)
    return str(path)


@contextlib.contextmanager
def s3_server():
    """A real S3 server in this process (moto); its URL. aws and boto3 get no configuration and no credentials of this machine's user."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_CONFIG_FILE=os.devnull,
        AWS_SHARED_CREDENTIALS_FILE=os.devnull,
        no_proxy="*",
    )
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()
