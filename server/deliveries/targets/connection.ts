/**
 * A connected app: requests with the credentials of a connection, like calls through the gateway. A token that is about
 * to expire is refreshed before, and after a 401 the token is refreshed and the request sent once more, within the time
 * limit of the attempt. The records of attempts have the URL of the destination, so that neither the app's base URL nor
 * the credentials are stored. Each request is in the calls log of its connection.
 */

import { plainUrl } from '../../../contract/text/url-template.ts';
import { findApp } from '../../connections/apps/apps.ts';
import * as connectionStore from '../../connections/store/connections.ts';
import { choose } from '../../connections/upstream/choose.ts';
import { addressedPath } from '../../connections/upstream/further-host.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { nativePath, protocolPath, requestHeaders } from '../../connections/upstream/upstream-request.ts';
import { mayGrant } from '../../functions/gateway-grants.ts';

import { connectionPage } from '../../lib/addresses.ts';
import { Failure, forbidden } from '../../lib/failure.ts';
import { orderedNow } from '../../lib/ids.ts';
import { withinTime } from '../../lib/time-limit.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import type { ConnectionPool } from '../../platform/http1/connection-pool.ts';
import { type NamedDestination, withUrlText } from '../store/destinations/destinations.ts';
import { appError, withoutSecrets } from './app-response.ts';
import { diagnosis, examine } from './http-diagnosis.ts';
import { type HttpRequest, openPool, sendOut } from './http-exchange.ts';
import { resultOf, type SendResult, type Trouble, timedOut } from './result.ts';
import { requestsOf, type SignedRequest } from './signed-request.ts';
import { type TargetKind, timeoutOf } from './target.ts';

type Route = { connection_id: string; path: string };
type Request = SignedRequest<Route>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LOGGED_PATH_MAX_CHARS = 2048;

const routeOf = ({ host, pathname, search }: URL): Route => ({
  connection_id: host.toLowerCase(),
  path: (pathname.startsWith('/') ? pathname : `/${pathname}`) + search,
});

export const connection: TargetKind<Request> = {
  takesHeaders: true,
  takesTransform: true,
  matches: ({ protocol }) => protocol === 'connection:',
  async check(ctx, url) {
    const { connection_id, path } = routeOf(url);
    const row = await find(ctx, connection_id);
    if (!row) return `no connection of this account has the ID ${url.host.slice(0, 64)}`;
    const app = await findApp(ctx, ctx.account_id, row.app);
    if (!app || app.definition.methods.length === 0) return `${row.app} only sends events; it has no API to call`;
    if (row.method === 'MCP' && protocolPath(path) === undefined)
      return 'expected /mcp, the only path of an MCP server';
    return null;
  },
  assertMayUse(ctx) {
    if (!mayGrant(ctx))
      throw forbidden('This API key may not send with connections: that needs the scope gateway:call without limits.');
  },
  nameOf: () => 'Connection',
  async findName(ctx, url) {
    const row = await find(ctx, routeOf(url).connection_id);
    return row && wordsOf(ctx, ctx.account_id, row);
  },
  prepare: (parts, target) => requestsOf(parts, target, routeOf, { signs: false }),
  open(services) {
    const pool = openPool(services);
    return { send: (request, account_id) => send(services, pool, request, account_id), close: () => pool.close() };
  },
  async examine(ctx, target) {
    const deadlineMs = timeoutOf(ctx.settings, target);
    const { connection_id, path } = routeOf(new URL(plainUrl(target.url)));
    const { steps, take } = diagnosis(deadlineMs);
    const upstream = await take('ADDRESS', async () => {
      const found = await upstreamOf(ctx, ctx.account_id, { connection_id, path });
      if ('trouble' in found) throw new Error(found.trouble.message);
      return [`The connection is ACTIVE. Requests are sent to ${found.upstream.origin}.`, found.upstream];
    });
    if (!upstream) return steps;
    const agent = ctx.egress.agent({ connections: 1, pipelining: 1 });
    try {
      // The base path of some apps contains the key.
      return [...steps, ...(await examine({ egress: ctx.egress, agent }, upstream.origin, deadlineMs))];
    } finally {
      await agent.destroy();
    }
  },
};

/** The account's destinations that send with this connection, at most `limit`. */
export async function destinationsOf(
  { db, account_id }: Pick<Ctx, 'db' | 'account_id'>,
  connection_id: string,
  limit: number,
): Promise<Omit<NamedDestination, 'url'>[]> {
  const found = await withUrlText(db, account_id, `connection://${connection_id}`, limit);
  return found
    .filter(({ url }) => url.toLowerCase().startsWith('connection:'))
    .map(({ url: _, ...destination }) => destination);
}

