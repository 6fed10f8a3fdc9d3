import type { Input, Reply } from '../../contract/operations.ts';
import * as connectionStore from '../connections/store/connections.ts';
import { notFound } from '../lib/failure.ts';
import { msOf } from '../lib/ids.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import { openPage, pageToken } from '../platform/paging.ts';
import * as store from './store/all-calls.ts';
import * as captureStore from './store/captured-calls.ts';

type LoggedCall = Reply<'callList'>['calls'][number];

/** Calls of all connections and refused calls, newest first. 404 for a connection that the account does not have. */
export async function list(ctx: Ctx, input: Input<'callList'>): Promise<Reply<'callList'>> {
  const { limit, after } = openPage(ctx, input);
  const { since, until, limit: _, next_token: __, ...filter } = input.query;
  const { connection_id } = filter;
  if (connection_id !== undefined && !(await connectionStore.find(ctx.db, ctx.account_id, connection_id)))
    throw notFound('connection_id: connection');
  const times = {
    since_ms: since === undefined ? undefined : Date.parse(since),
    until_ms: until === undefined ? undefined : Date.parse(until),
  };
  const page = { limit, before: after?.[0] };
  const { rows, next } = await store.page(ctx.db, ctx.account_id, { ...filter, ...times }, page);
  const next_token = next && pageToken(ctx, input, [next]);
  return { calls: rows.map(describe), next_token, dropped: ctx.memory.calls.dropped(ctx.account_id) };
}

/** One call with its problem, and with its request and response if they were captured. */
export async function get(ctx: Ctx, { params }: Input<'callGet'>): Promise<Reply<'callGet'>> {
  const { db, account_id } = ctx;
  const row = await store.find(db, account_id, params.call_id);
  if (!row) throw notFound('Call');
  const isFailed = !row.refused && (row.status === null || row.status >= 400);
  const [problem, captured] = await Promise.all([
    isFailed ? store.problemOf(db, account_id, row.call_id) : undefined,
    row.captured ? captureStore.find(db, account_id, row.call_id) : undefined,
  ]);
  const capture = captured && {
    request: JSON.parse(captured.request),
    response: captured.response === null ? null : JSON.parse(captured.response),
  };
  return { call: describe(row), problem: problem ?? null, capture: capture ?? null };
}

function describe({ last_at, ...row }: store.LoggedRow): LoggedCall {
  const at = timestampOf(msOf(row.call_id));
  return { ...row, at, last_at: last_at ?? at };
}
