/** The database accepts no writes, or no connections: callers get a retry-later response; nothing counts as stored. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import { type Service, startService } from '../../test/service.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const role = `guest_${randomBytes(4).toString('hex')}`;
const password = randomBytes(8).toString('hex');

let owner: Service;
/** A node on the owner's database, as a role that can be locked out. */
let guest: Service;
let admin: Client;
let hook: string;
beforeAll(async () => {
  owner = await startService({ env });
  admin = new Client({ connectionString: inject('databaseUrl').replace('{database}', 'postgres') });
  await admin.connect();
  await admin.query(`create role ${role} login password '${password}' in role current_user`);
  const address = new URL(owner.databaseUrl);
  address.username = role;
  address.password = password;
  guest = await startService({ env: { ...env, DATABASE_URL: address.href, SLUICE_DATA_DIR: owner.dataDir } });
  const { ingress } = await makeTrigger(owner, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
  });
  hook = new URL(ingress?.url ?? '').pathname;
});
afterAll(async () => {
  await guest.stop();
  await owner.stop();
  await admin.query(`drop role ${role}`);
  await admin.end();
});

const post = () => fetch(`${guest.url}${hook}`, { method: 'POST', body: '{"n":1}' });
const read = () => fetch(`${guest.url}/api/triggers`, { headers: { authorization: `Bearer ${owner.key}` } });
const test = (trigger_id: string) =>
  fetch(`${guest.url}/api/triggers/${trigger_id}:test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.key}` },
  });

/**
 * Ends every connection of the role, once it may open no other. One that was being opened has no role yet, and may
 * already have been let in.
 */
async function throwOut() {
  const { rows } = await admin.query<{ now: string }>('select clock_timestamp()::text as now');
  const left = async () => {
    const { rowCount } = await admin.query(
      `select case when usename = $1 then pg_terminate_backend(pid) end from pg_stat_activity
       where usename = $1 or (usename is null and backend_type = 'client backend' and backend_start < $2)`,
      [role, only(rows).now],
    );
    return rowCount;
  };
  await expect.poll(left).toBe(0);
}

async function expectBusy(response: Response) {
  const body = await response.json();
  expect([response.status, body]).toEqual([
    503,
    { message: 'The database is temporarily unavailable; try again shortly.', type: 'Service Unavailable', code: 503 },
  ]);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.headers.get('x-request-id')).toBeTruthy();
}

/** The stored events of the webhook endpoint. */
const stored = async () => (await owner.api<Reply<'eventListAll'>>('GET', '/events')).body.events.length;

describe('while it accepts no connections', () => {
  it.each([
    {
      why: 'there are too many connections',
      shut: `alter role ${role} connection limit 0`,
      open: `alter role ${role} connection limit -1`,
    },
    { why: 'the account is locked', shut: `alter role ${role} nologin`, open: `alter role ${role} login` },
  ])('as $why, callers and sources get a retry-later response', async ({ shut, open }) => {
    const before = await stored();
    await admin.query(shut);
    onTestFinished(async () => {
      await admin.query(open);
    });
    await throwOut();
    for (let i = 0; i < 15; i++) {
      await expectBusy(await read());
      await expectBusy(await post());
    }
    await admin.query(open);
    await expect.poll(async () => (await read()).status).toBe(200);
    expect(await stored()).toBe(before);
    expect((await post()).status).toBe(200);
    expect(await stored()).toBe(before + 1);
  });
});

describe('while nothing can be written', () => {
  it.each([
    { why: 'the disk is full', code: '53100' },
    { why: 'there is no memory left', code: '53200' },
  ])('as $why, nothing is acknowledged, and reads still work', async ({ code }) => {
    const { trigger_id } = only((await owner.api<Reply<'triggerList'>>('GET', '/triggers')).body.triggers);
    const before = await stored();
    await sql
      .raw(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`)
      .execute(owner.services.db);
    const accept = () => sql.raw('drop function if exists refuse() cascade').execute(owner.services.db);
    onTestFinished(async () => {
      await accept();
    });
    await sql
      .raw('create trigger refuse before insert on events for each row execute function refuse()')
      .execute(owner.services.db);
    await expectBusy(await post());
    await expectBusy(await test(trigger_id));
    expect((await read()).status).toBe(200);
    await accept();
    expect(await stored()).toBe(before);
    expect((await post()).status).toBe(200);
    expect(await stored()).toBe(before + 1);
  });
});
