/** What a function cannot access. Each probe also succeeds where it is allowed, so a broken probe fails the test. */
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { denoBinary } from '../fleet/deno-binary.ts';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, specOf, tempFolder } from '../testing.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'contained-'));
const secretFile = path.join(dir, 'secret.js');
const unixPath = path.join(dir, 'service.sock');
const hits: string[] = [];
const web = createServer((request, response) => {
  hits.push(`${request.url}`);
  response.writeHead(request.url === '/redirect' ? 302 : 200, { location: '/inner' }).end('inner');
});
const unix = createSocketServer((socket) => {
  hits.push('unix');
  socket.end();
});
web.on('connection', () => hits.push('connection'));
let runtime: Runtime;
let port: number;

beforeAll(async () => {
  writeFileSync(secretFile, 'export default "secret"', { mode: 0o644 });
  process.env['SLUICE_TEST_SECRET'] = 'host secret';
  await once(web.listen(0, '0.0.0.0'), 'listening');
  await once(unix.listen(unixPath), 'listening');
  port = (web.address() as AddressInfo).port;
  runtime = await openRuntime();
});
afterAll(async () => {
  await runtime.close();
  web.close();
  unix.close();
  rmSync(dir, { recursive: true });
});

/** Evaluates an expression in the sandbox: returns its value, or the error's name and message. */
async function attempt(expression: string, options: Parameters<typeof specOf>[1] = {}) {
  const spec = await specOf(
    `export default async () => { try { return { got: await (${expression}) ?? null }; } catch (error) { return { refused: error.name + ': ' + error.message + ' ' + error.cause }; } };`,
    options,
  );
  return JSON.parse((await call(runtime, spec)).body) as { got?: unknown; refused?: string };
}

const REFUSED = {
  refused: expect.stringMatching(
    /Requires .* access|access denied|Command failed|is not available to a function|policy of this run does not allow it/s,
  ),
};

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['a name for it', 'localhost'],
  ['another loopback address', '127.8.8.8'],
  ['this host by zero', '0.0.0.0'],
  ['decimal', '2130706433'],
  ['hexadecimal', '0x7f000001'],
  ['short', '127.1'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 unspecified', '[::]'],
  ['mapped', '[::ffff:127.0.0.1]'],
  ['mapped in hexadecimal', '[::ffff:7f00:1]'],
  ['metadata', '169.254.169.254'],
  ['private 10', '10.0.0.1'],
  ['private 172', '172.16.0.1'],
  ['private 192', '192.168.1.1'],
  ['carrier-grade', '100.64.0.1'],
])('ALLOW_ALL does not connect to %s', async (_, host) => {
  hits.length = 0;
  expect(await attempt(`fetch('http://${host}:${port}/').then((r) => r.status)`)).toEqual(REFUSED);
  expect(hits).toEqual([]);
});

test('the server of the probes responds to an allowed request', async () => {
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('inner');
});

test.each(['DENY_ALL', 'ALLOW_LIST'] as const)('%s connects to no unlisted host', async (networkPolicy) => {
  hits.length = 0;
  const options = { networkPolicy, allowedHosts: ['example.com', 'localhost'] };
  for (const host of ['127.0.0.1', 'localhost', '1.1.1.1', 'example.org'])
    expect(await attempt(`fetch('http://${host}:${port}/').then((r) => r.status)`, options)).toEqual(REFUSED);
  expect(hits).toEqual([]);
});

test('ALLOW_LIST connects to its hosts only', async () => {
  const options = { networkPolicy: 'ALLOW_LIST' as const, allowedHosts: ['example.com', '*.example.net'] };
  const states =
    'Promise.all(["example.com", "a.example.net", "example.org"].map(async (host) => (await Deno.permissions.query({ name: "net", host })).state))';
  expect(await attempt(states, options)).toEqual({
    got: ['granted', 'granted', expect.stringMatching(/prompt|denied/)],
  });
  expect(await attempt(states, { networkPolicy: 'DENY_ALL' })).toEqual({
    got: Array(3).fill(expect.stringMatching(/prompt|denied/)),
  });
});

