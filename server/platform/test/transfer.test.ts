/** A whole database moved to another server, to a file and back, by the commands of operators. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { HELLO, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { beginScript } from '../../test/operator-script.ts';
import { type Service, startService } from '../../test/service.ts';
import { sinkForAll } from '../../test/shared-set-up.ts';
import { freePort } from '../../test/spawned.ts';
import { listenTo, post, type Trigger } from '../../triggers/test/ingress-support.ts';

const MASTER_KEY = `k1:${Buffer.alloc(32, 5).toString('base64')}`;
const sink = sinkForAll();
const folder = mkdtempSync(join(tmpdir(), 'sluice-transfer-'));
let service: Service;
let hook: { trigger: Trigger; url: string };
let function_id: string;
const made: string[] = [];

const urlOf = (database: string) => inject('databaseUrl').replace('{database}', database);
async function onServer<T>(database: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf(database) });
  await client.connect();
  return use(client).finally(() => client.end());
}
async function newDatabase(): Promise<string> {
  const name = `moved_${newId().replaceAll('-', '')}`;
  await onServer('postgres', (client) => client.query(`create database ${name}`));
  made.push(name);
  return name;
}

beforeAll(async () => {
  service = await startService({ env: { SLUICE_MASTER_KEY: MASTER_KEY } });
  hook = await listenTo(service, 'webhook', 'webhook.received', { destinations: [{ url: `${sink.url}/in` }] });
  for (let n = 0; n < 30; n++) await post(hook.url, `{"n":${n},"text":"\\u00e9 \\ud83d\\ude00"}`);
  const fn = await makeFunction(service, HELLO);
  await invoke(service, fn);
  function_id = fn.function_id;
});
afterAll(async () => {
  await service.stop();
  await onServer('postgres', async (client) => {
    for (const name of made) await client.query(`drop database if exists ${name} with (force)`);
  });
  rmSync(folder, { recursive: true, force: true });
});

const begin = (script: 'export' | 'import', database: string, ...args: string[]) =>
  beginScript(script, args, { cwd: folder, DATABASE_URL: urlOf(database) });
const run = (...args: Parameters<typeof begin>) => begin(...args).ran;

const accountsOf = (database: string) =>
  onServer(database, async (client) => {
    const { rows } = await client.query(`select to_regclass('accounts') is not null as exists`);
    return rows[0].exists ? (await client.query('select from accounts')).rowCount : 0;
  });

/** A service on the database finds everything of the first one, and is on hold. */
async function expectMoved(database: string, origin: string | null): Promise<void> {
  const moved = await startService({ env: { DATABASE_URL: urlOf(database), SLUICE_MASTER_KEY: MASTER_KEY } });
  try {
    const as = { key: service.key };
    const { hold } = (await moved.api<Reply<'holdGet'>>('GET', '/account/hold', undefined, as)).body;
    expect(hold).toMatchObject({ cause: 'COPY', origin });
    const { trigger_id } = hook.trigger;
    const { events } = (
      await moved.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events?limit=100`, undefined, as)
    ).body;
    expect(events.length).toBeGreaterThanOrEqual(30);
    const last = events.at(-1)?.event_id ?? '';
    const read = (of: Service) =>
      of.api<Reply<'eventGet'>>('GET', `/triggers/${trigger_id}/events/${last}`, undefined, as);
    const { event } = (await read(moved)).body;
    expect(event.payload).toEqual((await read(service)).body.event.payload);
    const invoked = await moved.api<Reply<'functionInvoke'>>('POST', `/functions/${function_id}:invoke`, {}, as);
    expect(invoked.body.run.response?.body).toBe('hello');
  } finally {
    await moved.stop();
  }
}

describe('an export to a database', () => {
  it('copies everything while events arrive, and a service continues there', async () => {
    const target = await newDatabase();
    let busy = true;
    const sending = (async () => {
      for (let n = 0; busy; n++) expect((await post(hook.url, `{"meanwhile":${n}}`)).status).toBe(200);
    })();
    const { code, stdout, stderr } = await run('export', service.database, '--to', urlOf(target));
    busy = false;
    await sending;
    expect([code, stderr.split('\n').find((line) => !/: [\d,]+ rows$/.test(line))]).toEqual([0, '']);
    expect(stdout).toMatch(/^Exported [\d,]+ rows of \d+ tables in [\d.]+ s; counts and sums are equal\.$/m);
    expect(stdout).toContain('the copy starts on hold');
    await expectMoved(target, null);
  });

  it('killed leaves an empty database, which the next one fills', async () => {
    const target = await newDatabase();
    await onServer(service.database, async (client) => {
      // It reads this table last, and can’t be complete before it is killed.
      await client.query('begin; lock table users in access exclusive mode');
      const { child, ran } = begin('export', service.database, '--to', urlOf(target));
      await new Promise((ok) => child.stderr?.once('data', ok));
      child.kill('SIGKILL');
      await ran;
    });
    await expect.poll(() => accountsOf(target)).toBe(0);
    expect((await run('export', service.database, '--to', urlOf(target))).code).toBe(0);
    expect(await accountsOf(target)).toBe(1);
  });

  it('refuses a database that has accounts, the same database, and one that does not answer', async () => {
    const full = await run('export', service.database, '--to', urlOf(service.database));
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('The target has accounts already.')]);
    const nowhere = await run('export', service.database, '--to', `postgres://127.0.0.1:${await freePort()}/none`);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/database/i);
    expect(nowhere.stderr).not.toMatch(/\n\s+at /);
  });
});

