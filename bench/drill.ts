/**
 * `npm run bench:drill`: an installation from its first start to a cluster and back, by the commands of
 * docs/reference/operating.md, while sources send events: start, fill, export to a PostgreSQL server, three nodes, one of them
 * killed, all restarted one after another, backup, restore on hold, release. Prints the time and the counts of each
 * step. BENCH_EVENTS is the number of events in the history (1,000,000).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginScript } from '../server/test/operator-script.ts';
import { freePort, scratch, start } from '../server/test/spawned.ts';
import { fill, makeTriggers as makeHistoryTriggers } from './deliveries/history.ts';
import { startReceiver } from './deliveries/load.ts';
import { makeFunction, makeTriggers, type Place } from './drill/made.ts';
import { startServer } from './drill/server.ts';
import { startSources } from './drill/sources.ts';
import { SETTINGS } from './settings.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] || 1_000_000);
const NODES = 3;
/** How long the sources send between two steps. */
const STEP_SECONDS = 10;

const rows: string[] = [];
const folder = scratch();
const receiver = await startReceiver();
const server = await startServer();

const settings = { ...SETTINGS, SLUICE_FUNCTIONS_DOMAIN: 'fn.localhost' };
const embedded = { SLUICE_DATA_DIR: folder.path };
const port = await freePort();
let place: Place = await timed('first start, with a new database', async () => start(folder.path, port, settings));
const targets = await makeTriggers(place, receiver.url);
const functionHost = await makeFunction(place);
await timed(`history of ${EVENTS.toLocaleString('en')} events, inserted into its database`, async () => {
  await fill(folder.path, EVENTS, await makeHistoryTriggers(place));
});
const sources = startSources(targets, receiver);
sources.sendTo([place.url]);
await seconds(STEP_SECONDS);
await sources.pause();
note(`events sent meanwhile: ${sources.report()}`);
await timed('stop', () => place.kill('SIGTERM'));

const cluster = await server.create('cluster');
await timed('export to PostgreSQL', () => operator('export', ['--to', cluster], embedded));

const env = {
  ...settings,
  DATABASE_URL: cluster,
  SLUICE_MASTER_KEY: readFileSync(join(folder.path, 'master.key'), 'utf8').trim(),
  SLUICE_LAME_DUCK_SECONDS: '2',
};
const folders = Array.from({ length: NODES }, scratch);
const ports = await Promise.all(folders.map(() => freePort()));
const nodes: Place[] = [];
for (let index = 0; index < NODES; index++)
  nodes.push(await timed(`start of node ${index + 1} with an empty folder`, () => startNode(index)));
for (const node of nodes) await functionHost.call(node);
note(`the function answers on ${NODES} nodes`);
sources.sendTo(nodes.map(({ url }) => url));
await seconds(STEP_SECONDS);

await nodes[1]?.kill('SIGKILL');
await timed('kill -9 of node 2, until all events acknowledged before it have arrived', () => sources.settled());
nodes[1] = await startNode(1);
await seconds(STEP_SECONDS);
note(`events: ${sources.report()}`);

await timed('restart of the three nodes, one after another', async () => {
  for (const [index, node] of nodes.entries()) {
    await node.kill('SIGTERM');
    nodes[index] = await startNode(index);
  }
});
note(`events: ${sources.report()}`);

const backup = join(folder.path, 'backup');
await timed('backup to a file, under traffic', () => operator('export', ['--to', backup], { DATABASE_URL: cluster }));
await sources.pause();
note(`events: ${sources.report()}`);
for (const node of nodes) await node.kill('SIGTERM');

const restored = await server.create('restored');
await timed('restore', () => operator('import', ['--from', backup], { DATABASE_URL: restored }));
const copyFolder = scratch();
const copyPort = await freePort();
place = await timed('start of the restored copy', () =>
  start(copyFolder.path, copyPort, { ...env, DATABASE_URL: restored }),
);
const status = await sources.tryOnce(place.url);
const { body } = await place.call<{ hold?: unknown }>('GET', '/account/hold');
note(`on hold: a webhook gets ${status}, GET /account/hold returns ${JSON.stringify(body)}`);
await timed('release', () => operator('release', [], { DATABASE_URL: restored }));
sources.sendTo([place.url]);
await seconds(STEP_SECONDS);
await sources.pause();
note(`events: ${sources.report()}`);
await place.kill('SIGTERM');

await server.stop();
receiver.close();
for (const each of [folder, copyFolder, ...folders]) each.remove();
process.stdout.write(['| step | |', '|---|---|', ...rows, ''].join('\n'));

function startNode(index: number): Promise<Place> {
  const [own, at] = [folders[index], ports[index]];
  if (!own || !at) throw new Error(`there is no node ${index}`);
  return start(own.path, at, env);
}

async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  rows.push(`| ${step} | ${((performance.now() - startedMs) / 1000).toFixed(1)} s |`);
  process.stderr.write(`${rows.at(-1)}\n`);
  return result;
}

function note(text: string): void {
  rows.push(`| | ${text} |`);
  process.stderr.write(`${rows.at(-1)}\n`);
}

/** Runs a command of operators; its last line has the counts. */
async function operator(name: string, args: string[], settings: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await beginScript(name, args, settings).ran;
  if (code !== 0) throw new Error(`${name}: ${stderr}`);
  note(stdout.split('\n', 1)[0] ?? '');
}

function seconds(count: number): Promise<void> {
  return new Promise((ok) => setTimeout(ok, count * 1000));
}
