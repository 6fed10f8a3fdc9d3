"""
HTTP for a Python without sockets. http.client, and therefore urllib.request, writes its request and reads its
response as usual; fetch transports them, under the network policy of the process. While a call waits, the
interpreter's stack is suspended, so that other runs proceed.
"""
import http.client
import io
import json
import socket
import urllib.error
import urllib.request

from pyodide.ffi import run_sync, to_js

MESSAGE_MAX = 300
# Headers that fetch manages, in requests and in responses.
OWN_HEADERS = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")
GONE = ("content-encoding", "content-length", "transfer-encoding", "connection")
_fetch = None


class FetchSocket:
    """The part of a socket that http.client uses."""

    def __init__(self, origin, timeout):
        self.origin = origin
        self.timeout = timeout
        self.sent = bytearray()

    def sendall(self, data):
        self.sent += data

    def settimeout(self, timeout):
        self.timeout = timeout

    def setsockopt(self, *_):
        pass

    def close(self):
        pass

    def makefile(self, mode, *_, **__):
        request, self.sent = bytes(self.sent), bytearray()
        timeout = self.timeout if isinstance(self.timeout, (int, float)) else None
        return io.BufferedReader(io.BytesIO(_answer_to(request, self.origin, timeout)))


def _answer_to(request, origin, timeout):
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = [[part.strip() for part in line.split(":", 1)] for line in lines]
    if any(name.lower() == "transfer-encoding" for name, _ in headers):
        body = b"".join(_chunks(body))
    wanted = {
        "method": method,
        "headers": [pair for pair in headers if pair[0].lower() not in OWN_HEADERS],
        "timeout": None if timeout is None else int(timeout * 1000),
    }
    sent = to_js(body) if body and method not in ("GET", "HEAD") else None
    status, reason, headers, data = run_sync(_fetch(origin + target, json.dumps(wanted), sent)).to_py()
    if status == 0:
        raise TimeoutError("timed out") if reason == "TimeoutError" else ConnectionError(headers[:MESSAGE_MAX])
    data = bytes(data)
    answer = [f"HTTP/1.1 {status} {reason}"]
    answer += [f"{name}: {value}" for name, value in headers if name not in GONE]
    answer += [f"content-length: {len(data)}", "connection: close", "", ""]
    return "\r\n".join(answer).encode("latin-1", "replace") + data


def _chunks(body):
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size.split(b";")[0], 16)
        if length == 0:
            return
        yield body[:length]
        body = body[length + 2 :]


def _origin(scheme, usual):
    def connect(self):
        host = f"[{self.host}]" if ":" in self.host else self.host
        self.sock = FetchSocket(f"{scheme}://{host}" + ("" if self.port == usual else f":{self.port}"), self.timeout)

    return connect


class HTTPSConnection(http.client.HTTPConnection):
    default_port = 443

    def __init__(self, host, port=None, *, timeout=socket._GLOBAL_DEFAULT_TIMEOUT, context=None, **more):
        super().__init__(host, port, timeout=timeout, **more)

    connect = _origin("https", 443)


class HTTPSHandler(urllib.request.AbstractHTTPHandler):
    def __init__(self, debuglevel=None, context=None, check_hostname=None):
        super().__init__(debuglevel)

    def https_open(self, request):
        return self.do_open(HTTPSConnection, request)

    https_request = urllib.request.AbstractHTTPHandler.do_request_


def install(fetch):
    global _fetch
    _fetch = fetch
    http.client.HTTPConnection.connect = _origin("http", 80)
    http.client.HTTPSConnection = HTTPSConnection
    urllib.request.HTTPSHandler = HTTPSHandler