test.each([
  ['raw TCP', (at: number) => `Deno.connect({ hostname: '127.0.0.1', port: ${at} })`],
  [
    'node:net',
    (at: number) =>
      `import('node:net').then((net) => new Promise((resolve, reject) => net.connect(${at}, '127.0.0.1').on('connect', resolve).on('error', reject)))`,
  ],
  [
    'node:http',
    (at: number) =>
      `import('node:http').then((http) => new Promise((resolve, reject) => http.get('http://localhost:${at}', resolve).on('error', reject)))`,
  ],
  [
    'WebSocket',
    (at: number) =>
      `new Promise((resolve, reject) => { const s = new WebSocket('ws://127.0.0.1:${at}'); s.onopen = resolve; s.onerror = (e) => reject(e.error ?? new Error(e.message)); })`,
  ],
  ['a unix socket', () => `Deno.connect({ transport: 'unix', path: '${unixPath}' })`],
  ['listening', () => 'Deno.listen({ port: 0 })'],
  ['listening on IPv6', () => "Deno.listen({ hostname: '::', port: 0 })"],
  ['the file system', () => `Deno.readTextFile('${secretFile}')`],
  ['node:fs', () => `import('node:fs').then((fs) => fs.readFileSync('${secretFile}', 'utf8'))`],
  ['a folder', () => "Array.fromAsync(Deno.readDir('/'))"],
  ['writing', () => `Deno.writeTextFile('${dir}/new', 'x')`],
  ['the temporary folder', () => 'Deno.makeTempFile()'],
  ['importing a file', () => `import('file://${secretFile}'.slice())`],
  ['importing a file as text', () => `import('file://${secretFile}'.slice(), { with: { type: 'text' } })`],
  ['/proc', () => "Deno.readTextFile('/proc/self/environ')"],
  ['a program', () => "new Deno.Command('/bin/id').output()"],
  ['node:child_process', () => "import('node:child_process').then((cp) => String(cp.execFileSync('/bin/id')))"],
  ['the kill of its parent', () => "Deno.kill(Deno.ppid, 'SIGTERM')"],
  ['native code', () => "Deno.dlopen('libc.so.6', {})"],
  ['the host name', () => 'Deno.hostname()'],
  ['a database file', () => `import('node:sqlite').then(({ DatabaseSync }) => new DatabaseSync('${dir}/x.db'))`],
])('%s is denied', async (_, expression) => {
  hits.length = 0;
  expect(await attempt(expression(port))).toEqual(REFUSED);
  expect(hits).toEqual([]);
});

test.each(['https://deno.land/x/a.ts', 'https://example.com/a.js', 'npm:left-pad', 'jsr:@std/path'])(
  '%s loads no code',
  async (specifier) => {
    const refused = expect.stringMatching(/--no-remote|--no-npm|import access/);
    expect(await attempt(`import('${specifier}'.slice())`)).toEqual({ refused });
  },
);

test('requesting a permission does not grant it', async () => {
  expect(await attempt("Deno.permissions.request({ name: 'read' }).then(({ state }) => state)")).toEqual({
    got: 'denied',
  });
});

test('the environment has only the given variables', async () => {
  const environment = '{ ...process.env, ...Deno.env.toObject() }';
  expect(await attempt(environment, { env: { OWN: '1' } })).toEqual({ got: { OWN: '1' } });
  expect(await attempt(environment)).toEqual({ got: {} });
});

test('nothing remains for another function: no storage, no cache, no thread', async () => {
  expect(await attempt('[typeof localStorage, typeof sessionStorage, typeof caches, typeof Worker]')).toEqual({
    got: Array(4).fill('undefined'),
  });
});

test("Deno's cache is read-only, and Deno is unchanged", async () => {
  const parent = tempFolder();
  const other = await openRuntime({ tempDir: parent });
  const [home = ''] = readdirSync(parent);
  const cache = path.join(parent, home, 'cache');
  const entries = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) => path.join(cache, name));
  const own = entries.filter((entry) => !lstatSync(entry).isSymbolicLink());
  expect(own.length).toBeGreaterThan(3);
  for (const entry of [cache, ...own]) expect(statSync(entry).mode & 0o222).toBe(0);
  expect(statSync(denoBinary()).mode & 0o111).toBe(0o111);
  await other.close();
});

test("a function sees neither the run header nor other runs on its process's socket", async () => {
  const spec = await specOf(
    'export default { fetch: (request: Request) => Response.json([...request.headers.keys()]) }',
  );
  expect(
    JSON.parse((await call(runtime, spec, { headers: [['X-Sluice-Run', 'forged http 1.2.3.4 x']] })).body),
  ).toEqual(['host']);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'if the service runs as root, its processes run as a separate user',
  async () => {
    const spec = await specOf('export default () => 1');
    await call(runtime, spec);
    const pid = runtime.stats().processes.find(({ key }) => key === spec.key)?.pid;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+65533\s+65533\s+65533\s+65533$/m);
    expect(status).toMatch(/^Gid:\s+65533\s+65533\s+65533\s+65533$/m);
    expect(status).toMatch(/^Groups:\s*$/m);
  },
);

test('the mode is described in words', () => {
  expect(runtime.mode).toBe('permissions');
  expect(runtime.explanation).toMatch(/no container around it/);
});
