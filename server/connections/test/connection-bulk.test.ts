/** Actions on many connections. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { startService } from '../../test/service.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { freePort, start } from '../../test/spawned.ts';
import { addApp, type Connection, connect, getConnection, newConnection, onLink, tokenOf } from './connecting.ts';

type Bulk = Reply<'connectionBulk'> & { message?: string };
const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addApp(service, 'http://127.0.0.1:9');
});

const bulk = (body: object, key = service.key) => service.api<Bulk>('POST', '/connections:bulk', body, { key });
const result = async (body: object) => (await bulk(body)).body;
const auditOf = async (id: string) =>
  (await service.api<{ entries: { operation: string }[] }>('GET', `/audit?resource_id=${id}`)).body.entries.map(
    ({ operation }) => operation,
  );
async function triggerWith(connection_id: string) {
  const { body } = await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    connection_id,
  });
  return body.trigger.trigger_id;
}
const triggerNow = async (id: string) =>
  (await service.api<{ trigger: Record<string, unknown> }>('GET', `/triggers/${id}`)).body.trigger;

describe('a bulk action', () => {
  it('adds and removes tags, and counts only the connections that it changes', async () => {
    const one = await newConnection(service, app, { tags: ['a'] });
    const two = await newConnection(service, app, { tags: ['a', 'b'] });
    const on = { connection_ids: [one, two, one] };
    const add = { ...on, action: 'ADD_TAGS', tags: ['b', 'c'] };
    expect(await result({ ...add, dry_run: true })).toEqual({ matched: 2, changed: 0, remaining: 2 });
    expect((await getConnection(service, one)).tags).toEqual(['a']);
    expect(await result(add)).toEqual({ matched: 2, changed: 2, remaining: 0 });
    expect((await getConnection(service, one)).tags).toEqual(['a', 'b', 'c']);
    expect((await getConnection(service, two)).tags).toEqual(['a', 'b', 'c']);
    expect(await result(add)).toEqual({ matched: 0, changed: 0, remaining: 0 });
    expect(await result({ ...on, action: 'REMOVE_TAGS', tags: ['a', 'zz'] })).toMatchObject({ changed: 2 });
    expect((await getConnection(service, two)).tags).toEqual(['b', 'c']);
    expect(await auditOf(one)).toEqual(['connectionUpdate', 'connectionUpdate', 'connectionCreate']);
    const many = Array.from({ length: 19 }, (_, n) => `t${n}`);
    expect(await bulk({ ...on, action: 'ADD_TAGS', tags: many })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^tags: .* would have more than 20 tags$/) },
    });
    expect((await getConnection(service, one)).tags).toEqual(['b', 'c']);
  });

  it('disconnects: credentials are deleted, triggers have a reason, and the connection can be reconnected', async () => {
    const id = await connect(service, app, { api_key: 'k' });
    const pending = await newConnection(service, app);
    const trigger = await triggerWith(id);
    const before = await getConnection(service, id);
    const changes: object[] = [];
    const { stop } = service.services.live.subscribe(service.account_id, undefined, (batch) =>
      changes.push(...batch.changes),
    );
    expect(await result({ action: 'DISCONNECT', connection_ids: [id, pending] })).toEqual({
      matched: 1,
      changed: 1,
      remaining: 0,
    });
    const row = await getConnection(service, id);
    expect(row).toMatchObject({ status: 'FAILED', metadata: { failure: { code: 'DISCONNECTED' } } });
    const stored = await service.services.db
      .selectFrom('connections')
      .select('credentials')
      .where('connection_id', '=', id)
      .executeTakeFirst();
    expect(stored).toEqual({ credentials: null });
    expect(await triggerNow(trigger)).toMatchObject({ status: 'ENABLED', reason: 'CONNECTION_FAILED' });
    expect((await getConnection(service, pending)).status).toBe('PENDING');
    expect(await auditOf(id)).toContain('connectionDisconnect');
    await expect.poll(() => changes).toContainEqual({ noun: 'connection', connection_id: id, status: 'FAILED' });
    await expect.poll(() => changes).toContainEqual({ noun: 'trigger', trigger_id: trigger });
    stop();
    // a link of before does not connect it again, a new one does
    const old = await onLink(service, tokenOf(before.url), { method: 'API_KEY', fields: { api_key: 'k' } });
    expect(old.status).not.toBe(200);
    const again = await onLink(service, tokenOf(row.url), { method: 'API_KEY', fields: { api_key: 'k' } });
    expect(again.status).toBe(200);
    expect(await triggerNow(trigger)).toMatchObject({ reason: null });
  });

  it('deletes what a filter matches, only if the number is the expected one', async () => {
    const one = await addApp(service, 'http://127.0.0.1:9');
    const kept = await newConnection(service, one, { tags: ['keep'] });
    const gone = await Promise.all([1, 2, 3].map(() => newConnection(service, one, { tags: ['old'] })));
    const trigger = await triggerWith(gone[0] as string);
    const filter = { app: one, tag: 'old' };
    const wrong = await bulk({ action: 'DELETE', filter, expected_count: 2 });
    expect(wrong).toMatchObject({ status: 409, body: { message: expect.stringContaining('3 connections match now') } });
    expect(await result({ action: 'DELETE', filter, dry_run: true })).toMatchObject({ matched: 3 });
    expect(await result({ action: 'DELETE', filter, expected_count: 3 })).toMatchObject({ changed: 3, remaining: 0 });
    const left = await service.api<{ connections: Connection[] }>('GET', `/connections?app=${one}`);
    expect(left.body.connections.map(({ connection_id }) => connection_id)).toEqual([kept]);
    expect(await triggerNow(trigger)).toMatchObject({ status: 'DISABLED', reason: 'CONNECTION_DELETED' });
    expect(await auditOf(gone[1] as string)).toEqual(['connectionDelete', 'connectionCreate']);
  });

  it('changes at most 1,000 connections, and continues when it is repeated', async () => {
    const one = await addApp(service, 'http://127.0.0.1:9');
    const id = await newConnection(service, one);
    const { db } = service.services;
    const found: ConnectionsTable & { search_text?: string } = await db
      .selectFrom('connections')
      .selectAll()
      .where('connection_id', '=', id)
      .executeTakeFirstOrThrow();
    // A generated column.
    const { search_text: _, ...row } = found;
    const copies = Array.from({ length: 1_199 }, () => ({ ...row, connection_id: newId() }));
    await db.insertInto('connections').values(copies).execute();
    const body = { action: 'DELETE', filter: { app: one } };
    expect(await result({ ...body, expected_count: 1_200 })).toEqual({
      matched: 1_200,
      changed: 1_000,
      remaining: 200,
    });
    expect(await result({ ...body, expected_count: 200 })).toEqual({ matched: 200, changed: 200, remaining: 0 });
  });

  it('does not reach connections of another account', async () => {
    const id = await newConnection(service, app);
    const { key } = await service.secondAccount();
    expect((await bulk({ action: 'DELETE', connection_ids: [id] }, key)).status).toBe(404);
    expect((await bulk({ action: 'DELETE', filter: {}, dry_run: true }, key)).body).toMatchObject({ matched: 0 });
    expect((await bulk({ action: 'DELETE', filter: {}, expected_count: 0 }, key)).status).toBe(200);
    expect((await getConnection(service, id)).status).toBe('PENDING');
  });

  const ids = [newId()];
  it.each<[string, object]>([
    ['action: ', { connection_ids: ids }],
    ['connection_ids: expected either connection_ids or filter', { action: 'DELETE' }],
    ['connection_ids: expected either', { action: 'DELETE', connection_ids: ids, filter: {}, expected_count: 1 }],
    ['connection_ids: expected at least one', { action: 'DELETE', connection_ids: [] }],
    ['connection_ids: expected at most 1000', { action: 'DELETE', connection_ids: Array(1001).fill(ids[0]) }],
    ['connection_ids.0: expected a UUID', { action: 'DELETE', connection_ids: ['x'] }],
    ['tags: expected at least one tag', { action: 'ADD_TAGS', connection_ids: ids }],
    ['tags: expected no tags with DELETE', { action: 'DELETE', connection_ids: ids, tags: ['a'] }],
    ['expected_count: expected the number', { action: 'DELETE', filter: {} }],
    ['filter.tags: unknown field', { action: 'DELETE', filter: { tags: 'x' }, expected_count: 1 }],
    ['filter.q: expected at least one character', { action: 'DELETE', filter: { q: '' }, expected_count: 1 }],
  ])('is rejected with "%s"', async (message, body) => {
    const answer = await bulk(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

it('a call on another node is rejected after the connection was disconnected', async () => {
  const master = `k1:${randomBytes(32).toString('base64')}`;
  const first = await startService({ env: { SLUICE_MASTER_KEY: master } });
  const env = { DATABASE_URL: first.databaseUrl, SLUICE_MASTER_KEY: master };
  const second = await start(first.dataDir, await freePort(), env);
  try {
    const own = await addApp(first, 'http://127.0.0.1:9');
    const id = await connect(first, own, { api_key: 'k' });
    const headers = { authorization: `Bearer ${first.key}`, 'service-connection': id };
    const call = async () => (await fetch(`${second.url}/api/${own}/x`, { headers })).status;
    // The other node has cached the connection: only its app can't be reached.
    expect(await call()).toBe(502);
    await first.api('POST', '/connections:bulk', { action: 'DISCONNECT', connection_ids: [id] });
    await expect.poll(call).toBe(400);
  } finally {
    await second.kill('SIGTERM');
    await first.stop();
  }
});
