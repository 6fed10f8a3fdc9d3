"""
Runs Python functions: imported before the memory snapshot is created, so that a new process does not spend
time on it. open-python.ts calls begin() once, load() with the function's files, and run() for each run. A context
variable contains the run that the current code belongs to. asyncio preserves it through tasks, and a synchronous
handler keeps it while it waits (its stack is suspended then, and another run proceeds).
"""
import asyncio
import base64
import builtins
import collections
import contextvars
import dataclasses
import datetime
import decimal
import hashlib
import hmac
import http.client
import importlib
import inspect
import io
import itertools
import json
import linecache
import logging
import math
import os
import random
import re
import sys
import time
import traceback
import typing
import urllib.parse
import uuid

from pyodide.ffi import can_run_sync, run_sync, to_js

from _sluice import fetching

FOLDER = "/function/"
INNER = ("/_sluice/", "<frozen importlib", "/lib/python312.zip/_pyodide/", "/lib/python312.zip/pyodide/", "/engine.mjs", "ext:")
_current = contextvars.ContextVar("run", default=None)
_outside = None
_waiting = {}
_bodies = {}
_handler = None
_END = object()
# Converting a text to a JavaScript string takes some 30 bytes per character: longer texts are passed as bytes.
LONG = 16_384
# Limit for each text of an exception.
THROWN_MAX = 32_769
# Limit for one line. It exceeds the log limit of a run, which truncates the line and marks it.
SAID_MAX = 262_145


class Run:
    """The data of one run that Python needs."""

    def __init__(self, run_id, token, say, keep):
        self.env = {"GATEWAY_URL": "http://gateway.internal", "GATEWAY_TOKEN": token} if token else {}
        self.run_id = run_id
        self.say = say
        self.keep = keep
        self.begun = {}


class Context:
    """The second argument of a handler."""

    def __init__(self, run, label):
        self._run = run
        self.run_id = run.run_id
        self.function_name = label

    def wait_until(self, work):
        """Extends the run until the awaitable is done, without delaying the response."""
        run = self._run
        waiting = _waiting.setdefault(run.run_id, [])
        waiting.append(asyncio.ensure_future(_kept(work)))
        if len(waiting) == 1:
            run.keep()


async def settle(run_id):
    """Ends when everything that the run passed to wait_until() has ended."""
    waiting = _waiting.get(run_id, [])
    for work in waiting:
        await work
    _waiting.pop(run_id, None)


async def _kept(work):
    try:
        await work
    except BaseException as error:
        _say("error", "wait_until: " + _trace(error))


def _say(level, text):
    run = _current.get() or _outside
    run.say(level, text[:SAID_MAX])


class Lines(io.TextIOBase):
    """sys.stdout and sys.stderr: complete lines are logged to the run that wrote them."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, level):
        self.level = level
        self.buffer = Bytes(self)

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        run = _current.get() or _outside
        whole, line_end, rest = (run.begun.get(self.level, "") + text).rpartition("\n")
        run.begun[self.level] = rest
        if line_end:
            run.say(self.level, whole[:SAID_MAX])
        return len(text)

    def finish(self, run):
        rest = run.begun.pop(self.level, "")
        if rest:
            run.say(self.level, rest[:SAID_MAX])


class Bytes(io.RawIOBase):
    """sys.stdout.buffer, for code that writes bytes."""

    def __init__(self, lines):
        self.lines = lines

    def writable(self):
        return True

    def write(self, data):
        self.lines.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


class Records(logging.Handler):
    """Logs each record of the logging module as a message, at its level."""

    def emit(self, record):
        try:
            level = record.levelno
            name = "error" if level >= 40 else "warn" if level >= 30 else "info" if level >= 20 else "debug"
            _say(name, self.format(record))
        except Exception:
            self.handleError(record)


class Format(logging.Formatter):
    def formatException(self, info):
        return _trace(info[1]) if info[1] else ""


class Environ(os._Environ):
    """os.environ, with the gateway's address and the token of the current run."""

    def _own(self):
        run = _current.get()
        return run.env if run else {}

    def __getitem__(self, key):
        own = self._own()
        return own[key] if key in own else super().__getitem__(key)

    def __iter__(self):
        own = self._own()
        return itertools.chain(own, (key for key in super().__iter__() if key not in own))

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, key):
        return key in self._own() or super().__contains__(key)


