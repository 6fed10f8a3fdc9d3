/**
 * Adapts HTTP requests to verbs, in the same steps for every operation: authenticate → authorize → rate limit →
 * validate → idempotency → verb → response. Independent of what an operation does.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { operationRefusal, scopeRefusal } from '../../contract/keys/key-limits.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS } from '../../contract/limits.ts';
import { operations } from '../../contract/operations.ts';
import { mayAct, type Operation, routes } from '../../contract/routes.ts';
import * as auth from '../accounts/auth.ts';
import * as idempotency from '../accounts/idempotency.ts';
import { authenticateLink } from '../connections/connect/connect-sessions.ts';
import { authenticateSession } from '../connections/connect/end-user-sessions.ts';
import { badRequest, Failure, forbidden } from '../lib/failure.ts';
import type { Feed, FeedStart, FileFeed } from '../lib/feed.ts';
import type { OwnRateLimit, RateLimit } from '../lib/rate-limit.ts';
import { rateLimitHeaders } from '../lib/rate-limit.ts';
import { newToken } from '../lib/tokens.ts';
import type { Ctx, Services } from '../platform/context.ts';
import { traceIn } from '../platform/tracing/trace.ts';
import { accepts } from './accepted.ts';
import { connectCookie, readConnectCookie } from './connect-cookie.ts';
import { errorBody, noteFailure, toFailure } from './error-body.ts';
import type { FileStreams } from './file-stream.ts';
import {
  type FeedOperation,
  type FileOperation,
  feeds,
  files,
  handlers,
  type PublicOperation,
  publicHandlers,
} from './handlers.ts';
import { readBody, readParams, readQuery } from './input.ts';
import { jsonResponse } from './json-response.ts';
import {
  deviceCookie,
  readDeviceCookie,
  readSessionCookie,
  readSignInCookie,
  readSigningInCookie,
  sessionCookie,
  signInCookie,
  signingInCookie,
} from './session-cookie.ts';
import { STREAM_HEADERS, type Streams } from './stream.ts';

export type Edge = {
  services: Services;
  limits: { account: RateLimit; session: RateLimit; address: OwnRateLimit };
  streams: Streams;
  files: FileStreams;
  /** In tests: a reply that does not match its schema becomes a 500. */
  strictReplies: boolean;
};
/** Facts about a request that front.ts passes on. */
export type Env = {
  Bindings: { requestId: string; ip: string | null; incoming: IncomingMessage };
  Variables: {
    account_id: string | undefined;
    actor_id: string | null | undefined;
    operation: Operation | undefined;
  };
};
type Call = Context<Env>;
type Caller = Pick<Ctx, 'account_id' | 'actor' | 'link' | 'connect_session' | 'confirmed_at' | 'limits'> & {
  bySession: boolean;
};

const USER_AGENT_MAX_CHARS = 400;

