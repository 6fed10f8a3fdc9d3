import { PAGE } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { AuthMethod, Role } from '../../contract/states.ts';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import { closePage, openPage } from '../platform/paging.ts';
import { appsNamed, findApp, holdApp } from './apps/apps.ts';
import type { CompiledApp } from './apps/compile.ts';
import { scheduleOf } from './checks/schedule.ts';
import { connectUrl } from './connect/connect-links.ts';
import { attentionOf, type CheckResult } from './connection-attention.ts';
import * as flowStore from './store/connect-flows.ts';
import * as listStore from './store/connection-list.ts';
import * as store from './store/connections.ts';

type EndUserInput = NonNullable<Input<'connectionCreate'>['body']['end_user']>;

/** The account's connections, newest first: all, or with `limit` or `next_token` one page. */
export async function list(ctx: Ctx, input: Input<'connectionList'>): Promise<Reply<'connectionList'>> {
  const filter = await filterOf(ctx, input.query);
  const { limit, next_token } = input.query;
  if (limit === undefined && next_token === undefined) {
    const all = await listStore.list(ctx.db, ctx.account_id, filter);
    return { connections: await describeAll(ctx, all) };
  }
  const paged = { ...input, query: { ...input.query, limit: limit ?? PAGE.connections.default } };
  const { after } = openPage(ctx, paged);
  const found = await listStore.list(ctx.db, ctx.account_id, filter, {
    limit: paged.query.limit + 1,
    before: after?.[0],
  });
  const page = closePage(ctx, paged, found, (row) => [row.connection_id]);
  return { connections: await describeAll(ctx, page.rows), next_token: page.next_token };
}

async function describeAll(ctx: Ctx, rows: ConnectionsTable[]): Promise<Reply<'connectionList'>['connections']> {
  const isPage = rows.length <= PAGE.connections.max;
  const ids = isPage ? rows.map(({ connection_id }) => connection_id) : undefined;
  const known = await usesOf(ctx, ids);
  return rows.map((row) => describe(ctx, row, known));
}

/** What uses connections, by their IDs. */
type Uses = { triggers: ReadonlyMap<string, number>; failingWebhooks: ReadonlySet<string> };

async function usesOf({ db, account_id }: Ctx, ids?: readonly string[]): Promise<Uses> {
  const [triggers, failingWebhooks] = await Promise.all([
    store.countTriggers(db, account_id, ids),
    listStore.withFailingWebhooks(db, account_id, ids),
  ]);
  return { triggers, failingWebhooks };
}

/** A filter of the API as the store needs it. */
export async function filterOf(ctx: Ctx, filter: listStore.ConnectionFilter): Promise<listStore.ConnectionFilter> {
  return filter.q ? { ...filter, named_apps: await appsNamed(ctx, ctx.account_id, filter.q) } : filter;
}

/** Creates a PENDING connection; its `url` is the connect link. */
export async function create(ctx: Ctx, { body }: Input<'connectionCreate'>): Promise<Reply<'connectionCreate'>> {
  const app = await findApp(ctx, ctx.account_id, body.app);
  if (!app) throw unknownApp(body.app);
  if (app.definition.methods.length === 0) throw badRequest(`app: ${body.app} needs no connection`);
  if (body.method) checkOffered(app, body.method);
  const row = pendingRow(body);
  await write(ctx, async (tx, about) => {
    about(row.connection_id, changeOf(row));
    // The app may have been deleted meanwhile.
    if (!(await holdApp(tx, ctx.account_id, row.app))) throw unknownApp(row.app);
    await store.insert(tx, ctx.account_id, row);
  });
  return { connection_id: row.connection_id };
}

/** A new connection, to be completed on its link. */
export function pendingRow(
  given: Pick<Input<'connectionCreate'>['body'], 'app' | 'method' | 'name' | 'metadata' | 'tags' | 'end_user'>,
): Omit<ConnectionsTable, 'account_id'> {
  const at = now();
  return {
    connection_id: newId(),
    app: given.app,
    method: given.method ?? null,
    name: given.name ?? null,
    status: 'PENDING',
    metadata: JSON.stringify(given.metadata ?? {}),
    failure: null,
    credentials: null,
    is_default: false,
    creation_time: at,
    last_updated_time: at,
    last_used_time: null,
    completed_at: null,
    token_expires_at: null,
    refreshed_at: null,
    refresh_at: null,
    refresh_failing_since: null,
    last_error: null,
    unconfirmed: null,
    refusals: 0,
    completed_link: null,
    check_every_minutes: null,
    check_at: null,
    check_result: null,
    check_failures: 0,
    credentials_expire_at: null,
    missing_scopes: null,
    denied_calls: 0,
    tags: JSON.stringify(given.tags ?? []),
    ...endUserColumns(given.end_user ?? null),
  };
}

/** One connection. Credentials are never returned. */
export async function get(ctx: Ctx, { params }: Input<'connectionGet'>): Promise<Reply<'connectionGet'>> {
  const row = found(await store.find(ctx.db, ctx.account_id, params.connection_id));
  return { connection: await describeOne(ctx, row) };
}

