import type { Input, Reply } from '../../contract/operations.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as store from '../store/connections.ts';
import type { Ctx } from './context.ts';
import { choose, type Upstream } from './gateway.ts';
import { callTool, listTools } from './mcp/tools.ts';
import { write } from './write.ts';

/** The tools of a connection's MCP server, asked of it now. */
export async function list(ctx: Ctx, { params }: Input<'connectionToolList'>): Promise<Reply<'connectionToolList'>> {
  return listTools(ctx, await serverOf(ctx, params.connection_id));
}

/** Calls one tool with the connection's credentials, and answers what it answered. */
export async function call(
  ctx: Ctx,
  { params, body }: Input<'connectionToolCall'>,
): Promise<Reply<'connectionToolCall'>> {
  const upstream = await serverOf(ctx, params.connection_id);
  await write(ctx, async (_tx, about) => about(params.connection_id));
  return { result: await callTool(ctx, upstream, body) };
}

async function serverOf(ctx: Ctx, connection_id: string): Promise<Upstream> {
  const row = await store.find(ctx.db, ctx.account_id, connection_id);
  if (!row) throw notFound('Connection');
  if (row.method !== null && row.method !== 'MCP')
    throw badRequest(`Expected a connection to an MCP server; this one is by ${row.method}.`);
  if (row.status !== 'ACTIVE')
    throw badRequest(`Expected an ACTIVE connection; this one is ${row.status}. Complete it on its url.`);
  return choose(ctx, ctx.account_id, row.app, connection_id);
}
