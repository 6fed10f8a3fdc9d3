/**
 * Trying the credentials of a connection: the app's probe, a cheap request of its definition, is sent with them; an MCP
 * server is asked for its tools. An answer that lets the service in is good. A 401 is asked once more, after a renewal
 * where tokens can be renewed; the second 401 says that the credentials are refused, and a connection whose credentials
 * are what somebody typed is FAILED from then on. A token that was just renewed may be refused for another reason (a
 * permission it lacks), so its connection stays as it is, and so does every other on any other answer: no permission, too
 * many requests, trouble of the app or on the way say nothing about credentials.
 */
import type { Input, Reply } from '../../contract/operations.ts';
import type { Probe } from '../apps/definition.ts';
import { now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable } from '../store/schema.ts';
import { findApp } from './apps.ts';
import { activeConnection } from './connection-requests.ts';
import { announce, fail } from './connection-status.ts';
import { describeOne } from './connections.ts';
import type { Ctx } from './context.ts';
import { choose, type Upstream } from './gateway.ts';
import { listTools, RefusedCredentials } from './mcp/tools.ts';
import { type Called, callApp } from './upstream-call.ts';
import { write } from './write.ts';

type Test = Reply<'connectionTest'>['test'];
/** `refused`: the app said 401 twice. */
type Found = Test & { refused?: boolean };

const LIMITS = { deadlineMs: 15_000, maxBytes: 64 * 1024 };

/** `ok` is null where nothing could be told. 400 for a connection that is not ACTIVE: it has to be completed first. */
export async function test(ctx: Ctx, { params }: Input<'connectionTest'>): Promise<Reply<'connectionTest'>> {
  const row = await activeConnection(ctx, params.connection_id);
  const app = await findApp(ctx, ctx.account_id, row.app);
  const { name = row.app, probe = null } = app?.definition ?? {};
  const upstream = await choose(ctx, ctx.account_id, row.app, row.connection_id);
  const { refused = false, ...found } = upstream.mcp
    ? await askServer(ctx, name, upstream)
    : await askApp(ctx, name, row.app, upstream, probe);
  const after = await note(ctx, row, refused && !upstream.renew ? found.message : null);
  return { test: found, connection: await describeOne(ctx, after) };
}

async function askApp(ctx: Ctx, name: string, app: string, upstream: Upstream, probe: Probe | null): Promise<Found> {
  if (!probe) {
    const message = `${name} has no request that only tries credentials.`;
    return { ok: null, status: null, duration_ms: null, message };
  }
  const body = probe.body === null ? null : Buffer.from(probe.body);
  const headers: [string, string][] = [['Accept', 'application/json']];
  if (body) headers.push(['Content-Type', 'application/json']);
  const ask = () =>
    callApp(ctx, ctx.account_id, app, upstream, { method: probe.method, path: probe.path, headers, body }, LIMITS);
  const first = await ask();
  // Where tokens can be renewed it was asked with fresh ones by now.
  const again = first.answer?.status === 401 && !upstream.renew;
  return verdict(name, probe, again ? await ask() : first);
}

function verdict(name: string, probe: Probe, { answer, failure, timing }: Called): Found {
  const told = (ok: boolean | null, message: string): Found => ({
    ok,
    status: answer?.status ?? null,
    duration_ms: timing.total_ms,
    message,
  });
  if (!answer) return told(null, failure?.message ?? `${name} gave no answer.`);
  const { status } = answer;
  if (status === 401) return { ...told(false, `${name} refuses these credentials (401).`), refused: true };
  if (status === 403)
    return told(null, `${name} answered 403: it may know the credentials, and does not let them do what was tried.`);
  if (status < 200 || status > 299)
    return told(null, `${name} answered ${status}, which says nothing about the credentials.`);
  if (probe.ok !== undefined && !saysOk(answer.body, probe.ok))
    return told(false, `${name} answered that it does not accept these credentials.`);
  return told(true, `${name} accepts these credentials.`);
}

/** For an app that answers 200 either way. */
function saysOk(body: Buffer, member: string): boolean {
  try {
    const reply = JSON.parse(body.toString()) as Record<string, unknown> | null;
    return reply?.[member] === true;
  } catch {
    return false;
  }
}

async function askServer(ctx: Ctx, name: string, upstream: Upstream): Promise<Found> {
  const startedMs = performance.now();
  const told = (ok: boolean | null, message: string): Found => ({
    ok,
    status: null,
    duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
    message,
  });
  const ask = () => listTools(ctx, upstream);
  try {
    const { tools } = await ask().catch((error: unknown) => {
      if (error instanceof RefusedCredentials && !upstream.renew) return ask();
      throw error;
    });
    return told(true, `${name} answers, and has ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}.`);
  } catch (error) {
    if (error instanceof RefusedCredentials)
      return { ...told(false, `${name} refuses these credentials (401).`), refused: true };
    if (error instanceof Failure) return told(null, error.message);
    throw error;
  }
}

/** Writes down who tried, and that the connection is FAILED when it was refused and is still the one that was tried. */
async function note(ctx: Ctx, seen: ConnectionsTable, refusal: string | null): Promise<ConnectionsTable> {
  const moved = await write(ctx, async (tx, about) => {
    about(seen.connection_id);
    if (refusal === null) return undefined;
    const before = await store.lock(tx, ctx.account_id, seen.connection_id);
    if (before?.status !== 'ACTIVE' || before.completed_at !== seen.completed_at) return undefined;
    return fail(tx, before, { code: 'INVALID_CREDENTIALS', message: refusal, since: now() });
  });
  if (!moved) return (await store.find(ctx.db, ctx.account_id, seen.connection_id)) ?? seen;
  announce(ctx, moved);
  return moved.row;
}
