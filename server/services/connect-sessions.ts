/**
 * What the connect window does for whoever holds a link: read what the app asks for, and hand it in. Nobody is signed
 * in here; the link's token is the only right, and it reaches one connection (`ctx.link`).
 */
import type { Input, Reply } from '../../contract/operations.ts';
import type { CompiledApp } from '../apps/compile.ts';
import { checkFields } from '../apps/fields.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import * as accounts from '../store/accounts.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable } from '../store/schema.ts';
import { clientsOf, describeMethods, findApp } from './apps.ts';
import { type Begun, ConnectFailure } from './auth-methods/auth-method.ts';
import { type MethodOf, methodOf } from './auth-methods/method-of.ts';
import { complete, leave, noteFailure, USED } from './connect-flows.ts';
import { type Failed, type Link, readLink } from './connect-links.ts';
import { checkOffered } from './connections.ts';
import type { Ctx, Services } from './context.ts';
import { write } from './write.ts';

/** Whose link this is. Forged or of a deleted connection: 404; expired, or made before the last completion: 400. */
export async function authenticateLink(services: Services, token: string): Promise<Link> {
  const link = readLink(services, token);
  const row = await store.find(services.db, link.account_id, link.connection_id);
  if (!row) throw notFound('Connection');
  if (row.completed_at !== link.completed_at) throw badRequest(USED);
  return link;
}

/** What the link asks for, and what became of the last try. */
export async function get(ctx: Ctx, _input: Input<'connectSessionGet'>): Promise<Reply<'connectSessionGet'>> {
  const link = linkOf(ctx);
  return { session: await describe(ctx, await find(ctx, link), link.outcome) };
}

/**
 * Takes what the person typed. Either that is all: the connection is ACTIVE from here on, under the same id, and the
 * link is used up. Or `redirect_url` is where the browser goes on, and comes back from to `{connect_url}/oauth/callback`.
 * What the provider refuses is a 400, what it doesn't answer a 502.
 */
export async function submit(
  ctx: Ctx,
  { body }: Input<'connectSessionSubmit'>,
): Promise<Reply<'connectSessionSubmit'>> {
  const link = linkOf(ctx);
  if (link.outcome === 'finished') throw badRequest(USED);
  const seen = await find(ctx, link);
  const app = await appOf(ctx, seen);
  if (seen.method !== null && seen.method !== body.method)
    throw badRequest(`method: expected ${seen.method}, which this connection was made for`);
  checkOffered(app, body.method);
  const wanted = app.method(body.method)?.fields ?? [];
  const { values, problems } = checkFields(wanted, body.fields, body.method === 'BASIC' ? 'text' : 'ascii');
  if (problems.length > 0) throw badRequest(problems.join('; '));
  const known = methodOf(app, seen, body.method);
  if (!known) throw badRequest(`method: ${body.method} can't be completed here`);

  try {
    const begun = await begin(ctx, known, values);
    if (begun.kind === 'complete') {
      const row = await complete(ctx, link, known, begun.credentials);
      return { session: await describe(ctx, row, 'finished'), redirect_url: null };
    }
    await write(ctx, async (tx, about) => {
      about(link.connection_id);
      await leave(ctx, tx, link, body.method, begun);
    });
    return { session: await describe(ctx, seen, null), redirect_url: begun.url };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    const { message } = await noteFailure(ctx, link, error);
    throw error.final ? badRequest(message) : new Failure(502, message);
  }
}

async function begin(ctx: Ctx, { part, subject }: MethodOf, fields: Record<string, string>): Promise<Begun> {
  const begun = await part.begin(ctx, subject, fields);
  // The address of the provider's page may come from what a provider answered.
  if (begun.kind === 'redirect' && !/^https?:\/\//i.test(begun.url))
    throw new ConnectFailure('EXCHANGE_FAILED', 'The provider named a page that is no web address.');
  return begun;
}

function linkOf(ctx: Ctx): Link {
  if (!ctx.link) throw new Error(`${ctx.operation} needs a connect link`);
  return ctx.link;
}

async function find(ctx: Ctx, link: Link): Promise<ConnectionsTable> {
  const row = await store.find(ctx.db, ctx.account_id, link.connection_id);
  if (!row) throw notFound('Connection');
  return row;
}

async function appOf(ctx: Ctx, row: ConnectionsTable): Promise<CompiledApp> {
  const app = await findApp(ctx, ctx.account_id, row.app);
  if (!app) throw notFound('App');
  return app;
}

async function describe(
  ctx: Ctx,
  row: ConnectionsTable,
  outcome: Link['outcome'],
): Promise<Reply<'connectSessionGet'>['session']> {
  const { definition } = await appOf(ctx, row);
  const account = await accounts.get(ctx.db, ctx.account_id);
  return {
    connection_id: row.connection_id,
    status: row.status,
    app: { app: row.app, name: definition.name, icon: definition.icon, docs_url: definition.docs_url },
    account_name: account.name,
    failure: outcome === 'finished' ? null : later(outcome, row.failure && (JSON.parse(row.failure) as Failed)),
    finished: outcome === 'finished',
    methods: describeMethods(definition, await clientsOf(ctx, ctx.account_id, row.app)).filter(
      ({ method }) => row.method === null || method === row.method,
    ),
  };
}

/** What this link's own last try came to, unless the connection failed since. */
function later(own: Failed | null, kept: Failed | '' | null): Failed | null {
  if (!own || !kept) return own || kept || null;
  return own.since >= kept.since ? own : kept;
}