const find = async ({ db, account_id }: Pick<Ctx, 'db' | 'account_id'>, connection_id: string) =>
  UUID.test(connection_id) ? connectionStore.find(db, account_id, connection_id) : undefined;

/** Sends one request, and once more with a new token after a 401. */
async function send(
  services: Services,
  pool: ConnectionPool,
  request: Request,
  account_id: string,
): Promise<SendResult> {
  const { shown, route, timeoutMs } = request;
  const startedMs = performance.now();
  const leftMs = () => Math.max(1, timeoutMs - (performance.now() - startedMs));
  const found = await withinTime(upstreamOf(services, account_id, route), timeoutMs, () => new LateError()).catch(
    (error: unknown) => {
      if (error instanceof LateError) return { trouble: timedOut(timeoutMs) };
      throw error;
    },
  );
  if ('trouble' in found) return resultOf(null, found.trouble);
  let { upstream } = found;
  let result = await sendOut(pool, requestTo(upstream, found.rest, request), leftMs());
  if (result.response?.status === 401 && upstream.refresh) {
    const fresh = await withinTime(upstream.refresh(), leftMs(), () => new LateError()).catch(() => undefined);
    if (fresh) {
      upstream = fresh;
      result = await sendOut(pool, requestTo(upstream, found.rest, request), leftMs());
    }
  }
  const { response } = result;
  if (response) upstream.watch?.(response.status);
  services.memory.calls.note({
    account_id,
    connection_id: upstream.connection_id,
    run_id: null,
    key_id: null,
    key_name: null,
    app: upstream.app,
    method: shown.method,
    path: (found.rest.split('?', 1)[0] ?? '/').slice(0, LOGGED_PATH_MAX_CHARS),
    status: response?.status ?? null,
    duration_ms: performance.now() - startedMs,
    request_bytes: request.body === null ? 0 : Buffer.byteLength(request.body),
    response_bytes: response === null ? 0 : Buffer.byteLength(response.body),
    error: result.trouble === null ? null : `A delivery failed (${result.trouble.reason}).`,
    request_id: null,
    at_ms: orderedNow(),
  });
  const shownResult = withoutSecrets(result, upstream);
  // The error of the app is a part of its response: read without the credentials that it repeats.
  const trouble = result.trouble ?? (shownResult.response && appError(upstream.gateway, shownResult.response));
  return { ...shownResult, trouble };
}

class LateError extends Error {}

/** The connection's URL and credentials, and the path there; or why it cannot be used now. */
async function upstreamOf(
  services: Services,
  account_id: string,
  { connection_id, path }: Route,
): Promise<{ upstream: Upstream; rest: string } | { trouble: Trouble }> {
  try {
    const main = await choose(services, account_id, null, connection_id);
    return addressedPath(main, path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { trouble: await troubleOf(services, account_id, connection_id, error) };
  }
}

async function troubleOf(
  services: Services,
  account_id: string,
  connection_id: string,
  { message }: Failure,
): Promise<Trouble> {
  const row = await find({ ...services, account_id }, connection_id);
  if (!row)
    return {
      reason: 'CONNECTION_DELETED',
      message: `This account has no connection ${connection_id} any more. Choose another one for this destination.`,
    };
  const name = await wordsOf(services, account_id, row);
  const failure = row.failure === null ? undefined : (JSON.parse(row.failure) as { message?: string }).message;
  const why = row.status === 'ACTIVE' ? message : [`It is ${row.status}.`, failure].filter(Boolean).join(' ');
  const page = connectionPage(services.settings.addresses, connection_id);
  return { reason: 'CONNECTION_FAILED', message: `${name}: ${why} See ${page}` };
}

/** `Slack · Acme`: the app's name, and the connection's if it has one. */
async function wordsOf(
  services: Pick<Services, 'db'>,
  account_id: string,
  { app, name }: Pick<ConnectionsTable, 'app' | 'name'>,
): Promise<string> {
  const title = (await findApp(services, account_id, app))?.definition.name ?? app;
  return name === null ? title : `${title} · ${name}`;
}

function requestTo(upstream: Upstream, rest: string, { shown: { method }, headers: own, body }: Request): HttpRequest {
  const path = nativePath(upstream, rest);
  const flat = Object.entries(own).flat();
  const headers = requestHeaders(flat, undefined, upstream, body !== null);
  if (upstream.sign) {
    const type = Object.entries(own).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const form = body !== null && /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type) ? body.toString() : null;
    headers.push(...upstream.sign({ method, url: upstream.origin + path, form, headers, body }));
  }
  return { method, origin: upstream.origin, path, headers, body };
}
