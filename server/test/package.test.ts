/** The npm package as users install it: packed, installed into an empty folder, and run from there. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';
import { forAll, sinkForAll, spawnedForEach } from './shared-set-up.ts';
import { ADMIN, alive, type Command, descendants, freePort, KEY, type Spawned } from './spawned.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_INSTALL_MB = 400;
const onLinux = existsSync('/proc/self/stat');

/** The folder has to be below the repository, whose packages are bundled. */
const installed = forAll(
  async () => {
    const cache = join(ROOT, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'package-'));
    const script = join(ROOT, 'scripts/package.ts');
    execFileSync(process.execPath, [script, '--out', join(folder, 'packed')], { cwd: ROOT, stdio: 'pipe' });
    const [tarball = ''] = readdirSync(join(folder, 'packed')).filter((name) => name.endsWith('.tgz'));
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const options = ['--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...options, join(folder, 'packed', tarball)], { cwd: project, stdio: 'pipe' });
    return { folder, project, at: join(project, 'node_modules/sluice') };
  },
  async ({ folder }) => rmSync(folder, { recursive: true, force: true }),
);
const sink = sinkForAll();
const { folder, run } = spawnedForEach();

/** The command in a folder without a package.json: the project's would be a part of the environment. */
const command = (...args: string[]): Command => ({
  file: join(installed.project, 'node_modules/.bin/sluice'),
  args,
  cwd: folder(),
});

function sluice(args: string[], env: Record<string, string> = {}) {
  const { file, cwd } = command();
  return execFileSync(file, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
}

async function start(dataDir: string, env: Record<string, string> = {}, program = command()): Promise<Spawned> {
  const port = await freePort();
  const domain = { SLUICE_FUNCTIONS_DOMAIN: `fn.localhost:${port}` };
  const service = await run(dataDir, port, { ...domain, ...env }, program);
  expect(service.output()).toContain('Sluice is ready');
  return service;
}

async function call<T>(service: Spawned, method: string, path: string, body?: unknown): Promise<T> {
  const reply = await service.call<T>(method, path, body);
  expect([path, reply.status, reply.status === 200 ? '' : reply.body]).toEqual([path, 200, '']);
  return reply.body;
}

/** The response to a GET with exactly these headers; `fetch` adds others, and the host can't be set. */
function get(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((ok, refuse) => {
    const receive = async (response: IncomingMessage) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      ok(text);
    };
    request(url, { headers }, receive).on('error', refuse).end();
  });
}

/** Deploys a function and calls it at its URL. */
async function runFunction(service: Spawned, name: string, runtime: string, files: Record<string, string>) {
  const made = await call<Reply<'functionCreate'>>(service, 'POST', '/functions', {
    name,
    runtime,
    files,
    visibility: 'PUBLIC',
  });
  const { host } = new URL(made.function.url);
  return get(service.url, { host, authorization: `Bearer ${KEY}` });
}

