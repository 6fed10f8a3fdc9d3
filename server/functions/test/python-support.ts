import { type LocalApp, startApp } from '../../connections/test/custom-support.ts';

/** A Python function with several parts: the body of a request names the part to run. */
const MAIN = `
import asyncio, json, logging, os, sys, time, urllib.error, urllib.request, http.client
from helpers import greet
from helpers.deep import DEPTH
from pyodide.http import pyfetch

print("loaded")
kept = []

def handler(event, context):
    name, _, rest = event["body"].partition(" ")
    return globals()["do_" + name](event, context, rest)

def do_plain(event, context, rest):
    return [greet(rest), DEPTH, event["method"], event["query_params"], context.function_name]

def do_whole(event, context, rest):
    return {"status": 418, "headers": {"X-Own": "a", "set-cookie": ["a=1", "b=2"]}, "body": {"é": [None, True, 1.5]}}

def do_text(event, context, rest):
    return {"status": 200, "headers": {"content-type": "text/html"}, "body": "<p>"}

def do_bytes(event, context, rest):
    return {"status": 200, "body": bytes(range(256))}

def do_pieces(event, context, rest):
    def pieces():
        try:
            yield "data: first\\n\\n"
            print("between")
            time.sleep(0.001)
            yield b"data: second\\n\\n"
            if rest == "raise":
                raise LookupError("half-way")
            while rest == "endless":
                yield bytes(65536)
        finally:
            print("closed")
    return {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": pieces()}

resumed = asyncio.Event()

async def do_pieces_async(event, context, rest):
    async def pieces():
        yield "first "
        await resumed.wait()
        yield "second"
    return {"status": 200, "body": pieces()}

def do_resume(event, context, rest):
    resumed.set()

def do_pieces_unasked(event, context, rest):
    def pieces():
        try:
            yield "never"
        finally:
            print("closed")
    made = pieces()
    next(made)
    return {"status": 204, "body": made}

def do_piece_of_none(event, context, rest):
    return {"status": 200, "body": iter([None])}

def do_flood(event, context, rest):
    for _ in range(10_000):
        print("x" * 1000)
    return "done"

def do_empty(event, context, rest):
    return {"status": 204}

async def do_async(event, context, rest):
    await asyncio.sleep(0)
    return await asyncio.create_task(asyncio.sleep(0, result="later"))

def do_asyncio_run(event, context, rest):
    return asyncio.run(asyncio.sleep(0, result="run"))

def do_says(event, context, rest):
    print("one", end=" ")
    print("two")
    print("in\\npieces", file=sys.stderr)
    logging.info("said %s", 3)
    logging.getLogger("own").warning("careful")
    logging.debug("unheard")
    try:
        int("x")
    except ValueError:
        logging.exception("seen")
    sys.stdout.write("unfinished")

def do_env(event, context, rest):
    return [os.environ["NAME"], os.getenv("GATEWAY_URL"), len(os.environ["GATEWAY_TOKEN"]) > 20, sorted(os.environ)]

def do_raise(event, context, rest):
    raise LookupError("nothing there")

def do_exit(event, context, rest):
    sys.exit(int(rest))

def do_die(event, context, rest):
    print("last words")
    os._exit(7)

def do_loop(event, context, rest):
    print("before the loop")
    while True:
        pass

def do_hunger(event, context, rest):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))

def do_deep(event, context, rest):
    return do_deep(event, context, rest)

def do_nan(event, context, rest):
    return float("nan")

def do_circle(event, context, rest):
    kept.append(kept)
    return kept

def do_object(event, context, rest):
    return object()

def do_status(event, context, rest):
    return {"status": 999}

def do_wait(event, context, rest):
    async def after():
        await asyncio.sleep(0.01)
        print("afterwards")
    context.wait_until(after())
    return "now"

def do_gateway(event, context, rest):
    request = urllib.request.Request(
        os.environ["GATEWAY_URL"] + rest, data=b"hi", method="PUT",
        headers={"authorization": "Bearer " + os.environ["GATEWAY_TOKEN"], "x-own": "1"})
    with urllib.request.urlopen(request) as answer:
        return [answer.status, answer.headers["x-native"], json.load(answer)]

async def do_pyfetch(event, context, rest):
    answer = await pyfetch(os.environ["GATEWAY_URL"] + rest, headers={"authorization": "Bearer " + os.environ["GATEWAY_TOKEN"]})
    return [answer.status, await answer.json()]

def do_status_error(event, context, rest):
    try:
        urllib.request.urlopen(os.environ["GATEWAY_URL"] + "/nothing-here")
    except urllib.error.HTTPError as error:
        return error.code

def do_private(event, context, rest):
    try:
        return urllib.request.urlopen(rest).status
    except OSError as error:
        return str(error)

def do_many(event, context, rest):
    for turn in range(4):
        print(f"{rest} {turn}")
        time.sleep(0.001 * (int(rest) % 7))
    return int(rest)

async def do_many_async(event, context, rest):
    async def inner(turn):
        await asyncio.sleep(0.001 * ((int(rest) + turn) % 7))
        logging.info(f"{rest} {turn}")
    await asyncio.gather(*(inner(turn) for turn in range(4)))
    return int(rest)
`;

export const PYTHON_FILES = {
  'main.py': MAIN,
  'helpers/__init__.py': 'def greet(name):\n    return f"Hello, {name}"\n',
  'helpers/deep.py': 'from . import greet\nDEPTH = greet("2")\n',
};

/** An API that returns its request. */
export async function startNative(): Promise<LocalApp> {
  return startApp((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on('end', () => {
      res.writeHead(201, { 'content-type': 'application/json', 'x-native': 'yes' });
      res.end(JSON.stringify({ method: req.method, url: req.url, own: req.headers['x-own'], body }));
    });
  });
}