def _sleep(seconds):
    """Waits without blocking other runs if the interpreter's stack can be suspended."""
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if can_run_sync():
        run_sync(asyncio.sleep(seconds))
    else:
        _busy_sleep(seconds)


def _run_to_end(main, *, debug=None, loop_factory=None):
    if not inspect.iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    return run_sync(main)


def _trace(error):
    """The traceback in Python's format, with paths as in the function and without the frames of this host."""
    whole = traceback.TracebackException(type(error), error, error.__traceback__)
    seen = set()
    rest = [whole]
    while rest:
        each = rest.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        kept = [frame for frame in each.stack if not any(part in frame.filename for part in INNER)]
        for frame in kept:
            frame.line
            frame.filename = frame.filename.removeprefix(FOLDER)
        each.stack[:] = kept
        filename = getattr(each, "filename", None)
        if isinstance(filename, str):
            each.filename = filename.removeprefix(FOLDER)
        rest.extend((each.__cause__, each.__context__, *(each.exceptions or ())))
    return "".join(whole.format()).rstrip("\n")


_busy_sleep = time.sleep


def begin(say, fetch):
    """Called once in a process with a new interpreter. `say` logs output outside of any run."""
    global _outside
    _outside = Run("", "", say, None)
    # A snapshot would give every process the same state.
    random.seed()
    logging._startTime = time.time()
    fetching.install(fetch)
    time.sleep = _sleep
    asyncio.run = _run_to_end
    asyncio.runners.run = _run_to_end
    sys.stdout = sys.__stdout__ = Lines("info")
    sys.stderr = sys.__stderr__ = Lines("error")
    records = Records()
    records.setFormatter(Format())
    logging.root.handlers[:] = [records]
    logging.root.setLevel(logging.INFO)
    os.environ = Environ(
        {}, os.environ.encodekey, os.environ.decodekey, os.environ.encodevalue, os.environ.decodevalue
    )
    sys.dont_write_bytecode = True


def write(code):
    """Writes the function's files to the in-memory file system. Returns them by path."""
    files = json.loads(code)
    for name, text in files.items():
        path = FOLDER + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return files


def module_of(handler, files):
    """"src/main.handler" → ("src/main.py", "handler"); the file is None if it does not exist."""
    target, _, name = handler.rpartition(".")
    for place in (target, target.replace(".", "/")):
        for path in (place + ".py", place + "/__init__.py"):
            if path in files:
                return path, name
    return None, name


def begin_run(run_id, token, say, keep):
    run = Run(run_id, token, say, keep)
    _current.set(run)
    return run


async def load(run_id, token, say, code, handler, env):
    """Imports the function's module within its first run. Returns the error, like run(), or None."""
    global _handler
    run = begin_run(run_id, token, say, None)
    try:
        for key, value in json.loads(env).items():
            os.environ[key] = value
        files = write(code)
        path, function = module_of(handler, files)
        if path is None:
            raise ImportError(f'The handler "{handler}" needs a file {handler.rpartition(".")[0]}.py')
        # Not invalidate_caches(): it reads the archive of the standard library again, which takes half a second.
        for folder in ("", FOLDER, FOLDER[:-1]):
            sys.path_importer_cache.pop(folder, None)
        sys.path[:0] = [FOLDER[:-1], *([FOLDER + os.path.dirname(path)] if "/" in path else [])]
        # As usual in Python, a file of the function takes precedence over a library module with its name.
        for name in {own.split("/")[0].removesuffix(".py") for own in files} - set(sys.builtin_module_names):
            sys.modules.pop(name, None)
        module = importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        found = getattr(module, function, None)
        if not callable(found):
            what = "there is none" if found is None else f"it is of the type {type(found).__name__}"
            raise TypeError(f'The handler "{handler}" should be a function of {path}, but {what}')
        _handler = found
        return None
    except BaseException as error:
        return _thrown(error)
    finally:
        _finish(run)


def run(*about):
    """Calls the handler. Returns to_js of ["answer", …] or ["throw", …]; or an awaitable of it if the handler is async."""
    # A separate context like that of a task, at a tenth of its cost.
    return contextvars.copy_context().run(_run, *about)


def _run(run_id, token, say, keep, event, label):
    run = begin_run(run_id, token, say, keep)
    later = False
    try:
        value = _handler(json.loads(event if isinstance(event, str) else event.to_bytes()), Context(run, label))
        if inspect.isawaitable(value):
            later = True
            return _awaited(run, value)
        return to_js(["answer", *_answer(run, value)])
    except BaseException as error:
        return _thrown(error)
    finally:
        if not later:
            _finish(run)