describe('the package', () => {
  it('contains compiled files, its licences, and installs within the limit', () => {
    const files = readdirSync(installed.at, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => /\.tsx?$|\.test\.js$|(^|\/)test\//.test(path))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENCES.md', 'dist/licenses.md']),
    );
    expect(readFileSync(join(installed.at, 'THIRD-PARTY-LICENCES.md'), 'utf8')).toContain('### kysely ');
    const sizeMb = Number.parseInt(execFileSync('du', ['-sk', installed.project], { encoding: 'utf8' }), 10) / 1024;
    console.log(`the installed package has ${sizeMb.toFixed(0)} MB`);
    expect(sizeMb).toBeLessThanOrEqual(MAX_INSTALL_MB);
  });

  it('has a help and a version, and names unknown commands', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(sluice(['--version'])).toBe(`${version}\n`);
    const help = sluice(['--help']);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = Object.keys(scripts).filter((name) => new RegExp(`^  ${name} `, 'm').test(help));
    expect(commands).toEqual([
      'start',
      'export',
      'import',
      'restore',
      'replace-key',
      'release',
      'reset',
      'create-account',
      'end-sessions',
      'reset-password',
    ]);
    expect(() => sluice(['strat'])).toThrow('There is no command strat.');
  });

  it('serves the console, delivers events and runs functions, and stops by SIGTERM', async () => {
    const service = await start(folder());
    console.log(/ready after .* s/.exec(service.output())?.[0]);
    const page = await get(service.url, { accept: 'text/html' });
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) {
      const { status, headers } = await fetch(service.url + path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, expect.not.stringContaining('html')]);
    }

    const signedIn = await fetch(`${service.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify(ADMIN),
    });
    expect(signedIn.status).toBe(200);

    const { trigger } = await call<Reply<'triggerCreate'>>(service, 'POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `${sink.url}/delivered` }],
    });
    await call(service, 'POST', `/triggers/${trigger.trigger_id}/events`, { payload: { stock: 7 } });
    const delivered = () => sink.received('/delivered').map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
    await expect.poll(delivered).toEqual([{ stock: 7 }]);

    const js = { 'index.ts': 'export default { fetch: (_: Request): Response => new Response("from JavaScript") };' };
    expect(await runFunction(service, 'js', 'nodejs24.x', js)).toContain('from JavaScript');
    const python = {
      'main.py': 'def handler(event, context):\n    return {"statusCode": 200, "body": "from Python"}\n',
    };
    expect(await runFunction(service, 'python', 'python3.12', python)).toContain('from Python');
    const search = async () => call<Reply<'functionSearch'>>(service, 'GET', '/functions/search?q=%22from%20Java%22');
    await expect.poll(async () => (await search()).functions.map(({ name }) => name)).toEqual(['js']);

    const below = onLinux ? descendants(service.pid) : [];
    expect(await service.kill('SIGTERM')).toBe(0);
    await expect.poll(() => alive(below)).toEqual([]);
  });

  it('runs the scripts of operators, whose texts name its command', async () => {
    const [data, copy] = [folder(), folder()];
    const service = await start(data);
    await call(service, 'POST', '/api-keys', { name: 'before the export' });
    const file = join(folder(), 'export.sluice');
    expect(sluice(['export', '--to', file], { SLUICE_DATA_DIR: data })).toContain('Exported');
    const link = sluice(['reset-password', ADMIN.email], { SLUICE_DATA_DIR: data, SLUICE_CONSOLE_URL: service.url });
    expect(link).toContain(`${service.url}/`);
    expect(await service.kill('SIGTERM')).toBe(0);

    expect(sluice(['import', '--from', file], { SLUICE_DATA_DIR: copy })).toContain('`npx sluice release`');
    expect(sluice(['release'], { SLUICE_DATA_DIR: copy })).toContain('Released.');
    expect(() => sluice(['import'], { SLUICE_DATA_DIR: copy })).toThrow('npx sluice import --from <file>');
    expect(sluice(['reset', '--yes'], { SLUICE_DATA_DIR: copy })).toContain(`Removed ${copy}`);
  });

  it.runIf(onLinux)('runs as several processes that send traces, and ends with the npx that started it', async () => {
    const npx = { file: 'npx', args: ['--no-install', 'sluice'], cwd: installed.project };
    const collector = await startOtlpReceiver();
    const service = await start(folder(), { SLUICE_PROCESSES: '2', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, npx);
    const body = {
      name: 'Traced',
      runtime: 'nodejs24.x',
      files: { 'index.ts': 'export default { fetch: () => new Response("ok") };' },
    };
    const made = await call<Reply<'functionCreate'>>(service, 'POST', '/functions', body);
    await call(service, 'POST', `/functions/${made.function.function_id}:invoke`, {});
    await expect.poll(() => collector.spans.map(({ name }) => name)).toContain('function run');
    const below = descendants(service.pid);
    expect(below.filter(({ command }) => command.includes('service-process.js')).length).toBeGreaterThan(0);
    await service.kill('SIGTERM');
    await expect.poll(() => alive(below)).toEqual([]);
    await collector.close();
  });
});
