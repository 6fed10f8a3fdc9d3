/**
 * Connect sessions: an end user of the account's product chooses one of several apps on a page of the service and
 * connects it. The session's token authorizes exactly that. Choosing an app creates a PENDING connection, with the end
 * user and the tags of the session, and returns a link to complete it; chosen again, the app has the same connection.
 * A completed connection is a use of the session. Connections that are left PENDING are deleted after the session.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import * as accounts from '../../accounts/store/accounts.ts';
import { systemCtx, write } from '../../accounts/write.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { ConnectSessionsTable } from '../../platform/database/tables/connection-tables.ts';
import { findApp, holdApp } from '../apps/apps.ts';
import type { CompiledApp } from '../apps/compile.ts';
import { checkFields } from '../apps/fields.ts';
import { pendingRow, unknownApp } from '../connections.ts';
import * as store from '../store/connect-sessions.ts';
import * as connectionStore from '../store/connections.ts';
import { sessionLinkToken } from './connect-links.ts';
import { settingsOf } from './connect-settings.ts';
import { assertOpen, problemOf, windowParts } from './session-uses.ts';

type Body = Input<'connectSessionCreate'>['body'];
type EndUser = Reply<'connectSessionRead'>['session']['end_user'];

/** Distinguishes the token of a session from the token of a connection's link. */
const PREFIX = 'cs_';
/** How long an expired session can be read. */
const KEPT_MS = 7 * 86_400_000;
const SWEPT_AT_ONCE = 500;

/** Creates a session. The reply is the only one with its token and URL. */
export async function create(
  ctx: Ctx,
  { body }: Input<'connectSessionCreate'>,
): Promise<Reply<'connectSessionCreate'>> {
  const stray = Object.keys(body.parameters).find((app) => !body.apps.includes(app));
  if (stray !== undefined) throw badRequest(`parameters.${stray}: expected an app of apps`);
  for (const [index, id] of body.apps.entries()) {
    const app = await findApp(ctx, ctx.account_id, id);
    if (!app) throw unknownApp(id, `apps.${index}`);
    if (app.definition.methods.length === 0) throw badRequest(`apps.${index}: ${id} needs no connection`);
    checkParameters(app, body.parameters[id] ?? {});
  }
  const origins = await originsOf(ctx, body);
  const token = PREFIX + newToken();
  const row: Omit<ConnectSessionsTable, 'account_id'> = {
    session_id: newId(),
    token_hash: hashToken(token),
    apps: JSON.stringify(body.apps),
    parameters: JSON.stringify(body.parameters),
    end_user: body.end_user ? JSON.stringify({ email: null, name: null, ...body.end_user }) : null,
    tags: JSON.stringify(body.tags),
    redirect_url: body.redirect_url,
    state: body.state,
    allowed_origins: JSON.stringify(origins),
    accent: body.accent,
    created_at: now(),
    expires_at: fromNow(body.expires_in_minutes * 60_000),
    max_uses: body.max_uses,
    uses: 0,
    started: '{}',
    connections: '[]',
  };
  await write(ctx, async (tx, about) => {
    about(row.session_id);
    await store.insert(tx, ctx.account_id, row);
  });
  return { session: describe(row), token, url: `${ctx.settings.addresses.connect_url}?token=${token}` };
}

/** A session, without its token. Expired sessions can be read for seven days. */
export async function read(ctx: Ctx, { params }: Input<'connectSessionRead'>): Promise<Reply<'connectSessionRead'>> {
  const row = await store.find(ctx.db, ctx.account_id, params.session_id);
  if (!row) throw notFound('Connect session');
  return { session: describe(row) };
}

/** Ends a session: its token no longer works. Completed connections remain, others are deleted. */
export async function remove(
  ctx: Ctx,
  { params }: Input<'connectSessionDelete'>,
): Promise<Reply<'connectSessionDelete'>> {
  await dropSession(ctx, params.session_id, true);
  return {};
}

/** Authenticates the token of a session, also of one that was used or expired. 404 if it is unknown. */
export async function authenticateSession({ db }: Services, token: string): Promise<ConnectSessionsTable> {
  const session = await store.withToken(db, hashToken(token));
  if (!session) throw notFound('Connect link');
  return session;
}

/** The apps of the session. Apps that were deleted since are omitted. A session that can't be used has none. */
export async function choices(ctx: Ctx, _input: Input<'connectChoiceGet'>): Promise<Reply<'connectChoiceGet'>> {
  const session = held(ctx);
  const problem = problemOf(session);
  const ids = problem ? [] : (JSON.parse(session.apps) as string[]);
  const apps = await Promise.all(ids.map((id) => findApp(ctx, ctx.account_id, id)));
  const { theme, opener_origins, cancel_url } = await windowParts(ctx, ctx.account_id, session);
  return {
    choice: {
      account_name: (await accounts.get(ctx.db, ctx.account_id)).name,
      apps: apps.flatMap((app) => (app ? [brief(app)] : [])),
      theme,
      opener_origins,
      problem,
      cancel_url,
    },
  };
}