/** The handler of one operation. */
export function serve(edge: Edge, operation: Operation) {
  const route = routes[operation];
  return async (c: Call): Promise<Response> => {
    c.set('operation', operation);
    if (route.auth === 'public') return servePublic(edge, operation as PublicOperation, c);
    const who = route.auth === 'link' ? await byLink(edge, operation, c) : await byKeyOrSession(edge, c);
    c.set('account_id', who.account_id);
    c.set('actor_id', who.actor.id);
    if (who.bySession) assertSameAccount(c, who);
    if (who.bySession && route.method !== 'GET') assertSameOrigin(edge, c);
    // A connect link authorizes exactly the operations that require links.
    const verdict = route.auth === 'link' ? { can: true as const } : mayAct(who.actor.role, route.role);
    if (!verdict.can) throw forbidden(verdict.reason);
    const refusal = who.limits ? scopeRefusal(who.limits, operation) : null;
    if (refusal !== null) throw forbidden(refusal);
    await applyRateLimit(edge, c, who);
    const trace = traceIn(c.env.incoming.headers);
    const ctx: Ctx = {
      ...edge.services,
      account_id: who.account_id,
      actor: who.actor,
      operation,
      request_id: c.env.requestId,
      ip: c.env.ip,
      ...(who.bySession ? { page: pageOf(c) } : {}),
      ...(trace ? { trace } : {}),
      ...(who.limits ? { limits: who.limits } : {}),
      ...(who.confirmed_at === undefined ? {} : { confirmed_at: who.confirmed_at }),
      ...(who.link ? { link: who.link, browser: browserOf(edge, c) } : {}),
      ...(who.connect_session ? { connect_session: who.connect_session } : {}),
    };
    const params = readParams(operation, c.req.param());
    const query = readQuery(operation, new URL(c.req.url));
    assertWithinLimits(who, operation, params, query);
    const ip = c.env.ip;
    auth.countKeyUse(edge.services, who, { operation, function_id: functionOf(params, query), ip });
    if (route.file) return serveFile(edge, c, ctx, operation as FileOperation, { params, query, body: undefined });
    if (route.stream || (route.alsoStream && accepts(c.req.header('accept'), 'text/event-stream'))) {
      if (c.req.header('idempotency-key') !== undefined)
        throw badRequest(
          'Idempotency-Key: an event stream can’t be repeated. Leave it out, or accept application/json.',
        );
      // A HEAD response has no body, so no reader would ever close a stream opened for it.
      if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
      const isAuthorized = () => isStillAuthorized(edge, c, operation, { params, query });
      const lastId = c.req.header('last-event-id') ?? (query as { last_event_id?: string }).last_event_id;
      if (operation === 'eventStream') return edge.streams.open(ctx, lastId, isAuthorized);
      const { body } = await readBody(c.env.incoming, operation, new URL(c.req.url).pathname);
      const open = feeds[operation as FeedOperation] as (ctx: Ctx, input: unknown, from: FeedStart) => Promise<Feed>;
      return edge.streams.feed(ctx, (gone) => open(ctx, { params, query, body }, { lastId, signal: gone }), {
        isAuthorized,
        left: c.req.raw.signal,
        errorBodyOf: route.alsoStream ? (error) => errorBodyOf(ctx, c, error) : undefined,
      });
    }
    const { body, fingerprint } = await readBody(c.env.incoming, operation, new URL(c.req.url).pathname);
    const verb = handlers[operation as keyof typeof handlers] as Verb;
    const left = route.alsoStream ? c.req.raw.signal : undefined;
    const call = async () => reply(edge, operation, await verb(ctx, { params, query, body }, left));
    return route.method === 'POST' ? runIdempotent(ctx, c, fingerprint, call) : json(c, await call());
  };
}

/** Whether the caller of a stream could open it again: its key or session may have ended, its limits changed. */
async function isStillAuthorized(
  edge: Edge,
  c: Call,
  operation: Operation,
  { params, query }: Asked,
): Promise<boolean> {
  try {
    assertWithinLimits(await byKeyOrSession(edge, c), operation, params, query);
    return true;
  } catch {
    return false;
  }
}

type Asked = { params: unknown; query: unknown };

/** The limits of an API key: scopes from the route table, and functions. */
function assertWithinLimits({ limits }: Pick<Ctx, 'limits'>, operation: Operation, params: unknown, query: unknown) {
  const refusal = limits ? operationRefusal(limits, operation, functionOf(params, query)) : null;
  if (refusal !== null) throw forbidden(refusal);
}

/** The function that the path or the query of a request names. */
const functionOf = (params: unknown, query: unknown): string | undefined =>
  (params as { function_id?: string }).function_id ?? (query as { function_id?: string }).function_id;

function serveFile(
  edge: Edge,
  c: Call,
  ctx: Ctx,
  operation: FileOperation,
  input: Asked & { body: undefined },
): Promise<Response> {
  const open = files[operation] as (ctx: Ctx, input: unknown, from: { signal: AbortSignal }) => Promise<FileFeed>;
  const { socket } = c.env.incoming;
  return edge.files.open(ctx, (signal) => open(ctx, input, { signal }), {
    isAuthorized: () => isStillAuthorized(edge, c, operation, input),
    left: c.req.raw.signal,
    // A HEAD response has no body, so no reader would ever close it.
    headersOnly: c.req.method === 'HEAD',
    errorBodyOf: (error) => errorBodyOf(ctx, c, error),
    cut: (at) => (at === 'sent' ? socket.destroySoon() : socket.destroy()),
  });
}

