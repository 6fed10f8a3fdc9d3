/**
 * Escape attempts from Python: expressions that return a value when they succeed. The first kind uses JavaScript, which
 * Python code can access: the sandbox has to stop it, and without a sandbox each succeeds. The second kind fails in
 * Python itself, which has an in-memory file system, and no sockets, processes or threads.
 */
import type { Bait } from '../../escape/escape-bait.ts';

const js = (code: string) => `run_sync(run_js(${JSON.stringify(`(async () => ${code})()`)}))`;

export const byJavaScript = (b: Bait): [name: string, expression: string][] => [
  ['a file', `js.Deno.readTextFileSync("${b.secretFile}")`],
  ['a file, by node:fs', js(`(await import('node:fs')).readFileSync('${b.secretFile}', 'utf8')`)],
  ['a file, as a module', js(`(await import('file://${b.secretFile}')).default`)],
  ['a folder', "len(list(js.Deno.readDirSync('/')))"],
  ['writing', js(`(Deno.writeTextFileSync('${b.folder}/new', 'x'), 'written')`)],
  ['a program', js("new Deno.Command('/bin/sh', { args: ['-c', 'echo hi'] }).outputSync().code + 1")],
  [
    'a program, by node:child_process',
    js("String((await import('node:child_process')).execFileSync('/bin/true')) || 1"),
  ],
  ['a signal to another process', js(`(Deno.kill(${b.pid}, 'SIGCONT'), 'sent')`)],
  ['native code', js("Deno.dlopen('libc.so.6', { getpid: { parameters: [], result: 'i32' } }).symbols.getpid()")],
  ['its own environment in /proc', "js.Deno.readTextFileSync('/proc/self/environ')"],
  ["another process's environment", `js.Deno.readTextFileSync("/proc/${b.pid}/environ")`],
  ['the host name', 'js.Deno.hostname()'],
  ["the service's address", js(`(await fetch('http://127.0.0.1:${b.port}/')).status`)],
  ["the service's address, by urllib", `urllib.request.urlopen("http://127.0.0.1:${b.port}/", timeout=5).status`],
  ["the service's address, in decimal", `urllib.request.urlopen("http://2130706433:${b.port}/", timeout=5).status`],
  ['a redirect to it', `urllib.request.urlopen("http://localhost:${b.port}/redirect", timeout=5).status`],
  ['a connection', js(`(await Deno.connect({ hostname: '127.0.0.1', port: ${b.port} })).close() ?? 'connected'`)],
  ["another process's socket", js(`(await Deno.connect({ transport: 'unix', path: '${b.unixPath}' })).close() ?? 1`)],
  ['listening', js("(Deno.listen({ hostname: '127.0.0.1', port: 0 }).close(), 'listened')")],
];

export const byPython = (b: Bait): [name: string, expression: string][] => [
  ['a file, by open()', `open("${b.secretFile}").read()`],
  ['who this machine knows', 'open("/etc/passwd").read()'],
  ["another process's environment, by open()", `open("/proc/${b.pid}/environ").read()`],
  ['its own memory', 'open("/proc/self/mem", "rb").read(1)'],
  ['a program, by subprocess', 'subprocess.run(["/bin/true"])'],
  ['a shell', 'os.system("true") == 0 or refuse("os.system")'],
  ['a fork', 'os.fork()'],
  ['a thread', 'threading.Thread(target=print).start() or "started"'],
  ['a process of multiprocessing', 'multiprocessing.Process(target=print).start() or "started"'],
  ['a socket', `connected("127.0.0.1", ${b.port})`],
  ['native code, by ctypes', 'ctypes.CDLL("libc.so.6").getpid()'],
  ['a package from elsewhere', 'run_sync(pyodide_js.loadPackage("numpy")) or __import__("numpy").__name__'],
  [
    "the interpreter's files",
    'js.Deno.readFileSync(next(iter(js.Deno.args.to_py()[4:]), "/rt/python") + "/host.json").length',
  ],
  ['what is mounted of Node', 'pyodide_js.mountNodeFS("/mnt", "/") or os.listdir("/mnt")[0]'],
];

/** A function that runs the probe whose number is its path. */
export const escapeSource = (all: [string, string][]): string => `
import importlib, os, socket, subprocess, threading, urllib.request
import js, pyodide_js
from pyodide.code import run_js
from pyodide.ffi import run_sync
ctypes, multiprocessing = (importlib.import_module(name) for name in ("ctypes", "multiprocessing"))

def refuse(what):
    raise OSError(f"{what} is not supported")

def connected(host, port):
    # It lets itself be opened, and never is: what it is made of here is a WebSocket.
    link = socket.create_connection((host, port), timeout=1)
    link.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
    return link.recv(10).decode() or refuse("a socket")

tries = [${all.map(([, expression]) => `lambda: ${expression}`).join(',\n')}]

def handler(event, context):
    try:
        return {"got": str(tries[int(event["path"][1:])]())}
    except BaseException as error:
        return {"refused": f"{type(error).__name__}: {error}"}
`;