/** Chooses an app; returns the token of the link to complete its connection. */
export async function choose(ctx: Ctx, { body }: Input<'connectChoiceSubmit'>): Promise<Reply<'connectChoiceSubmit'>> {
  const { session_id } = held(ctx);
  const app = await findApp(ctx, ctx.account_id, body.app);
  return write(ctx, async (tx, about) => {
    const session = await store.lock(tx, ctx.account_id, session_id);
    if (!session) throw notFound('Connect session');
    assertOpen(session);
    if (!app || !(JSON.parse(session.apps) as string[]).includes(body.app))
      throw badRequest(`app: expected an app of this session, got ${body.app}`);
    const started = JSON.parse(session.started) as Record<string, string>;
    const before = started[body.app];
    const open = before && (await connectionStore.find(tx, ctx.account_id, before));
    if (open && open.status !== 'ACTIVE') {
      about(open.connection_id);
      return { token: sessionLinkToken(ctx, open, session) };
    }
    if (!(await holdApp(tx, ctx.account_id, body.app))) throw unknownApp(body.app);
    const row = pendingRow({
      app: body.app,
      end_user: session.end_user === null ? null : (JSON.parse(session.end_user) as NonNullable<EndUser>),
      tags: JSON.parse(session.tags) as string[],
    });
    about(row.connection_id, { noun: 'connection', connection_id: row.connection_id, status: 'PENDING' });
    await connectionStore.insert(tx, ctx.account_id, row);
    await store.update(tx, ctx.account_id, session_id, {
      started: JSON.stringify({ ...started, [body.app]: row.connection_id }),
    });
    return { token: sessionLinkToken(ctx, { ...row, account_id: ctx.account_id }, session) };
  });
}

/** Deletes what expired sessions left, and sessions that expired a week ago. */
export async function sweepConnectSessions(services: Services): Promise<void> {
  for (const { account_id, session_id } of await store.leftOpen(services.db, now(), SWEPT_AT_ONCE))
    await dropSession(systemCtx(services, account_id, 'connect sessions', 'connectSessionExpire'), session_id, false);
  await store.removeExpired(services.db, fromNow(-KEPT_MS));
}

/** Deletes the connections that were never completed, and with `all` the session. */
async function dropSession(ctx: Ctx, session_id: string, all: boolean): Promise<void> {
  await write(ctx, async (tx, about) => {
    const session = await store.lock(tx, ctx.account_id, session_id);
    if (!session) throw notFound('Connect session');
    const removed: string[] = [];
    for (const connection_id of Object.values(JSON.parse(session.started) as Record<string, string>)) {
      const row = await connectionStore.lock(tx, ctx.account_id, connection_id);
      if (row && row.credentials === null && (await connectionStore.remove(tx, ctx.account_id, connection_id)))
        removed.push(connection_id);
    }
    if (all) await store.remove(tx, ctx.account_id, session_id);
    else await store.update(tx, ctx.account_id, session_id, { started: '{}' });
    about(
      session_id,
      ...removed.map((connection_id) => ({ noun: 'connection', connection_id, status: 'DELETED' }) as const),
    );
  });
}

/** Each parameter is a field of a method of the app, has a valid value and is not secret. */
function checkParameters({ definition }: CompiledApp, given: Record<string, string>): void {
  for (const [name, value] of Object.entries(given)) {
    const fields = definition.methods.flatMap((method) => method.fields.filter((field) => field.name === name));
    const at = `parameters.${definition.app}.${name.slice(0, 100)}`;
    if (fields.length === 0) throw badRequest(`${at}: expected the name of a field of the app`);
    if (fields.some(({ secret }) => secret)) throw badRequest(`${at}: expected a field that is not secret`);
    const { problems } = checkFields(fields, { [name]: value });
    if (problems[0]) throw badRequest(`${at}: ${problems[0].split(': ').slice(1).join(': ')}`);
  }
}

/** The origins of a session; each has to be one of the settings, as that of its redirect URL. */
async function originsOf(ctx: Ctx, { allowed_origins, redirect_url }: Body): Promise<string[]> {
  const { allowed_origins: known } = await settingsOf(ctx, ctx.account_id);
  const expected = 'expected an origin of the connect settings (PATCH /connect-settings)';
  const unknown = allowed_origins?.findIndex((origin) => !known.includes(origin)) ?? -1;
  if (unknown >= 0) throw badRequest(`allowed_origins.${unknown}: ${expected}`);
  if (redirect_url !== null && !known.includes(new URL(redirect_url).origin))
    throw badRequest(`redirect_url: ${expected}, got ${new URL(redirect_url).origin}`);
  return allowed_origins ?? known;
}

function held(ctx: Ctx): ConnectSessionsTable {
  if (!ctx.connect_session) throw badRequest('Expected the token of a connect session.');
  return ctx.connect_session;
}

const brief = ({ definition: { app, name, icon, description } }: CompiledApp) => ({ app, name, icon, description });

function describe(row: Omit<ConnectSessionsTable, 'account_id'>): Reply<'connectSessionRead'>['session'] {
  return {
    session_id: row.session_id,
    apps: JSON.parse(row.apps) as string[],
    end_user: row.end_user === null ? null : (JSON.parse(row.end_user) as EndUser),
    tags: JSON.parse(row.tags) as string[],
    redirect_url: row.redirect_url,
    allowed_origins: JSON.parse(row.allowed_origins) as string[],
    created_at: row.created_at,
    expires_at: row.expires_at,
    max_uses: row.max_uses,
    uses: row.uses,
    status: row.uses >= row.max_uses ? 'USED' : row.expires_at <= now() ? 'EXPIRED' : 'OPEN',
    connections: JSON.parse(row.connections) as Reply<'connectSessionRead'>['session']['connections'],
  };
}
