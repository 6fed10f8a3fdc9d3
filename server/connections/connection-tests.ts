/**
 * Tests the credentials of a connection with the app's probe, a cheap request of its definition; for an MCP server, by
 * listing its tools. A 2xx response confirms the credentials. After a 401 the test is repeated, with refreshed tokens
 * if possible. A second 401 means that the credentials are rejected, and a connection with entered credentials becomes
 * FAILED. A refreshed token may be rejected for another reason (a missing permission), so its connection does not
 * change. Neither does any connection on any other response: missing permissions, rate limits, errors of the app or of
 * the network don't show whether credentials are valid.
 */
import type { Input, Reply } from '../../contract/operations.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import { findApp } from './apps/apps.ts';
import type { Probe } from './apps/definition.ts';
import { activeConnection } from './connection-requests.ts';
import { announce, confirm, fail } from './connection-status.ts';
import { describeOne } from './connections.ts';
import { probeCredentials } from './credential-probe.ts';
import { listTools, RefusedCredentials } from './mcp/tools.ts';
import * as store from './store/connections.ts';
import { choose } from './upstream/choose.ts';
import type { Upstream } from './upstream/upstream.ts';

type Test = Reply<'connectionTest'>['test'];
/** `refused`: the app rejected the credentials twice. */
type Found = Test & { refused?: boolean };

/** `ok` is null if the result is unknown. 400 if the connection is not ACTIVE: it has to be completed first. */
export async function test(ctx: Ctx, { params }: Input<'connectionTest'>): Promise<Reply<'connectionTest'>> {
  const row = await activeConnection(ctx, params.connection_id);
  const app = await findApp(ctx, ctx.account_id, row.app);
  const { name = row.app, probe = null } = app?.definition ?? {};
  const upstream = await choose(ctx, ctx.account_id, row.app, row.connection_id);
  const { refused = false, ...found } = upstream.mcp
    ? await askServer(ctx, name, upstream)
    : await askApp(ctx, name, row.app, upstream, probe);
  const after = await note(ctx, row, refused && !upstream.refresh ? found.message : null, found.ok === true);
  return { test: found, connection: await describeOne(ctx, after) };
}

async function askApp(ctx: Ctx, name: string, app: string, upstream: Upstream, probe: Probe | null): Promise<Found> {
  if (probe) return probeCredentials(ctx, ctx.account_id, { app, name, probe }, upstream);
  const message = `${name} has no request that checks credentials.`;
  return { ok: null, status: null, duration_ms: null, message };
}

async function askServer(ctx: Ctx, name: string, upstream: Upstream): Promise<Found> {
  const startedMs = performance.now();
  const result = (ok: boolean | null, message: string): Found => ({
    ok,
    status: null,
    duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
    message,
  });
  const ask = () => listTools(ctx, upstream);
  try {
    const { tools } = await ask().catch((error: unknown) => {
      if (error instanceof RefusedCredentials && !upstream.refresh) return ask();
      throw error;
    });
    return result(true, `${name} responds, and has ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}.`);
  } catch (error) {
    if (error instanceof RefusedCredentials)
      return { ...result(false, `${name} rejected these credentials (401).`), refused: true };
    if (error instanceof Failure) return result(null, error.message);
    throw error;
  }
}

/** Audits the test, and stores its result unless the credentials were replaced meanwhile. */
async function note(
  ctx: Ctx,
  seen: ConnectionsTable,
  refusal: string | null,
  isConfirmed: boolean,
): Promise<ConnectionsTable> {
  const moved = await write(ctx, async (tx, about) => {
    about(seen.connection_id);
    if (refusal === null && !isConfirmed) return undefined;
    const before = await store.lock(tx, ctx.account_id, seen.connection_id);
    if (before?.status !== 'ACTIVE' || before.completed_at !== seen.completed_at) return undefined;
    if (refusal === null) return confirm(tx, before);
    return fail(tx, before, { code: 'INVALID_CREDENTIALS', message: refusal, since: now() });
  });
  if (!moved) return (await store.find(ctx.db, ctx.account_id, seen.connection_id)) ?? seen;
  announce(ctx, moved);
  return moved.row;
}
