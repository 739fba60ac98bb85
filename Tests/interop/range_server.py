"""A static file server as a host of archives has it: ranges, ETags, CORS, and nothing that knows of tiles."""

import os
import re

from workshop import Host, Quiet

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".mvt": "application/vnd.mapbox-vector-tile",
    ".pbf": "application/x-protobuf",
    ".pmtiles": "application/vnd.pmtiles",
}


class RangeServer(Host):
    """Serves a directory. `pages` has the text of paths that no file is for; `requests` is what was asked for."""

    def __init__(self, directory, pages):
        self.directory, self.pages, self.requests = os.path.realpath(directory), pages, []
        super().__init__(Handler)
        self.url += "/"


class Handler(Quiet):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.split("?")[0]
        name = os.path.realpath(self.server.directory + path)
        if path in self.server.pages:
            whole = self.server.pages[path]
        elif name.startswith(self.server.directory + os.sep) and os.path.isfile(name):
            with open(name, "rb") as file:
                whole = file.read()
        else:
            whole = None
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        status, body = 200 if whole is not None else 404, whole or b""
        if wanted and whole is not None:
            first, last = int(wanted[1]), min(int(wanted[2]), len(whole) - 1)
            status, body = (206, whole[first : last + 1]) if first <= last else (416, b"")
        self.server.requests.append((path, self.headers.get("Range"), status))
        self.send_response(status)
        headers = {
            "Content-Type": TYPES.get(os.path.splitext(path)[1], "application/octet-stream"),
            "Content-Length": len(body),
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "ETag, Content-Range",
            "Accept-Ranges": "bytes",
        }
        if whole is not None:
            headers["ETag"] = f'"{hash(whole):x}"'
        if status == 206:
            headers["Content-Range"] = f"bytes {first}-{last}/{len(whole)}"
        if path.endswith(".mvt") and body[:2] == b"\x1f\x8b":
            headers["Content-Encoding"] = "gzip"
        for key, value in headers.items():
            self.send_header(key, str(value))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # The page has given up.
