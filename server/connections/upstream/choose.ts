import { badRequest, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { findApp } from '../apps/apps.ts';
import { AppMistake } from '../apps/compile.ts';
import { MissingValue } from '../apps/template.ts';
import { ConnectFailure } from '../auth-methods/auth-method.ts';
import { type MethodOf, methodOf, targetOf } from '../auth-methods/method-of.ts';
import { KeyMistake } from '../auth-methods/signing-key.ts';
import { watchRefusals } from '../credential-refusals.ts';
import type { Credentials } from '../credentials.ts';
import { otherCredentials, usableCredentials } from '../refresh/token-refresh.ts';
import * as store from '../store/connections.ts';
import { callOptionsOf } from './call-options.ts';
import type { Upstream } from './upstream.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Selects the connection of a gateway call, without an app only by its ID: the one named by `Service-Connection` (404 if unknown or of another
 * account, 400 if of another app or not ACTIVE), else the app's default, else the oldest ACTIVE one (400 without one).
 * Records its use.
 */
export async function choose(
  services: Services,
  account_id: string,
  app: string | null,
  named: string | undefined,
): Promise<Upstream> {
  const { upstreams, connectionUses } = services.memory;
  const upstream = await upstreams.find(account_id, keyOf(app, named), () => look(services, account_id, app, named));
  connectionUses.note(account_id, upstream.connection_id);
  return upstream;
}

/** The same for a named connection, without recording a use. */
export async function chooseUnused(
  services: Services,
  account_id: string,
  app: string,
  named: string,
): Promise<Upstream> {
  return services.memory.upstreams.find(account_id, keyOf(app, named), () => look(services, account_id, app, named));
}

/** The same, synchronously from the cache; undefined on a cache miss. */
export function chooseCached(
  services: Services,
  account_id: string,
  app: string | null,
  named: string | undefined,
): Upstream | undefined {
  const upstream = services.memory.upstreams.recent(account_id, keyOf(app, named));
  if (upstream) services.memory.connectionUses.note(account_id, upstream.connection_id);
  return upstream;
}

/** A missing name differs from an empty one, which matches no connection. */
const keyOf = (app: string | null, named: string | undefined) =>
  named === undefined ? (app ?? '') : `${app ?? ''}\n${named}`;

async function look(
  services: Services,
  account_id: string,
  given: string | null,
  named: string | undefined,
): Promise<Upstream> {
  const app = given ?? (await findAny(services, account_id, named)).app;
  const known = await findApp(services, account_id, app);
  if (!known) throw badRequest(`Unknown app ${JSON.stringify(app.slice(0, 64))}: GET /apps lists all apps.`);
  if (known.definition.methods.length === 0) throw badRequest(`${app} only sends events; it has no API to call.`);
  const row =
    named === undefined
      ? await store.findForApp(services.db, account_id, app)
      : await findNamed(services, account_id, app, named);
  if (!row) {
    throw badRequest(
      `There is no ACTIVE connection for ${app}: create one with POST /connections {"app":"${app}"} and complete it on its url.`,
    );
  }
  const method = methodOf(known, row, row.method);
  if (!method) throw badRequest(`The connection ${row.connection_id} has no method of ${app}; create another one.`);
  try {
    const credentials = await usableCredentials(services, method, row);
    const upstream = await upstreamOf(services, method, row, credentials);
    if (isKeyBased(upstream, method, credentials)) upstream.watch = watchRefusals(services, row, upstream);
    return upstream;
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    // The connection is now FAILED; the next lookup selects another one or reports that none exists.
    if (named === undefined) return look(services, account_id, app, named);
    throw badRequest(`Service-Connection: this connection is FAILED. ${error.message}`);
  }
}

/** Whether a 401 concerns only the credentials: they were entered by a user and can't be refreshed. */
function isKeyBased(upstream: Upstream, { subject }: MethodOf, { tokens }: Credentials): boolean {
  const { method } = subject.definition;
  if (upstream.refresh || method === 'OAUTH1' || method === 'OAUTH2') return false;
  return method !== 'MCP' || tokens !== null;
}

/**
 * The upstream of calls with these credentials, stored or not. Throws 400 if the URL is invalid: a custom app may have
 * changed since the connection was created.
 */
export async function upstreamOf(
  services: Services,
  method: MethodOf,
  row: ConnectionsTable,
  credentials: Credentials,
): Promise<Upstream> {
  const { connection_id } = row;
  const { part, subject } = method;
  const used = credentials.tokens?.access_token;
  try {
    const { target } = await targetOf(method, credentials);
    if (!target) throw new AppMistake(`${row.app} has no URL to call`);
    const sign = await part.sign?.(services, subject, credentials);
    const options = callOptionsOf(target.gateway, row.metadata);
    const upstream: Upstream = {
      connection_id,
      app: row.app,
      options,
      ...target,
      ...(sign ? { sign, signsBody: signsBody(method) } : {}),
    };
    if (part.refresh && used !== undefined && (part.canRefresh?.(subject, credentials) ?? true))
      upstream.refresh = async () =>
        upstreamOf(services, method, row, await otherCredentials(services, method, row, used));
    return upstream;
  } catch (error) {
    if (error instanceof AppMistake || error instanceof MissingValue || error instanceof KeyMistake)
      throw badRequest(`The connection ${connection_id} can’t be used: ${error.message}. Connect it again on its url.`);
    throw error;
  }
}

/** S3 accepts a streamed body without its hash. */
function signsBody({ subject: { definition } }: MethodOf): boolean {
  return definition.method === 'API_KEY' && definition.aws !== undefined && definition.aws.service !== 's3';
}

async function findAny({ db }: Services, account_id: string, named = ''): Promise<ConnectionsTable> {
  const connection_id = named.trim().toLowerCase();
  const row = UUID.test(connection_id) ? await store.find(db, account_id, connection_id) : undefined;
  if (!row) throw notFound('Service-Connection: connection');
  return row;
}

async function findNamed(
  services: Services,
  account_id: string,
  app: string,
  named: string,
): Promise<ConnectionsTable> {
  const row = await findAny(services, account_id, named);
  if (row.app !== app)
    throw badRequest(`Service-Connection: expected a connection for ${app}; this one is for ${row.app}.`);
  if (row.status !== 'ACTIVE')
    throw badRequest(
      `Service-Connection: expected an ACTIVE connection; this one is ${row.status}. Complete it on its url.`,
    );
  return row;
}
