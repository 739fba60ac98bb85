"""An S3 host that fails: passes requests on to a real one, but for some, and watches that no reader is ever misled.

A fault is a line: a method, a pattern of paths, which of such requests fail (`4` the fourth, `4n` every fourth, `1-4` the first four)
and how:

    500, 503, 429, 403, 404   this answer; nothing is stored
    reset                     the connection is cut before anything is stored
    silent                    no answer ever, nothing is stored
    lost                      it is done, and the connection is cut instead of an answer
    half                      it is done, and half of the answer arrives
    slow                      it is done, and the answer arrives in drops
    etag                      it is done, and the answer has a wrong ETag
    echo                      403, and the message says all header fields of the request
"""

import fnmatch
import http.client
import json
import socket
import struct
import threading
import time
import urllib.parse

from workshop import Host, Quiet

LIST = "files.tsv"
CONNECTION_FIELDS = ("connection", "content-length", "expect", "transfer-encoding")
WRONG_TAG = '"00000000000000000000000000000000"'


class FailingHost(Host):
    """Since the last `fail`: `faulted` has the requests that failed, `changed` the keys that were stored or deleted. `broken` says where
    the description of a tileset named a file that wasn't there."""

    request_queue_size = 128

    def __init__(self, real_url):
        self.real = urllib.parse.urlsplit(real_url).netloc
        self.lock, self.broken = threading.Lock(), []
        self.keys, self.lists, self.named = set(), {}, {}
        self.fail()
        super().__init__(Handler)

    def fail(self, *faults):
        """From now on these requests fail and no others."""
        with self.lock:
            self.faults, self.counts, self.faulted, self.changed = faults, {}, [], set()

    def fault(self, method, path):
        with self.lock:
            for fault in self.faults:
                wanted, pattern, which, kind = fault.split()
                if method != wanted and wanted != "*" or not fnmatch.fnmatch(path, pattern):
                    continue
                self.counts[fault] = count = self.counts.get(fault, 0) + 1
                if which.endswith("n"):
                    fails = count % int(which[:-1]) == 0
                else:
                    first, _, last = which.partition("-")
                    fails = int(first) <= count <= int(last or first)
                if fails:
                    self.faulted.append(f"{kind} {method} {path}")
                    return kind
        return None

    def put(self, key, body):
        with self.lock:
            self.changed.add(key)
            self.keys.add(key)
            folder, _, name = key.rpartition("/")
            if name == LIST:
                # Paths without suffixes.
                self.lists[folder] = {f"{folder}/{line.split(chr(9))[0]}" for line in body.decode().splitlines()[1:]}
            elif name == "manifest.json":
                self.named[key] = self.lists[folder]
            elif name == "tilejson.json":
                first = json.loads(body)["tiles"][0].format(z=0, x=0, y=0)
                # With a base URL, the tiles may be anywhere.
                self.named[key] = set() if "://" in first else {f"{folder}/{first}".rsplit(".", 1)[0]}
            self.check()

    def delete(self, keys):
        with self.lock:
            self.changed.update(keys)
            for key in keys:
                self.keys.discard(key)
                self.named.pop(key, None)
            self.check()

    def check(self):
        bare = {key.rsplit(".", 1)[0] for key in self.keys}
        for description, named in self.named.items():
            if missing := named - bare:
                self.broken.append(f"{description} names {len(missing)} files that are not there, such as {min(missing)}")


class Handler(Quiet):
    protocol_version = "HTTP/1.1"
    # Or the body waits until the client has confirmed the header fields, 40 ms.
    disable_nagle_algorithm = True

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def answer(self, status, body, fields=()):
        self.send_response_only(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code, message):
        error = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>"
        self.answer(status, error.encode(), [("Content-Type", "application/xml")])

    def serve(self):
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.send_response_only(100)
            self.end_headers()
        body = self.body()
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        kind = self.server.fault(self.command, path)
        match kind:
            case "500":
                return self.refuse(500, "InternalError", "We encountered an internal error.")
            case "503":
                return self.refuse(503, "SlowDown", "Please reduce your request rate.")
            case "429":
                return self.refuse(429, "TooManyRequests", "Too many requests.")
            case "403":
                return self.refuse(403, "AccessDenied", "Access Denied")
            case "404":
                return self.refuse(404, "NotFound", "Not Found")
            case "echo":
                fields = " ".join(f"{name}={value}" for name, value in self.headers.items())
                return self.refuse(403, "SignatureDoesNotMatch", f"wrong: {fields}")
            case "reset":
                return self.reset()
            case "silent":
                # Until the client gives up.
                self.connection.settimeout(600)
                self.close_connection = True
                self.connection.recv(1)
                return None
        status, fields, content = self.ask_real(body)
        if status < 300:
            self.watch(path, body)
        if kind == "lost" or kind == "half" and not content:
            return self.reset()
        if kind == "etag":
            fields = [(name, WRONG_TAG if name.lower() == "etag" else value) for name, value in fields]
        self.send_response_only(status)
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return None
        if kind == "half":
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        elif kind == "slow":
            step = max(len(content) // 20, 1)
            for start in range(0, len(content), step):
                self.wfile.write(content[start : start + step])
                self.wfile.flush()
                time.sleep(0.05)
        else:
            self.wfile.write(content)
        return None

    def ask_real(self, body):
        """The status, header fields and body of the real host's answer."""
        real = http.client.HTTPConnection(self.server.real)
        fields = {name: value for name, value in self.headers.items() if name.lower() not in CONNECTION_FIELDS}
        real.request(self.command, self.path, body, fields | {"Content-Length": str(len(body))})
        answer = real.getresponse()
        content = answer.read()
        real.close()
        fields = [(name, value) for name, value in answer.getheaders() if name.lower() not in CONNECTION_FIELDS]
        length = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(content))
        return answer.status, fields + [("Content-Length", length or "0")], content

    def watch(self, path, body):
        key = path.lstrip("/")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query, keep_blank_values=True)
        if self.command == "PUT" and "partNumber" not in query:
            self.server.put(key, body)
        elif self.command == "POST" and "uploadId" in query:
            self.server.put(key, body)
        elif self.command == "DELETE" and "uploadId" not in query:
            self.server.delete([key])
        elif self.command == "POST" and "delete" in query:
            bucket = key.rstrip("/")
            found = body.decode().split("<Key>")[1:]
            self.server.delete([f"{bucket}/{part.split('</Key>')[0]}" for part in found])

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = serve
