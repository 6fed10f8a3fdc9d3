/**
 * What the connect window does for whoever holds a link: read what the app asks for, and hand it in. Nobody is signed
 * in here; the link's token is the only right, and it reaches one connection (`ctx.link`).
 */
import type { Input, Reply } from '../../contract/operations.ts';
import type { AuthMethod } from '../../contract/states.ts';
import { AppMistake, type CompiledApp } from '../apps/compile.ts';
import { checkFields } from '../apps/fields.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as accounts from '../store/accounts.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable, Db, Tx } from '../store/schema.ts';
import { clientsOf, describeMethods, findApp } from './apps.ts';
import { type Link, readLink } from './connect-links.ts';
import { checkOffered } from './connections.ts';
import type { Ctx, Services } from './context.ts';
import { sealCredentials } from './credentials.ts';
import { forgetUpstreams } from './upstream-cache.ts';
import { write } from './write.ts';

const USED = 'This connect link was already used.';

/** Whose link this is. Forged or of a deleted connection: 404; expired, or made before the last completion: 400. */
export async function authenticateLink(services: Services, token: string): Promise<Link> {
  const link = readLink(services, token);
  const row = await store.find(services.db, link.account_id, link.connection_id);
  if (!row) throw notFound('Connection');
  if (row.completed_at !== link.completed_at) throw badRequest(USED);
  return link;
}

/** What the link asks for. */
export async function get(ctx: Ctx, _input: Input<'connectSessionGet'>): Promise<Reply<'connectSessionGet'>> {
  return { session: await describe(ctx, ctx.db, await find(ctx)) };
}

/** Takes what the person typed: the connection is ACTIVE from here on, under the same id, and the link is used up. */
export async function submit(
  ctx: Ctx,
  { body }: Input<'connectSessionSubmit'>,
): Promise<Reply<'connectSessionSubmit'>> {
  const seen = await find(ctx);
  const app = await appOf(ctx, seen);
  if (seen.method !== null && seen.method !== body.method)
    throw badRequest(`method: expected ${seen.method}, which this connection was made for`);
  checkOffered(app, body.method);
  const { values, problems } = checkFields(app.method(body.method)?.fields ?? [], body.fields);
  if (problems.length > 0) throw badRequest(problems.join('; '));
  refuseNoAddress(app, body.method, values);

  const row = await write(ctx, async (tx, about) => {
    about(seen.connection_id);
    const before = await find(ctx, tx);
    // Two people may hold the same link: the one who is second hears so.
    if (before.completed_at !== ctx.link?.completed_at) throw badRequest(USED);
    const at = now();
    const changes = {
      status: 'ACTIVE' as const,
      method: body.method,
      failure: null,
      credentials: sealCredentials(ctx, before, { fields: values, tokens: null }),
      completed_at: at,
      last_updated_time: at,
    };
    await store.update(tx, ctx.account_id, before.connection_id, changes);
    return { ...before, ...changes };
  });
  forgetUpstreams(ctx.db, ctx.account_id);
  ctx.live.publish(ctx.account_id, { noun: 'connection', connection_id: row.connection_id, status: row.status });
  return { session: await describe(ctx, ctx.db, row) };
}

/** Each field may be well and all of them together still be no address, such as a host of too many digits. */
function refuseNoAddress(app: CompiledApp, method: AuthMethod, values: Record<string, string>): void {
  try {
    app.target(method, values);
  } catch (error) {
    if (error instanceof AppMistake) throw badRequest(error.message);
    throw error;
  }
}

async function find(ctx: Ctx, tx?: Tx): Promise<ConnectionsTable> {
  const connection_id = ctx.link?.connection_id ?? '';
  const row = await (tx
    ? store.lock(tx, ctx.account_id, connection_id)
    : store.find(ctx.db, ctx.account_id, connection_id));
  if (!row) throw notFound('Connection');
  return row;
}

async function appOf(ctx: Ctx, row: ConnectionsTable): Promise<CompiledApp> {
  const app = await findApp(ctx, ctx.account_id, row.app);
  if (!app) throw notFound('App');
  return app;
}

async function describe(ctx: Ctx, db: Db, row: ConnectionsTable): Promise<Reply<'connectSessionGet'>['session']> {
  const { definition } = await appOf(ctx, row);
  const account = await accounts.get(db, ctx.account_id);
  return {
    connection_id: row.connection_id,
    status: row.status,
    app: { app: row.app, name: definition.name, icon: definition.icon, docs_url: definition.docs_url },
    account_name: account.name,
    failure: row.failure === null ? null : JSON.parse(row.failure),
    finished: false,
    methods: describeMethods(definition, await clientsOf(ctx, ctx.account_id, row.app)).filter(
      ({ method }) => row.method === null || method === row.method,
    ),
  };
}
