"""
HTTP for a Python that has no sockets. http.client, and urllib.request with it, goes on writing its request and
reading its answer; in between stands fetch, under the network policy that holds for the whole process. A call waits
by having the interpreter's stack put aside, so other runs go on meanwhile.
"""
import http.client
import io
import socket
import urllib.error
import urllib.request

from pyodide.ffi import JsException, run_sync, to_js

MESSAGE_MAX = 300


class FetchSocket:
    """As much of a socket as http.client uses."""

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
    import js

    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = [line.split(": ", 1) if ": " in line else line.split(":", 1) for line in lines]
    if any(name.lower() == "transfer-encoding" for name, _ in headers):
        body = b"".join(_chunks(body))
    dropped = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")
    options = {
        "method": method,
        "redirect": "manual",
        "headers": [[name, value] for name, value in headers if name.lower() not in dropped],
    }
    if body and method not in ("GET", "HEAD"):
        options["body"] = to_js(body)
    if timeout is not None:
        options["signal"] = js.AbortSignal.timeout(int(timeout * 1000))
    try:
        response = _waited(js.fetch(origin + target, to_js(options, dict_converter=js.Object.fromEntries)))
        data = _waited(response.arrayBuffer()).to_bytes()
    except JsException as error:
        raise ConnectionError(str(error)[:MESSAGE_MAX]) from None
    gone = ("content-encoding", "content-length", "transfer-encoding", "connection")
    answer = [f"HTTP/1.1 {response.status} {response.statusText}"]
    answer += [f"{name}: {value}" for name, value in (pair.to_py() for pair in response.headers) if name not in gone]
    answer += [f"content-length: {len(data)}", "connection: close", "", ""]
    return "\r\n".join(answer).encode("latin-1", "replace") + data


def _waited(promise):
    """Its value. Its failure is raised here, and reported as stray nowhere."""
    import js

    [outcome] = run_sync(js.Promise.allSettled(to_js([promise])))
    if outcome.status == "fulfilled":
        return outcome.value
    if outcome.reason.name == "TimeoutError":
        raise TimeoutError("timed out")
    raise ConnectionError(str(outcome.reason)[:MESSAGE_MAX])


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


def install():
    http.client.HTTPConnection.connect = _origin("http", 80)
    http.client.HTTPSConnection = HTTPSConnection
    urllib.request.HTTPSHandler = HTTPSHandler