/** Updates name, metadata, tags and end user (each replaced as a whole), or makes it the default of its app in place of the previous one. */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'connectionUpdate'>,
): Promise<Reply<'connectionUpdate'>> {
  const row = await write(ctx, async (tx, about) => {
    const { app } = found(await store.find(tx, ctx.account_id, params.connection_id));
    if (body.is_default) {
      await store.lockApp(tx, ctx.account_id, app);
      await store.clearDefault(tx, ctx.account_id, app);
    }
    const before = found(await store.lock(tx, ctx.account_id, params.connection_id));
    const changes = {
      ...(body.name !== undefined ? { name: body.name } : {}),
      ...(body.metadata !== undefined ? { metadata: JSON.stringify(body.metadata) } : {}),
      ...(body.tags !== undefined ? { tags: JSON.stringify(body.tags) } : {}),
      ...(body.end_user !== undefined ? endUserColumns(body.end_user) : {}),
      ...(body.is_default ? { is_default: true } : {}),
      ...(body.credentials_expire_at !== undefined ? { credentials_expire_at: body.credentials_expire_at } : {}),
      ...(body.check_every_minutes !== undefined
        ? await scheduleOf(ctx, tx, { ...before, check_every_minutes: body.check_every_minutes })
        : {}),
      last_updated_time: now(),
    };
    await store.update(tx, ctx.account_id, params.connection_id, changes);
    about(params.connection_id, changeOf(before));
    return { ...before, ...changes };
  });
  return { connection: await describeOne(ctx, row) };
}

/**
 * Creates a new link to complete a connection (again) under the same ID. Earlier links and their flows become invalid.
 * The connection does not change until it is completed.
 */
export async function reconnect(
  ctx: Ctx,
  { params }: Input<'connectionReconnect'>,
): Promise<Reply<'connectionReconnect'>> {
  const row = await write(ctx, async (tx, about) => {
    about(params.connection_id);
    const before = found(await store.lock(tx, ctx.account_id, params.connection_id));
    const changes = { completed_at: now(), completed_link: null };
    await store.update(tx, ctx.account_id, params.connection_id, changes);
    await flowStore.removeOf(tx, ctx.account_id, [params.connection_id]);
    return { ...before, ...changes };
  });
  return { connection: await describeOne(ctx, row) };
}

/** Deletes a connection with its credentials; the triggers that used it are disabled with CONNECTION_DELETED. */
export async function remove(ctx: Ctx, { params }: Input<'connectionDelete'>): Promise<Reply<'connectionDelete'>> {
  const { connection_id } = params;
  await write(ctx, async (tx, about) => {
    if (!(await store.remove(tx, ctx.account_id, connection_id))) throw notFound('Connection');
    const triggers = await store.disableTriggers(tx, ctx.account_id, [connection_id], now());
    const disabled = triggers.map((trigger_id) => ({ noun: 'trigger' as const, trigger_id }));
    about(connection_id, changeOf({ connection_id, status: 'DELETED' }), ...disabled);
  });
  return {};
}

/** Rejects a method that the app does not support. */
export function checkOffered(app: CompiledApp, method: AuthMethod): void {
  if (app.method(method)) return;
  const offered = app.definition.methods.map((each) => each.method).join(', ');
  throw badRequest(`method: expected a method of ${app.definition.app} (${offered}), got ${method}`);
}

const endUserColumns = (user: EndUserInput | null) => ({
  end_user_id: user?.id ?? null,
  end_user_email: user?.email ?? null,
  end_user_name: user?.name ?? null,
});

export const unknownApp = (app: string, at = 'app') => badRequest(`${at}: expected an app of GET /apps, got ${app}`);

const changeOf = ({ connection_id, status }: { connection_id: string; status: string }) =>
  ({ noun: 'connection', connection_id, status }) as const;

function found(row: ConnectionsTable | undefined): ConnectionsTable {
  if (!row) throw notFound('Connection');
  return row;
}

export async function describeOne(ctx: Ctx, row: ConnectionsTable): Promise<Reply<'connectionGet'>['connection']> {
  return describe(ctx, row, await usesOf(ctx, [row.connection_id]));
}

function describe(
  ctx: Ctx,
  row: ConnectionsTable,
  { triggers, failingWebhooks }: Uses,
): Reply<'connectionGet'>['connection'] {
  const metadata = parseExactly(row.metadata) as Record<string, unknown>;
  const { failure, last_error, unconfirmed } = row;
  const kept = Object.entries({ failure, last_error, unconfirmed }).flatMap(([name, text]) =>
    text === null ? [] : [[name, JSON.parse(text) as unknown]],
  );
  return {
    connection_id: row.connection_id,
    status: row.status,
    creation_time: row.creation_time,
    last_updated_time: row.last_updated_time,
    url: urlFor(ctx, row),
    app: row.app,
    ...(row.method ? { method: row.method } : {}),
    metadata: kept.length > 0 ? { ...metadata, ...Object.fromEntries(kept) } : metadata,
    name: row.name,
    is_default: row.is_default,
    last_used_time: row.last_used_time,
    token_expires_at: row.token_expires_at,
    refreshed_at: row.refreshed_at,
    refresh_at: row.refresh_at,
    trigger_count: triggers.get(row.connection_id) ?? 0,
    tags: JSON.parse(row.tags) as string[],
    end_user:
      row.end_user_id === null ? null : { id: row.end_user_id, email: row.end_user_email, name: row.end_user_name },
    attention: attentionOf(row, failingWebhooks.has(row.connection_id)),
    check_every_minutes: row.check_every_minutes,
    check: row.check_result === null ? null : (JSON.parse(row.check_result) as CheckResult),
    next_check_at: row.status === 'ACTIVE' ? row.check_at : null,
    credentials_expire_at: row.credentials_expire_at,
  };
}

/** Viewers get the link without its token, since the token allows changing the connection. */
function urlFor(ctx: Pick<Services, 'vault' | 'settings'> & { actor: { role: Role } }, row: ConnectionsTable): string {
  return ctx.actor.role === 'VIEWER' ? ctx.settings.addresses.connect_url : connectUrl(ctx, row);
}