async def _awaited(run, work):
    _current.set(run)
    try:
        return to_js(["answer", *_answer(run, await work)])
    except BaseException as error:
        return _thrown(error)
    finally:
        _finish(run)


def _finish(run):
    for lines in (sys.stdout, sys.stderr):
        if isinstance(lines, Lines):
            lines.finish(run)


def _thrown(error):
    return to_js(["throw", type(error).__name__, str(error)[:THROWN_MAX], _trace(error)[:THROWN_MAX]])


def _answer(run, value):
    """Status, headers as JSON, body as text, bytes or None, whether it is Base64, whether it is a generator."""
    value = _of_lambda(value)
    if not _says_all(value, "status"):
        return [200, '{"content-type":"application/json"}', _crossing(_json(value)), False, False]
    headers = value.get("headers")
    headers = {str(name).lower(): each for name, each in headers.items()} if headers is not None else {}
    body = value.get("body")
    if isinstance(body, (bytearray, memoryview)):
        body = bytes(body)
    if hasattr(body, "__next__") or hasattr(body, "__anext__"):
        _bodies[run.run_id] = (run, body)
        return [int(value["status"]), _json(headers), None, False, True]
    if body is not None and not isinstance(body, (str, bytes)):
        headers.setdefault("content-type", "application/json")
        body = _json(body)
    is_base64 = bool(value.get("is_base64_encoded"))
    if isinstance(body, str) and len(body) > LONG:
        if is_base64:
            body = base64.b64decode(body)
        else:
            headers.setdefault("content-type", "text/plain;charset=UTF-8")
    return [int(value["status"]), _json(headers), _crossing(body), is_base64, False]


def _crossing(body):
    return body.encode("utf-8", "replace") if isinstance(body, str) and len(body) > LONG else body


def _says_all(value, key):
    return isinstance(value, dict) and isinstance(value.get(key), int) and not isinstance(value[key], bool)


def _of_lambda(value):
    """Converts a response in the form of AWS Lambda to ours; returns any other value unchanged."""
    if _says_all(value, "status") or not _says_all(value, "statusCode"):
        return value
    headers = {**(value.get("headers") or {}), **(value.get("multiValueHeaders") or {})}
    if isinstance(value.get("cookies"), list):
        headers["set-cookie"] = value["cookies"]
    return {
        "status": value["statusCode"],
        "headers": headers,
        "body": value.get("body"),
        "is_base64_encoded": value.get("isBase64Encoded"),
    }


def next_piece(run_id):
    """The next piece of a generator body, on request: bytes, or None after the last one."""
    return contextvars.copy_context().run(_next_piece, *_bodies[run_id])


def _next_piece(run, pieces):
    _current.set(run)
    if hasattr(pieces, "__anext__"):
        return _next_awaited(run, pieces)
    try:
        return _piece(run, next(pieces, _END))
    except BaseException as error:
        return _broken(run, error)


async def _next_awaited(run, pieces):
    _current.set(run)
    try:
        return _piece(run, await anext(pieces, _END))
    except BaseException as error:
        return _broken(run, error)


def _piece(run, piece):
    if piece is _END:
        _bodies.pop(run.run_id, None)
        _finish(run)
        return to_js(["answer", None])
    if isinstance(piece, str):
        piece = piece.encode()
    if not isinstance(piece, (bytes, bytearray, memoryview)):
        raise TypeError(f"A piece of a body should be str or bytes, not {type(piece).__name__}")
    return to_js(["answer", bytes(piece)])


def _broken(run, error):
    _bodies.pop(run.run_id, None)
    _finish(run)
    return _thrown(error)


def close_body(run_id):
    """The reader has stopped: closes the generator at its current yield, so that its `finally` runs."""
    return contextvars.copy_context().run(_close_body, *_bodies.pop(run_id, (None, None)))


def _close_body(run, pieces):
    if run is None:
        return None
    _current.set(run)
    if hasattr(pieces, "aclose"):
        return _closed(run, pieces)
    try:
        if hasattr(pieces, "close"):
            pieces.close()
    except BaseException as error:
        _say("error", _trace(error))
    _finish(run)


async def _closed(run, pieces):
    _current.set(run)
    try:
        await pieces.aclose()
    except BaseException as error:
        _say("error", _trace(error))
    _finish(run)


def _json(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
