/**
 * The operations of the connect window: read the fields of the app, and submit them. The user is not signed in. The
 * link's token is the only authorization, and it is valid for one connection (`ctx.link`).
 */

import { PROVIDER_TIMEOUT_MS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { AuthMethod } from '../../../contract/states.ts';
import * as accounts from '../../accounts/store/accounts.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, Failure, notFound } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { clientsOf, describeMethods, findApp } from '../apps/apps.ts';
import type { CompiledApp } from '../apps/compile.ts';
import type { FieldDefinition } from '../apps/definition.ts';
import { checkFields } from '../apps/fields.ts';
import { type Begun, ConnectFailure } from '../auth-methods/auth-method.ts';
import { unpackKeyFile } from '../auth-methods/key-file.ts';
import { type MethodOf, methodOf } from '../auth-methods/method-of.ts';
import type { Unconfirmed } from '../connection-status.ts';
import { checkOffered } from '../connections.ts';
import { probeCredentials } from '../credential-probe.ts';
import type { Credentials } from '../credentials.ts';
import * as sessions from '../store/connect-sessions.ts';
import * as store from '../store/connections.ts';
import { upstreamOf } from '../upstream/choose.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { complete, noteFailure, startAuthorization, storeFailure, USED } from './connect-flows.ts';
import { type Failed, type Link, linkId, readLink } from './connect-links.ts';
import { startDevice } from './device-codes.ts';
import { assertOpen, presetOf, sessionOf, windowParts } from './session-uses.ts';

/**
 * Authenticates a link. 404 if it is forged or its connection was deleted; 400 if it expired or was created before the
 * last completion. The link that completed the connection still shows the success.
 */
export async function authenticateLink(services: Services, token: string): Promise<Link> {
  const link = readLink(services, token);
  const row = await store.find(services.db, link.account_id, link.connection_id);
  if (!row) throw notFound('Connection');
  if (row.completed_at === link.completed_at) {
    const session = link.outcome === 'finished' ? undefined : await sessionOf(services, link);
    if (session) assertOpen(session);
    return link;
  }
  if (row.status !== 'ACTIVE' || row.completed_link !== linkId(link)) throw badRequest(USED);
  return { ...link, outcome: 'finished' };
}

/** The methods and fields to complete the connection, and the result of the last attempt. */
export async function get(ctx: Ctx, _input: Input<'connectSessionGet'>): Promise<Reply<'connectSessionGet'>> {
  const link = linkOf(ctx);
  return { session: await describe(ctx, await find(ctx, link), link) };
}

/**
 * Submits the entered values. Either they are sufficient: the connection becomes ACTIVE under the same ID, and the link
 * is used. Or the browser is sent to `redirect_url` and returns to `{connect_url}/oauth/callback`. 400 if the provider
 * rejects the request, 502 if it does not respond.
 *
 * Entered credentials that were not checked otherwise are first checked with the app's probe. If the app rejects them,
 * the response is 400, the connection does not change and the link can be used again. If the result is unknown, they
 * are saved, and the window and the connection show that (`unconfirmed`).
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
    throw badRequest(`method: expected ${seen.method}, the method of this connection`);
  checkOffered(app, body.method);
  const definition = app.method(body.method);
  const fields = withPreset(presetOf(await sessionOf(ctx, link), seen.app), definition?.fields ?? [], body.fields);
  const given = definition ? unpackKeyFile(definition, fields) : fields;
  const { values, problems } = checkFields(definition?.fields ?? [], given, body.method === 'BASIC' ? 'text' : 'ascii');
  if (problems.length > 0) throw badRequest(problems.join('; '));
  const known = methodOf(app, seen, body.method);
  if (!known) throw badRequest(`method: ${body.method} can't be completed here`);

  try {
    const begun = await begin(ctx, known, values);
    if (begun.kind === 'complete') {
      const unconfirmed = await confirm(ctx, link, app, known, seen, begun.credentials);
      const row = await complete(ctx, link, known, begun.credentials, unconfirmed);
      const session = await describe(ctx, row, { ...link, outcome: 'finished' });
      return { session, redirect_url: null, device: null };
    }
    if (begun.kind === 'device') {
      const device = await startDevice(ctx, link, body.method, begun);
      return { session: await describe(ctx, seen, { ...link, outcome: null }), redirect_url: null, device };
    }
    await write(ctx, async (tx, about) => {
      about(link.connection_id);
      await startAuthorization(ctx, tx, link, body.method, begun);
    });
    return { session: await describe(ctx, seen, { ...link, outcome: null }), redirect_url: begun.url, device: null };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    const { message } = await noteFailure(ctx, link, error);
    throw error.final ? badRequest(message) : new Failure(502, message);
  }
}

/** The entered values, and those that the session sets for fields of this method. */
function withPreset(
  preset: Record<string, string>,
  wanted: FieldDefinition[],
  given: Record<string, string>,
): Record<string, string> {
  const entered = Object.keys(given).find((name) => Object.hasOwn(preset, name));
  if (entered !== undefined) throw badRequest(`fields.${entered}: unknown field`);
  const set = wanted.flatMap(({ name }) => (Object.hasOwn(preset, name) ? [[name, preset[name] ?? '']] : []));
  return { ...given, ...(Object.fromEntries(set) as Record<string, string>) };
}

/** Null if the app accepts the credentials, if they were already checked, or if the app has no probe. */
async function confirm(
  ctx: Ctx,
  link: Link,
  { definition: { app, name, probe } }: CompiledApp,
  known: MethodOf,
  row: ConnectionsTable,
  credentials: Credentials,
): Promise<Unconfirmed | null> {
  if (!probe || !isUnchecked(known.subject.definition.method, credentials)) return null;
  let upstream: Upstream;
  try {
    upstream = await upstreamOf(ctx, known, row, credentials);
  } catch (error) {
    // The URL is invalid; `complete` reports that.
    if (error instanceof Failure) return null;
    throw error;
  }
  const found = await probeCredentials(ctx, ctx.account_id, { app, name, probe }, upstream, PROVIDER_TIMEOUT_MS);
  if (found.ok) return null;
  if (found.ok === null)
    return { message: `Credentials saved; ${name} could not confirm them. ${found.message}`, time: now() };
  const message = `${found.message} Check them and enter them again.`;
  await storeFailure(ctx, link, { code: 'INVALID_CREDENTIALS', message, since: now() }, false);
  throw badRequest(message);
}

/** Whether these credentials have not been checked yet. Tokens were just issued by their provider. */
const isUnchecked = (method: AuthMethod, { tokens }: Credentials): boolean =>
  tokens === null && (method === 'API_KEY' || method === 'BASIC' || method === 'JWT');

async function begin(ctx: Ctx, { part, subject }: MethodOf, fields: Record<string, string>): Promise<Begun> {
  const begun = await part.begin(ctx, subject, fields);
  // The authorization URL may come from a response of the provider.
  if (begun.kind === 'redirect' && !/^https?:\/\//i.test(begun.url))
    throw new ConnectFailure('EXCHANGE_FAILED', 'The provider returned an invalid authorization URL.');
  return begun;
}

export function linkOf(ctx: Ctx): Link {
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

export async function describe(
  ctx: Ctx,
  row: ConnectionsTable,
  { outcome, session_id }: Link,
): Promise<Reply<'connectSessionGet'>['session']> {
  const { definition } = await appOf(ctx, row);
  // A finished session may have been deleted since.
  const session = session_id === null ? undefined : await sessions.find(ctx.db, ctx.account_id, session_id);
  const preset = presetOf(session, row.app);
  const account = await accounts.get(ctx.db, ctx.account_id);
  return {
    connection_id: row.connection_id,
    status: row.status,
    app: { app: row.app, name: definition.name, icon: definition.icon, docs_url: definition.docs_url },
    account_name: account.name,
    failure: outcome === 'finished' ? null : later(outcome, row.failure && (JSON.parse(row.failure) as Failed)),
    finished: outcome === 'finished',
    unconfirmed: outcome === 'finished' ? unconfirmedWords(definition, row) : null,
    methods: describeMethods(definition, await clientsOf(ctx, ctx.account_id, row.app))
      .filter(({ method }) => row.method === null || method === row.method)
      .map((method) => ({ ...method, fields: method.fields.filter(({ name }) => !Object.hasOwn(preset, name)) })),
    ...(await windowParts(ctx, ctx.account_id, session, outcome === 'finished' ? row : undefined)),
  };
}

/** Why the app did not confirm the saved credentials. */
function unconfirmedWords(
  { name, probe }: CompiledApp['definition'],
  row: ConnectionsTable,
): Reply<'connectSessionGet'>['session']['unconfirmed'] {
  if (row.unconfirmed !== null) return { asked: true, message: (JSON.parse(row.unconfirmed) as Unconfirmed).message };
  if (probe !== null || (row.method !== 'API_KEY' && row.method !== 'BASIC')) return null;
  return {
    asked: false,
    message: `${name} has no request that checks credentials, so they were saved without a check.`,
  };
}

/** The result of the last attempt with this link, unless the connection failed later. */
function later(own: Failed | null, kept: Failed | '' | null): Failed | null {
  if (!own || !kept) return own || kept || null;
  return own.since >= kept.since ? own : kept;
}
