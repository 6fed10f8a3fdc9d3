import type { Input, Reply } from '../../contract/operations.ts';
import { keyOf } from '../accounts/auth.ts';
import { assertAppCall } from '../accounts/key-limits.ts';
import { write } from '../accounts/write.ts';
import { callTool, listTools } from '../connections/mcp/tools.ts';
import * as store from '../connections/store/connections.ts';
import { choose } from '../connections/upstream/choose.ts';
import type { Upstream } from '../connections/upstream/upstream.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import { orderedNow } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import type { NotedCall } from './calls-log.ts';

/** Lists the tools of a connection's MCP server. Not cached. */
export async function list(ctx: Ctx, { params }: Input<'connectionToolList'>): Promise<Reply<'connectionToolList'>> {
  const { upstream } = await serverOf(ctx, params.connection_id);
  return listTools(ctx, upstream);
}

/** Calls one tool with the connection's credentials; it is logged as a gateway call. */
export async function call(
  ctx: Ctx,
  { params, body }: Input<'connectionToolCall'>,
): Promise<Reply<'connectionToolCall'>> {
  const { app, upstream } = await serverOf(ctx, params.connection_id);
  const path = `/${encodeURIComponent(body.tool)}`;
  assertAppCall(ctx, { app, method: 'POST', path, connection_id: params.connection_id });
  const key = keyOf(ctx);
  await write(ctx, async (_tx, about) => about(params.connection_id));
  const noted: NotedCall = {
    account_id: ctx.account_id,
    connection_id: params.connection_id,
    run_id: null,
    key_id: key?.key_id ?? null,
    key_name: key?.name ?? null,
    app,
    method: 'POST',
    path,
    status: null,
    duration_ms: 0,
    request_bytes: sizeOf(body.arguments ?? {}),
    response_bytes: 0,
    error: null,
    request_id: ctx.request_id,
    at_ms: orderedNow(),
  };
  const startedMs = performance.now();
  try {
    const result = await callTool(ctx, upstream, body);
    noted.status = 200;
    noted.response_bytes = sizeOf(result);
    return { result };
  } catch (error) {
    noted.error = error instanceof Failure ? error.message : 'Internal error.';
    throw error;
  } finally {
    noted.duration_ms = performance.now() - startedMs;
    ctx.memory.calls.note(noted);
  }
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

async function serverOf(ctx: Ctx, connection_id: string): Promise<{ app: string; upstream: Upstream }> {
  const row = await store.find(ctx.db, ctx.account_id, connection_id);
  if (!row) throw notFound('Connection');
  if (row.method !== null && row.method !== 'MCP')
    throw badRequest(`Expected a connection to an MCP server; the method of this one is ${row.method}.`);
  if (row.status !== 'ACTIVE')
    throw badRequest(`Expected an ACTIVE connection; this one is ${row.status}. Complete it on its url.`);
  return { app: row.app, upstream: await choose(ctx, ctx.account_id, row.app, connection_id) };
}
