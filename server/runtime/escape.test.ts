/**
 * The escape suite: none of the probes gets anywhere in any sandbox this machine has, and without a sandbox they do, so
 * that a probe which is broken doesn't pass for a wall.
 */
import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denoBinary } from './deno-binary.ts';
import { type Bait, elsewhere, elsewhereByIpv6, probes } from './escape-probes.ts';
import type { FunctionSpec, Runtime } from './runtime.ts';
import { call, openRuntime, SANDBOXES, specOf } from './testing.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'escape-'));
const hits: string[] = [];
const web = createServer((request, response) => {
  const { url = '/' } = request;
  hits.push(url);
  if (url === '/redirect') response.writeHead(302, { location: '/inner' }).end();
  else if (url === '/code.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end('export default 1');
  else if (url === '/events') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  else response.end('inner');
});
web.on('connection', () => hits.push('connection'));
const udp = createSocket('udp4').on('message', () => hits.push('udp'));
const unix = createSocketServer((socket) => {
  hits.push('unix');
  socket.end();
});
const bystander = spawn('sleep', ['600'], { stdio: 'ignore', env: { SECRET: 'of another' } });

const bait: Bait = {
  port: 0,
  udpPort: 0,
  unixPath: path.join(folder, 'service.sock'),
  secretFile: path.join(folder, 'secret.js'),
  folder,
  pid: bystander.pid ?? 0,
  mixed: 'localhost',
};

beforeAll(async () => {
  writeFileSync(bait.secretFile, 'export default "secret"', { mode: 0o644 });
  await once(web.listen(0, '::'), 'listening');
  await once(unix.listen(bait.unixPath), 'listening');
  await once(udp.bind(0, '127.0.0.1'), 'listening');
  bait.port = (web.address() as AddressInfo).port;
  bait.udpPort = udp.address().port;
});
afterAll(() => {
  web.close();
  web.closeAllConnections();
  unix.close();
  udp.close();
  bystander.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

type Outcome = { got?: unknown; refused?: string };
/** One function with every probe, chosen by path; it tells what came out. */
const source = (all: [string, string][]) => `
  const tries = [${all.map(([, expression]) => `async () => ${expression}`).join(',\n')}];
  export const attempt = async (index) => {
    try { return { got: (await tries[index]()) ?? null }; }
    catch (error) { return { refused: error?.name + ': ' + error?.message + ' ' + (error?.cause ?? '') }; }
  };`;

const DENIED =
  /Requires .* access|access denied|Worker is not defined|is not a public address|allocation failed|unsuccessful tunnel|not available|PermissionDenied|EACCES|NotCapable|refused|Command failed|--no-remote|import access|OutOfMemory|ENOTSUP|is not (supported|implemented)/s;

const MIXED = 'mixed.test';

describe.each(SANDBOXES)('with %s', (sandbox) => {
  let runtime: Runtime;
  let spec: FunctionSpec;
  const all = () => [
    // Deno asks the system, which knows no such name.
    ...probes({ ...bait, mixed: sandbox === 'bwrap' ? MIXED : bait.mixed }),
    ...elsewhere,
    ...(sandbox === 'bwrap' ? elsewhereByIpv6 : []),
  ];
  beforeAll(async () => {
    const lookUp: LookupFunction = (host, options, done) => {
      const here = { address: '127.0.0.1', family: 4 };
      if (host !== MIXED) return dns.lookup(host, options, done);
      options.all ? done(null, [{ address: '198.41.0.4', family: 4 }, here]) : done(null, here.address, 4);
    };
    runtime = await openRuntime({ sandbox, outside: { lookUp } });
    spec = await specOf({
      'probes.js': source(all()),
      'index.js': "import { attempt } from './probes.js'; export default ({ path }) => attempt(Number(path.slice(1)));",
    });
  });
  afterAll(() => runtime.close());

  test('the mode is what was asked for', () => expect(runtime.mode).toBe(sandbox));

  test.each(all().map(([name], index) => [name, index] as const))('%s leads nowhere', async (_, index) => {
    hits.length = 0;
    const { status, body, finish } = await call(runtime, spec, { path: `/${index}` });
    const outcome: Outcome = status === 200 ? JSON.parse(body) : { refused: finish.error?.name ?? '' };
    expect(outcome).toEqual({ refused: expect.stringMatching(DENIED) });
    expect(hits).toEqual([]);
  });
});

test('without a sandbox every probe gets somewhere', async () => {
  const file = path.join(folder, 'naked.mjs');
  const all = [...probes(bait), ...elsewhere, ...elsewhereByIpv6];
  writeFileSync(
    file,
    `${source(all)}\nfor (let n = 0; n < ${all.length}; n++) Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(await attempt(n)) + '\\n'));\nDeno.exit(0);`,
  );
  const { stdout } = await promisify(execFile)(denoBinary(), ['run', '-A', '--quiet', '--no-config', file], {
    env: { ...process.env, NO_PROXY: '*', DENO_DIR: path.join(folder, 'cache') },
    maxBuffer: 1 << 24,
  });
  const outcomes: Outcome[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const certain = probes(bait).length;
  const broken = all.flatMap(([name], index) => {
    const outcome = outcomes[index] ?? {};
    const worked =
      'got' in outcome || (index >= certain && !DENIED.test(outcome.refused?.replace(/Connection refused/i, '') ?? ''));
    return worked ? [] : [{ name, ...outcome }];
  });
  expect(broken).toEqual([]);
});

test('there are enough of them', () => expect(probes(bait).length + elsewhere.length).toBeGreaterThanOrEqual(40));
