/** The request builder: sends a user's request to an app with a connection's credentials and returns the response. */
import { APP_REPLY_KEPT_BYTES, APP_REQUEST_TIMEOUT_MS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { keyOf } from '../accounts/auth.ts';
import { assertAppCall, assertPlainMethod } from '../accounts/key-limits.ts';
import { write } from '../accounts/write.ts';
import { readableBody } from '../lib/bodies/readable-body.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import type { Feed, FeedStart } from '../lib/feed.ts';
import type { Ctx } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import { responseFeed, type SendWatched } from './response-feed.ts';
import { hasCapturedCall } from './store/captures.ts';
import * as store from './store/connections.ts';
import { choose } from './upstream/choose.ts';
import { hostInPath } from './upstream/further-host.ts';
import { type AppAnswer, callApp } from './upstream/upstream-call.ts';

/**
 * Sends one request like the gateway. `response` is the app's response, including 4xx and 5xx; `error` is set only if
 * the app did not respond (502, 504). 400 if the connection is not ACTIVE. Redirects are not followed.
 */
export async function send(ctx: Ctx, input: Input<'connectionRequest'>): Promise<Reply<'connectionRequest'>> {
  return (await prepare(ctx, input))();
}

/** Like `send`: a feed with the response as it arrives, and the complete reply at its end. */
export async function follow(
  ctx: Ctx,
  input: Input<'connectionRequest'>,
  { signal }: Pick<FeedStart, 'signal'>,
): Promise<Feed> {
  return responseFeed(await prepare(ctx, input), signal);
}

/** Checks the request; returns the function that sends it. */
async function prepare(ctx: Ctx, { params, body }: Input<'connectionRequest'>): Promise<SendWatched> {
  const row = await activeConnection(ctx, params.connection_id);
  const upstream = await choose(ctx, ctx.account_id, row.app, row.connection_id);
  const [path] = hostInPath(upstream, body.path).rest.split('?', 1);
  assertAppCall(ctx, { app: row.app, method: body.method, path: path ?? '', connection_id: row.connection_id });
  assertPlainMethod(ctx, row.app, body.headers ?? []);
  const { replay_of = null } = body;
  if (replay_of !== null && !(await hasCapturedCall(ctx.db, ctx.account_id, replay_of)))
    throw notFound('replay_of: captured call');
  const request = { method: body.method, path: body.path, headers: body.headers ?? [], body: bytesOf(body) };
  await write(ctx, async (_tx, about) => about(row.connection_id));
  const limits = { deadlineMs: APP_REQUEST_TIMEOUT_MS, maxBytes: APP_REPLY_KEPT_BYTES, key: keyOf(ctx), replay_of };
  return async (watcher) => {
    const watched = watcher ? { ...limits, watcher } : limits;
    const { answer, failure, timing } = await callApp(ctx, ctx.account_id, row.app, upstream, request, watched);
    return {
      response: answer && (await readable(answer)),
      error: failure && { code: failure.status, message: failure.message },
      timing,
    };
  };
}

/** An ACTIVE connection of the account; 404 if the account does not have it, 400 if it is not ACTIVE. */
export async function activeConnection(ctx: Ctx, connection_id: string): Promise<ConnectionsTable> {
  const row = await store.find(ctx.db, ctx.account_id, connection_id);
  if (!row) throw notFound('Connection');
  if (row.status !== 'ACTIVE')
    throw badRequest(`Expected an ACTIVE connection; this one is ${row.status}. Complete it on its url.`);
  return row;
}

function bytesOf({ body, body_encoding }: Input<'connectionRequest'>['body']): Buffer | null {
  if (body === undefined || body === null) return null;
  if (body_encoding !== 'base64') return Buffer.from(body);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body) || body.length % 4 !== 0) throw badRequest('body: expected base64');
  return Buffer.from(body, 'base64');
}

async function readable({ body, headers, ...answer }: AppAnswer): Promise<Reply<'connectionRequest'>['response']> {
  const encodings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join();
  const { text, encoding, truncated } = await readableBody(body, encodings, {
    maxBytes: APP_REPLY_KEPT_BYTES,
    truncated: answer.truncated,
  });
  return { ...answer, headers, body: text, body_encoding: encoding, bytes: body.length, truncated };
}
