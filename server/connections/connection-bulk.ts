/**
 * Actions on many connections. One request changes at most 1,000, the newest, in one transaction with an audit entry
 * for each. It counts only connections that the action changes, so a repeated request continues, and ends at none. A
 * filter needs the number that it is expected to match: a connection made meanwhile is not deleted unseen.
 */
import { BULK_CONNECTIONS_MAX, TAGS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { ConnectionAction } from '../../contract/states.ts';
import * as auditStore from '../accounts/store/audit.ts';
import { auditEntry, write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, notFound } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { ConnectionsTable, Tx } from '../platform/database/schema.ts';
import { filterOf } from './connections.ts';
import * as flowStore from './store/connect-flows.ts';
import * as store from './store/connection-bulk.ts';
import * as listStore from './store/connection-list.ts';
import * as connectionStore from './store/connections.ts';

type Body = Input<'connectionBulk'>['body'];
/** The state of the changed connections, and the triggers that changed with them. */
type Result = { status?: 'DELETED' | 'FAILED'; trigger_ids: string[] };

/** Performs an action on the listed connections, or on those that a filter matches, or counts them. */
export async function bulk(ctx: Ctx, { body }: Input<'connectionBulk'>): Promise<Reply<'connectionBulk'>> {
  const filter = { ...(await selected(ctx, body)), changed_by: { action: body.action, tags: body.tags ?? [] } };
  if (body.dry_run) {
    const matched = await listStore.count(ctx.db, ctx.account_id, filter);
    return { matched, changed: 0, remaining: matched };
  }
  const done = await write(ctx, async (tx, about) => {
    about(ctx.account_id);
    const rows = await listStore.lockMatching(tx, ctx.account_id, filter, BULK_CONNECTIONS_MAX);
    const isWhole = rows.length < BULK_CONNECTIONS_MAX;
    const matched = isWhole ? rows.length : await listStore.count(tx, ctx.account_id, filter);
    if (body.expected_count !== undefined && body.expected_count !== matched)
      throw conflict(`expected_count: ${matched} connections match now. Check them, then repeat the request.`);
    const result = rows.length > 0 ? await ACTIONS[body.action](tx, rows, body) : { trigger_ids: [] };
    const operation = OPERATIONS[body.action];
    const entries = rows.map(({ connection_id }) => auditEntry({ ...ctx, operation }, connection_id));
    await auditStore.insertAll(tx, ctx.account_id, entries);
    return { rows, matched, ...result };
  });
  for (const { connection_id, status } of done.rows)
    ctx.changed(ctx.account_id, { noun: 'connection', connection_id, status: done.status ?? status });
  for (const trigger_id of done.trigger_ids) ctx.changed(ctx.account_id, { noun: 'trigger', trigger_id });
  return { matched: done.matched, changed: done.rows.length, remaining: done.matched - done.rows.length };
}

/** The audit entry of each connection. */
const OPERATIONS: Record<ConnectionAction, string> = {
  DELETE: 'connectionDelete',
  DISCONNECT: 'connectionDisconnect',
  ADD_TAGS: 'connectionUpdate',
  REMOVE_TAGS: 'connectionUpdate',
};

/** 404 if the account lacks one of the listed connections. */
async function selected(ctx: Ctx, { connection_ids, filter }: Body): Promise<listStore.ConnectionFilter> {
  if (!connection_ids) return filterOf(ctx, filter ?? {});
  const ids = [...new Set(connection_ids)];
  if ((await listStore.count(ctx.db, ctx.account_id, { ids })) < ids.length) throw notFound('Connection');
  return { ids };
}

type Act = (tx: Tx, rows: ConnectionsTable[], body: Body) => Promise<Result>;
const idsOf = (rows: ConnectionsTable[]) => rows.map(({ connection_id }) => connection_id);
const accountOf = ([row]: ConnectionsTable[]) => row?.account_id ?? '';

const ACTIONS: Record<ConnectionAction, Act> = {
  async DELETE(tx, rows) {
    await store.remove(tx, accountOf(rows), idsOf(rows));
    return {
      status: 'DELETED',
      trigger_ids: await connectionStore.disableTriggers(tx, accountOf(rows), idsOf(rows), now()),
    };
  },
  async DISCONNECT(tx, rows) {
    const since = now();
    const failure = { code: 'DISCONNECTED', message: 'An admin disconnected it: its credentials were deleted.', since };
    await store.update(tx, accountOf(rows), idsOf(rows), {
      status: 'FAILED',
      failure: JSON.stringify(failure),
      credentials: null,
      // Links and authorizations of before must not connect it again.
      completed_at: since,
      completed_link: null,
      last_updated_time: since,
      token_expires_at: null,
      refresh_at: null,
      refresh_failing_since: null,
      last_error: null,
      unconfirmed: null,
      refusals: 0,
    });
    await flowStore.removeOf(tx, accountOf(rows), idsOf(rows));
    return {
      status: 'FAILED',
      trigger_ids: await connectionStore.markTriggers(tx, accountOf(rows), idsOf(rows), 'CONNECTION_FAILED', since),
    };
  },
  async ADD_TAGS(tx, rows, { tags = [] }) {
    await setTags(tx, rows, (before) => [...new Set([...before, ...tags])]);
    return { trigger_ids: [] };
  },
  async REMOVE_TAGS(tx, rows, { tags = [] }) {
    await setTags(tx, rows, (before) => before.filter((tag) => !tags.includes(tag)));
    return { trigger_ids: [] };
  },
};

async function setTags(tx: Tx, rows: ConnectionsTable[], change: (before: string[]) => string[]): Promise<void> {
  const changed = rows.map(({ connection_id, tags }) => {
    const after = change(JSON.parse(tags) as string[]);
    if (after.length > TAGS.max) throw badRequest(`tags: ${connection_id} would have more than ${TAGS.max} tags`);
    return { connection_id, tags: JSON.stringify(after) };
  });
  await store.setTags(tx, accountOf(rows), changed, now());
}
