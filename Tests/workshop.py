"""What several of the Python tests use."""

import contextlib
import logging
import os
import re
import sys
from pathlib import Path


def expect(is_right, what):
    if not is_right:
        raise SystemExit(f"{Path(sys.argv[0]).stem}: {what}")


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


def code_blocks(article, language):
    """The code of an article in a language, each with the title of its section."""
    found = re.findall(rf"^## ([^\n]*)$|^```{language}\n(.*?)^```$", Path(article).read_text(encoding="utf-8"), re.M | re.S)
    section = None
    for title, code in found:
        section = title or section
        if not title:
            yield section, code


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
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1",
                      AWS_CONFIG_FILE=os.devnull, AWS_SHARED_CREDENTIALS_FILE=os.devnull, no_proxy="*")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()