/** Logs a failure after the first byte, and returns the error body that the stream sends. */
function errorBodyOf({ log, request_id }: Ctx, c: Call, error: unknown) {
  const failure = toFailure(error);
  noteFailure(log, error, failure, { request_id, path: c.req.path });
  return errorBody(failure);
}

type Verb = (ctx: Ctx, input: unknown, left: AbortSignal | undefined) => Promise<unknown>;

async function servePublic(edge: Edge, operation: PublicOperation, c: Call): Promise<Response> {
  const taken = edge.limits.address.take(c.env.ip ?? 'unknown');
  setHeaders(c, rateLimitHeaders(edge.limits.address, taken));
  if (!taken.allowed) throw tooFast();
  if (routes[operation].method !== 'GET') assertSameOrigin(edge, c);
  const { addresses } = edge.services.settings;
  const token = readSessionCookie(addresses, c.req.header('cookie'));
  const client = clientOf(c);
  const session = token ? await auth.authenticateSession(edge.services, token, client) : null;
  const ctx: auth.PublicCtx = {
    ...edge.services,
    operation,
    request_id: c.env.requestId,
    ...client,
    session: session && token ? { ...session, token } : null,
    setCookie: (value) => c.header('Set-Cookie', sessionCookie(addresses, value), { append: true }),
    device: {
      get: () => readDeviceCookie(addresses, c.req.header('cookie')),
      set: (mark) => c.header('Set-Cookie', deviceCookie(addresses, mark), { append: true }),
    },
    signingIn: {
      get: () => readSigningInCookie(addresses, c.req.header('cookie')),
      set: (value) => c.header('Set-Cookie', signingInCookie(addresses, value), { append: true }),
    },
    signIn: {
      get: () => readSignInCookie(addresses, c.req.header('cookie')),
      set: (mark) => c.header('Set-Cookie', signInCookie(addresses, mark), { append: true }),
    },
  };
  const params = readParams(operation, c.req.param());
  const query = readQuery(operation, new URL(c.req.url));
  const { body } = await readBody(c.env.incoming, operation, new URL(c.req.url).pathname);
  const answer = await (publicHandlers[operation] as (ctx: auth.PublicCtx, input: unknown) => Promise<unknown>)(ctx, {
    params,
    query,
    body,
  });
  return json(c, reply(edge, operation, answer));
}

/** Authenticates by the Authorization header if present, otherwise by the session cookie. */
async function byKeyOrSession(edge: Edge, c: Call): Promise<Caller> {
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const key = bearer(header);
    const found = key ? await auth.authenticateKey(edge.services, key, c.env.ip) : null;
    if (found) return { ...found, bySession: false };
    throw unauthorized('The API key is invalid or revoked.');
  }
  const token = readSessionCookie(edge.services.settings.addresses, c.req.header('cookie'));
  const found = token ? await auth.authenticateSession(edge.services, token, clientOf(c)) : null;
  if (found) {
    auth.requireFactor(found);
    return { ...found, bySession: true };
  }
  throw unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
}

/**
 * The console sends the account of its page. Another tab of the browser may have switched to another account since: the
 * request must not change that one.
 */
function assertSameAccount(c: Call, { account_id }: Caller): void {
  const shown = c.req.header('sluice-account');
  if (!shown || shown === account_id) return;
  throw new Failure(409, 'This browser switched to another account. Reload the page.', { required: 'RELOAD' });
}

/** The page of the console, as it says; only shown. */
const pageOf = (c: Call): string | null =>
  /^\/[\x21-\x7e]{0,299}$/.exec(c.req.header('sluice-page') ?? '')?.[0] ?? null;

/** A user agent beyond the usual lengths is cut: it is only shown. */
const clientOf = (c: Call): auth.Client => ({
  ip: c.env.ip,
  user_agent: c.req.header('user-agent')?.slice(0, USER_AGENT_MAX_CHARS) ?? null,
});

