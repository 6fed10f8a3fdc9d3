/** Readiness and intake while the database accepts no writes: locked tables, stopped processes, a full disk. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { only } from '../../deliveries/test/delivery-support.ts';
import { fromNow } from '../../lib/clock.ts';
import { isAlive } from '../../lib/is-alive.ts';
import { newMemoryFolder } from '../../search/test/memory-folder.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { descendants, freePort, type Spawned, start } from '../../test/spawned.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';
import { findPlace } from '../database/embedded/place.ts';
import { readPostmasterFile, signal } from '../database/embedded/processes.ts';

type Readiness = { status: string; checks: Record<string, { ok: boolean; cause?: string }> };

async function readiness(url: string): Promise<{ status: number; body: Readiness }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as Readiness };
}

const ready = { status: 200, body: { status: 'ready', checks: { database: { ok: true }, writes: { ok: true } } } };

describe('the data folder', () => {
  const service = serviceForAll();

  it('that is gone fails readiness until it is back', async () => {
    const elsewhere = `${service.dataDir}-elsewhere`;
    expect(await readiness(service.url)).toMatchObject({ status: 200, body: { checks: { folder: { ok: true } } } });
    renameSync(service.dataDir, elsewhere);
    await expect
      .poll(() => readiness(service.url))
      .toMatchObject({
        status: 503,
        body: { checks: { database: { ok: true }, folder: { ok: false, cause: 'The data folder does not exist.' } } },
      });
    renameSync(elsewhere, service.dataDir);
    await expect.poll(() => readiness(service.url)).toMatchObject({ status: 200 });
    expect(readdirSync(service.dataDir).filter((name) => name.startsWith('.readiness'))).toEqual([]);
  });
});

describe('while the event tables are locked', () => {
  const sink = sinkForAll();
  const service = serviceForAll({ intakeTimeoutMs: 300 });
  let other: Client;
  beforeAll(async () => {
    other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
  });
  afterAll(() => other.end());

  it('/readyz reports the writes, sources get 503 with Retry-After, and no event is stored twice', async () => {
    const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
    expect(await readiness(service.url)).toMatchObject(ready);
    await other.query('begin; lock table events');
    // All of these get a response while the lock is held.
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(url, JSON.stringify({ n }))));
    for (const { status, headers } of answers) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const made = await service.api('POST', `/triggers/${trigger.trigger_id}/events`, { payload: { n: -1 } });
    expect(made.status).toBe(503);
    const probes = await Promise.all(Array.from({ length: 30 }, () => readiness(service.url)));
    for (const { status, body } of probes) {
      expect(status).toBe(503);
      expect(body).toMatchObject({
        status: 'not ready',
        checks: { database: { ok: true }, writes: { ok: false, cause: 'The event tables are locked.' } },
      });
    }
    const { rows } = await other.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name = 'sluice readiness'`,
    );
    expect(only(rows).n).toBeLessThanOrEqual(2);
    expect(service.services.pipeline.events.waiting()).toBe(0);
    await other.query('commit');

    await expect.poll(() => readiness(service.url)).toMatchObject(ready);
    expect((await post(url, '{"n":100}')).status).toBe(200);
    // Only the batch in progress at the timeout may have been stored.
    const { rows: stored } = await other.query<{ n: number }>(
      `select (payload::json->>'n')::int as n from events where trigger_id = $1 order by 1`,
      [trigger.trigger_id],
    );
    expect(stored.at(-1)).toEqual({ n: 100 });
    expect(stored.length).toBeLessThan(5);
  });

  /** The partitions of today and tomorrow, for a test at midnight. */
  const partitions = (table: string) =>
    [0, 1]
      .map(
        (days) =>
          `${table}_${fromNow(days * 86_400_000)
            .slice(0, 10)
            .replaceAll('-', '')}`,
      )
      .join(', only ');
  it.each([
    ['the partitions of events', partitions('events'), 503],
    ['the partitions of deliveries', partitions('deliveries'), 503],
    ['triggers', 'triggers', 503],
    // Not written for an event without a source's id and with room in its lane.
    ['the partitions of attempts', partitions('attempts'), 200],
    ['ingress_keys', 'ingress_keys', 200],
    ['waiting_deliveries', 'waiting_deliveries', 200],
  ])('/readyz fails during a lock of %s alone', async (_name, tables, status) => {
    const destinations = [{ url: sink.url }];
    const { url } = await listenTo(service, 'webhook', 'webhook.received', { destinations });
    expect(await readiness(service.url)).toMatchObject(ready);
    await other.query(`begin; lock table only ${tables} in access exclusive mode`);
    const locked = {
      status: 503,
      body: { checks: { database: { ok: true }, writes: { ok: false, cause: 'The event tables are locked.' } } },
    };
    const answer = await post(url, '{"n":1}');
    try {
      await expect.poll(() => readiness(service.url)).toMatchObject(locked);
    } finally {
      await other.query('commit');
    }
    expect(answer.status).toBe(status);
    expect(answer.headers.has('retry-after')).toBe(status === 503);
    await expect.poll(() => readiness(service.url)).toMatchObject(ready);
  });

  it('a statement that the database cancels is 503 with Retry-After, not 500', async () => {
    await other.query('begin; lock table triggers');
    const answer = service.api('GET', '/triggers');
    const cancelWaiting = () =>
      other.query(`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'sluice' and wait_event_type = 'Lock'`);
    await expect.poll(async () => (await cancelWaiting()).rowCount).toBeGreaterThan(0);
    const { status, headers } = await answer;
    await other.query('commit');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
});

