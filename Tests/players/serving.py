"""A web server on the loopback: pages and files by path, with byte ranges as browsers ask for them, and what pages send back."""

import http.server
import os
import re
import threading

TYPES = {".mp4": "video/mp4", ".mov": "video/mp4", ".webm": "video/webm", ".mkv": "video/webm"}


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A browser hangs up when it has seen enough: nobody needs to hear of it."""


class Server:
    """`pages`: HTML by path; `files`: their number is their path, as /0.mp4. What is posted comes to `received`."""

    def __init__(self, pages, files, received=None):
        handler = type("Handler", (Handler,), {"pages": pages, "files": files, "received": staticmethod(received)})
        self.server = QuietServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def name(number, path):
    return f"/{number}{os.path.splitext(path)[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, kind, body, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path in self.pages:
            return self.answer(200, "text/html; charset=utf-8", self.pages[self.path].encode())
        wanted = re.fullmatch(r"/(\d+)(\.\w+)", self.path)
        if wanted is None or int(wanted[1]) >= len(self.files):
            return self.answer(404, "text/plain", b"")
        with open(self.files[int(wanted[1])], "rb") as file:
            return self.send_file(file.read(), TYPES.get(wanted[2], "application/octet-stream"))

    def send_file(self, data, kind):
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if span is None:
            return self.answer(200, kind, data, Accept_Ranges="bytes")
        first, last = int(span[1]), min(int(span[2] or len(data) - 1), len(data) - 1)
        place = f"bytes {first}-{last}/{len(data)}"
        return self.answer(206, kind, data[first : last + 1], Accept_Ranges="bytes", Content_Range=place)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.received(self.path, dict(self.headers), body)
        self.answer(200, "text/plain", b"")
