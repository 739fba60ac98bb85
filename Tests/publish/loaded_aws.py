"""The real aws without what it does at each start: a process that has loaded its code forks for each call, which takes a quarter of the time."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

CALL = """#!{python} -SE
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({path!r})
call = json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()])
socket.send_fds(server, [call.encode()], [0, 1, 2])
sys.exit((server.recv(1) or b"\\1")[0])
"""


@contextlib.contextmanager
def loaded_aws(folder, aws):
    """The path of an executable in a folder that does what `aws` does, a script of Python's."""
    path = str(Path(folder, "socket"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(path)
        server.listen()
        python = Path(aws).read_text().partition("\n")[0].removeprefix("#!").strip()
        process = subprocess.Popen([python, __file__], stdin=server)
    call = Path(folder, "aws")
    call.write_text(CALL.format(python=python, path=path))
    call.chmod(0o755)
    try:
        yield str(call)
    finally:
        process.kill()
        process.wait()


def answer(client):
    """Runs a call in a process that ends with its caller."""
    data, files, *_ = socket.recv_fds(client, 1 << 20, 3)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    arguments, environment, folder = json.loads(data)
    # Where the import has found its data.
    environment["AWS_DATA_PATH"] = os.environ["AWS_DATA_PATH"]
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["aws", *arguments]
    threading.Thread(target=lambda: client.recv(1) or os._exit(1), daemon=True).start()
    code = clidriver.main()
    sys.stdout.flush()
    sys.stderr.flush()
    client.send(bytes([code]))
    os._exit(code)


if __name__ == "__main__":
    import functools
    import signal

    from awscli import clidriver
    from awscli.customizations.s3 import subcommands  # noqa: F401
    from botocore.loaders import JSONFileLoader

    load = functools.cache(JSONFileLoader().load_file)
    JSONFileLoader.load_file = lambda _, path: load(path)
    clidriver.create_clidriver().session.create_client("s3")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    server = socket.socket(fileno=os.dup(0))
    server.settimeout(1)
    parent = os.getppid()
    # Until the tests end, also by a signal.
    while os.getppid() == parent:
        try:
            client = server.accept()[0]
        except TimeoutError:
            continue
        if os.fork() == 0:
            server.close()
            answer(client)
        client.close()