function canMount(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'sluice-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', at]);
  if (status === 0) spawnSync('umount', [at]);
  rmSync(at, { recursive: true, force: true });
  return status === 0;
}

describe('an export to a file', () => {
  const file = join(folder, 'all.sluice');

  it('is imported into an empty database, and other users cannot read the file', async () => {
    const { code, stderr } = await run('export', service.database, '--to', file);
    expect(code, stderr).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['all.sluice']);
    const target = await newDatabase();
    const imported = await run('import', target, '--from', file);
    expect(imported.code, imported.stderr).toBe(0);
    await expectMoved(target, 'all.sluice');
    const again = await run('import', target, '--from', file);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The target has accounts already.')]);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['is cut off', (path) => truncateSync(path, statSync(path).size - 100), /is not a complete export/],
    ['is empty', (path) => truncateSync(path, 0), /is not a complete export/],
    ['is something else', (path) => writeFileSync(path, 'hello'), /is not a complete export/],
    ['does not exist', (path) => rmSync(path), /does not exist/],
    [
      'was changed',
      (path) => {
        const bytes = readFileSync(path);
        bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff;
        writeFileSync(path, bytes);
      },
      /is not a complete export|differ after the transfer/,
    ],
  ])('that %s changes nothing', async (_, damage, message) => {
    const path = join(folder, 'damaged.sluice');
    writeFileSync(path, readFileSync(file));
    damage(path);
    const target = await newDatabase();
    const { code, stderr } = await run('import', target, '--from', path);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
    expect(await accountsOf(target)).toBe(0);
    rmSync(path, { force: true });
  });

  it.runIf(canMount())('is refused on a full disk, and leaves nothing there', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', disk]);
    // The disk is full long before the rows of one table are read, more than a connection holds.
    await onServer(service.database, (client) =>
      client.query(
        `insert into settings (name, value) select 'large ' || n, repeat(md5(n::text), 3000) from generate_series(1, 300) n`,
      ),
    );
    try {
      const to = join(disk, 'all.sluice');
      const { code, stderr } = await run('export', service.database, '--to', to);
      expect(stderr).toContain(`The disk of ${to}`);
      expect(stderr).toMatch(/is full\.\n/);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect([code, readdirSync(disk)]).toEqual([1, []]);
    } finally {
      await onServer(service.database, (client) => client.query(`delete from settings where name like 'large %'`));
      execFileSync('umount', [disk]);
    }
  });

  it.each([
    [
      'whose disk is full',
      `raise exception 'no space' using errcode = '53100'`,
      /disk of the target’s PostgreSQL is full/,
    ],
    ['that stops', 'perform pg_terminate_backend(pg_backend_pid())', /The connection to a database was lost/],
  ])('is not imported into a database %s, and can be afterwards', async (_, body, message) => {
    const target = await newDatabase();
    const wrong = changed('wrong-sums.sluice', (text) =>
      text.replace('"accounts":{"rows":"1"', '"accounts":{"rows":"2"'),
    );
    expect((await run('import', target, '--from', wrong)).stderr).toContain('The rows of accounts differ');
    await onServer(target, (client) =>
      client.query(`
        create function fail() returns trigger language plpgsql as $$ begin ${body}; return null; end $$;
        create trigger fail before insert on runs for each statement execute function fail();
      `),
    );
    const { code, stderr } = await run('import', target, '--from', file);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, await accountsOf(target)]).toEqual([1, 0]);
    await onServer(target, (client) => client.query('drop trigger fail on runs'));
    expect((await run('import', target, '--from', file)).code).toBe(0);
  });

  it('of a newer schema is refused', async () => {
    const newer = changed('newer.sluice', (text) => text.replace('"schema":[', '"schema":["999-from-the-future",'));
    const target = await newDatabase();
    const { code, stderr } = await run('import', target, '--from', newer);
    expect([code, stderr]).toEqual([1, expect.stringContaining('which is newer.')]);
    expect(await accountsOf(target)).toBe(0);
  });

  it('of an older schema is imported, and migrated by the service', async () => {
    // Its tables as they were before 036; the command itself exports the newest schema only.
    const before = await newDatabase();
    expect((await run('import', before, '--from', file)).code).toBe(0);
    await onServer(before, (client) =>
      client.query(
        `drop table shadow_requests, shadows, gradual_deploys;
         drop table rate_limits, problem_reader, problem_failures, problem_hours, problem_parts, problems;
         alter table events drop column traceparent, drop column tracestate;
         alter table apps drop column paths; alter table audit drop column changes, drop column page;
         alter table attempts drop column xid; alter table runs drop column xid;
         alter table gateway_calls drop column xid, drop column replay_of; alter table rejections drop column xid;
         drop index connections_failing;
         alter table destinations drop column transform_function_id, drop column transform_version;
         alter table attempts drop column transform_function_id, drop column transform_version, drop column transform_run_id;
         alter table deliveries drop column transform_then; alter table replays drop column transform_then;
         drop table connection_refreshes, saved_searches, serving_changes, code_match_hours, connect_sessions, connect_settings, refused_calls,
           captures, captured_calls;
         alter table replays drop column problem_id, drop column canary_passed, drop column left_out, drop column receipt;
         alter table connections drop column search_text, drop column tags, drop column end_user_id, drop column end_user_email, drop column end_user_name,
           drop column check_every_minutes, drop column check_at, drop column check_result, drop column check_failures,
           drop column credentials_expire_at, drop column missing_scopes, drop column denied_calls;
         drop table app_checks, saved_requests; alter table connect_flows drop column next_at`,
      ),
    );
    const reduced = join(folder, 'reduced.sluice');
    expect((await run('export', before, '--to', reduced)).code).toBe(0);
    const older = changed('older.sluice', (text) => text.replace(/,"036-[^\]]*\]/, ']'), reduced);
    const target = await newDatabase();
    const { code, stderr } = await run('import', target, '--from', older);
    expect(code, stderr).toBe(0);
    await expectMoved(target, 'older.sluice');
  });

  /** The export with another content. */
  function changed(name: string, change: (text: string) => string, from = file): string {
    const path = join(folder, name);
    const text = zstdDecompressSync(readFileSync(from)).toString('latin1');
    writeFileSync(path, zstdCompressSync(Buffer.from(change(text), 'latin1')));
    return path;
  }

  it('is refused where it can’t be written', async () => {
    for (const [to, message] of [
      [join(folder, 'none/here'), /does not exist/],
      [join(folder, 'all.sluice'), /exists already/],
      ['/dev/full', /exists already/],
    ] as const) {
      const { code, stderr } = await run('export', service.database, '--to', to);
      expect(stderr).toMatch(message);
      expect(code).toBe(1);
    }
  });
});

it.each([
  ['export', []],
  ['export', ['--to']],
  ['export', ['--out', 'x']],
  ['import', []],
] as const)('%s %j prints how to call it', async (script, args) => {
  const { code, stderr } = await run(script, service.database, ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^Expected .*npm run ${script} -- `))]);
});