const onLinux = existsSync('/proc/self/stat');

async function spawnedHook(service: Spawned): Promise<string> {
  const { body } = await service.call<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', {
    name: 'in',
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
  });
  return new URL(new URL(body.trigger.ingress.url).pathname, service.url).href;
}

describe.runIf(onLinux)('by the whole program', () => {
  it('a database whose processes are stopped fails readiness, and sources get 503 with Retry-After', async () => {
    const folder = newMemoryFolder('sluice-stopped');
    chmodSync(folder, 0o755);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const service = await start(folder, await freePort());
    onTestFinished(() => killAll(service));
    const hook = await spawnedHook(service);
    expect((await post(hook, '{"n":1}')).status).toBe(200);
    const running = () => descendants(service.pid).filter(({ command }) => /postgres/.test(command));
    // First the one that starts the others, for the connections that are opened meanwhile.
    const known = readPostmasterFile(findPlace(folder).cluster);
    signal(only(running().filter(({ pid }) => pid === known?.pid)).pid, 'SIGSTOP');
    const database = running();
    expect(database.length).toBeGreaterThan(1);
    for (const { pid } of database) signal(pid, 'SIGSTOP');
    const stopped = await readiness(service.url);
    const refused = await post(hook, '{"n":2}');
    const again = await readiness(service.url);
    for (const { pid } of database) signal(pid, 'SIGCONT');
    for (const { status, body } of [stopped, again]) {
      expect(status).toBe(503);
      expect(body.checks['database']).toMatchObject({ ok: false, cause: expect.stringMatching(/^The database/) });
    }
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await expect.poll(() => readiness(service.url)).toMatchObject(ready);
    expect((await post(hook, '{"n":3}')).status).toBe(200);
    expect(await service.kill('SIGTERM')).toBe(0);
  });

  it.runIf(canMount())('a full disk fails readiness until space is free', async () => {
    const parent = newMemoryFolder('sluice-full');
    const folder = join(parent, 'disk');
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=420m,mode=0755', 'tmpfs', folder]);
    chmodSync(parent, 0o755);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(parent, { recursive: true, force: true });
    });
    const service = await start(folder, await freePort());
    onTestFinished(() => killAll(service));
    const hook = await spawnedHook(service);
    expect(await readiness(service.url)).toMatchObject(ready);
    const filler = join(folder, 'filler');
    fill(filler);
    // Events use up the remaining space in the tables, then none is accepted.
    const large = JSON.stringify({ text: randomBytes(250_000).toString('hex') });
    await expect.poll(async () => (await post(hook, large)).status).toBe(503);
    expect(await readiness(service.url)).toMatchObject({
      status: 503,
      body: {
        status: 'not ready',
        checks: { database: { ok: true }, writes: { ok: false, cause: 'The disk of the database is full.' } },
      },
    });
    rmSync(filler);
    await expect.poll(() => readiness(service.url)).toMatchObject(ready);
    expect((await post(hook, '{"n":3}')).status).toBe(200);
    expect(await service.kill('SIGTERM')).toBe(0);
  });
});

/** The service and its database, even if that is stopped. */
async function killAll(service: Spawned): Promise<void> {
  const below = descendants(service.pid);
  await service.kill('SIGKILL');
  for (const { pid, command } of below) if (/postgres/.test(command) && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function canMount(): boolean {
  if (process.getuid?.() !== 0 || !onLinux) return false;
  const folder = newMemoryFolder('sluice-mount');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 1_048_576; size >= 1024; ) {
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size /= 4;
      }
    }
  } finally {
    closeSync(file);
  }
}