async function byLink(edge: Edge, operation: Operation, c: Call): Promise<Caller> {
  const token = bearer(c.req.header('authorization') ?? '');
  if (!token) throw unauthorized('The session token of a connect link is required.');
  if (operation === 'connectChoiceGet' || operation === 'connectChoiceSubmit') {
    const connect_session = await authenticateSession(edge.services, token);
    const { account_id, session_id } = connect_session;
    const actor = { type: 'CONNECT_LINK', id: session_id, name: 'connect session', role: 'VIEWER' } as const;
    return { account_id, actor, bySession: false, connect_session };
  }
  const link = await authenticateLink(edge.services, token);
  return {
    account_id: link.account_id,
    actor: { type: 'CONNECT_LINK', id: link.connection_id, name: 'connect link', role: 'VIEWER' },
    bySession: false,
    link,
  };
}

/** Returns the value of the browser's connect cookie, or a new one. A POST also sets or renews the cookie. */
function browserOf(edge: Edge, c: Call): string {
  const { addresses } = edge.services.settings;
  const text = readConnectCookie(addresses, c.req.header('cookie')) ?? newToken();
  if (c.req.method === 'POST') c.header('Set-Cookie', connectCookie(addresses, text));
  return text;
}

export const bearer = (header: string): string | undefined => /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(header)?.[1];
export const unauthorized = (message: string) =>
  new Failure(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
export const tooFast = (headers: Record<string, string> = {}) =>
  new Failure(429, 'Too many requests. Wait for the time in Retry-After, then back off exponentially.', { headers });

async function applyRateLimit(edge: Edge, c: Call, who: Caller): Promise<void> {
  const limit = who.bySession ? edge.limits.session : edge.limits.account;
  const taken = await limit.take(who.bySession ? `${who.account_id}/${who.actor.id}` : who.account_id);
  setHeaders(c, rateLimitHeaders(limit, taken));
  if (taken.allowed) return;
  edge.services.measures.count('rate_limited', { limit: who.bySession ? 'session' : 'account' });
  throw tooFast();
}

/** Any page can send requests with the cookie, so an unsafe request with it must come from the console's origin. */
function assertSameOrigin(edge: Edge, c: Call): void {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('This request came from another site.');
  if (origin === undefined) {
    if (site === undefined && c.req.header('cookie') !== undefined)
      throw forbidden('Origin: expected the origin of the console.');
    return;
  }
  if (!edge.services.settings.hosts.isOwnOrigin(origin, c.req.header('host') ?? ''))
    throw forbidden('This request came from another site.');
}

/** With an Idempotency-Key, a repeated request gets the response of the first one. */
async function runIdempotent(ctx: Ctx, c: Call, fingerprint: string, call: () => Promise<unknown>): Promise<Response> {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return json(c, await call());
  if (key === '' || key.length > IDEMPOTENCY_KEY_MAX_CHARS) {
    throw badRequest(`Idempotency-Key: expected 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters`);
  }
  // A key with limits must not get a response that another key may have.
  const own = ctx.limits ? `${ctx.actor.id} ${key}` : key;
  const claim = { account_id: ctx.account_id, operation: ctx.operation, key: own, fingerprint };
  const before = await idempotency.begin(ctx, claim, idempotency.WAIT_MAX_MS);
  if (before.state === 'answer') {
    c.header('Idempotency-Replayed', 'true');
    return jsonResponse(c, before.body, before.status);
  }
  let body: string;
  try {
    body = JSON.stringify(await call());
  } catch (error) {
    await idempotency.release(ctx, claim);
    throw error;
  }
  // The change is committed. If the response can't be stored, the key must not be released for a second change.
  await idempotency
    .finish(ctx, claim, { status: 200, body })
    .catch((error: unknown) =>
      ctx.log.error({ err: error, request_id: ctx.request_id }, 'idempotent response could not be stored'),
    );
  return jsonResponse(c, body);
}

function reply(edge: Edge, operation: Operation, answer: unknown): unknown {
  if (!edge.strictReplies) return answer;
  const plain = JSON.parse(JSON.stringify(answer));
  const parsed = operations[operation].reply.safeParse(plain);
  if (!parsed.success) throw new Error(`${operation}: reply does not match its schema: ${parsed.error.message}`);
  const stray = Object.keys(plain).filter((name) => !(name in (parsed.data as object)));
  if (stray.length > 0)
    throw new Error(`${operation}: reply has fields that are not in its schema: ${stray.join(', ')}`);
  return answer;
}

const json = (c: Call, value: unknown): Promise<Response> => jsonResponse(c, JSON.stringify(value));

export function setHeaders(c: Call, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}
