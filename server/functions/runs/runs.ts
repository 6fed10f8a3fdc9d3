import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Input, Reply } from '../../../contract/operations.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { keyOf } from '../../accounts/auth.ts';
import { write } from '../../accounts/write.ts';
import { now, toTimestamp } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { openPage, pageToken } from '../../platform/paging.ts';
import { traceHeaders } from '../../platform/tracing/trace.ts';
import { callableOf } from '../calls/callables.ts';
import { startCall } from '../calls/start-call.ts';
import { getOwn } from '../hosted-function.ts';
import * as runPages from '../store/run-pages.ts';
import * as store from '../store/runs.ts';
import { findSettled } from './settled-run.ts';

export async function get(ctx: Ctx, { params }: Input<'runGet'>): Promise<Reply<'runGet'>> {
  return getRun(ctx, params.function_id, params.run_id);
}

/** Runs of one function, newest first. */
export async function list(ctx: Ctx, input: Input<'runList'>): Promise<Reply<'runList'>> {
  const { function_id } = await getOwn(ctx, input.params.function_id);
  return page(ctx, input, function_id);
}

/** Runs of all functions of the account, newest first. */
export async function listAll(ctx: Ctx, input: Input<'runListAll'>): Promise<Reply<'runListAll'>> {
  const { function_id } = input.query;
  if (function_id) await getOwn(ctx, function_id);
  return page(ctx, input, function_id, input.query.ids);
}

/** Runs a function with the given request; returns the run when it is over. */
export async function invoke(ctx: Ctx, { params, body }: Input<'functionInvoke'>): Promise<Reply<'functionInvoke'>> {
  const fn = await getOwn(ctx, params.function_id);
  const { method = 'POST', path = '/', query = {}, headers = {}, body: text = '', version } = body ?? {};
  const search = new URLSearchParams(query).toString();
  const { functions_domain, functions_scheme } = ctx.settings.addresses;
  const request = {
    method,
    path: asciiOf(path) + (search && `?${search}`),
    headers: invokedHeaders(ctx, headers),
    body: Buffer.from(text),
    host: `${fn.label}.${functions_domain}`,
    scheme: functions_scheme === 'https' ? ('https' as const) : ('http' as const),
    protocol: 'HTTP/1.1',
    source_ip: ctx.ip ?? '127.0.0.1',
  };
  await write(ctx, async (_tx, about) => about(fn.function_id));
  const call = await startCall(ctx, await callableOf(ctx, fn, version), request, {
    caller: ctx.actor.type === 'USER' ? 'CONSOLE' : 'API',
    key: keyOf(ctx),
    isAwaited: true,
  });
  call.openBody().resume();
  await call.recorded;
  return { run: await getRun(ctx, fn.function_id, call.run_id) };
}

/**
 * Ends the runs of nodes that are gone: all except this node and the `living` ones. At startup `living` is empty, when
 * this node is the only one.
 */
export async function sweepOrphanRuns(services: Services, living: string[] = []): Promise<void> {
  const error = { name: 'ServiceStopped', message: 'The service was stopped before the run ended', stack: null };
  const ended = await store.endOrphans(services.db, [services.nodeId, ...living], JSON.stringify(error), now());
  for (const { account_id, run_id, function_id } of ended)
    services.changed(account_id, { noun: 'run', run_id, function_id, status: 'ERROR' });
  if (ended.length > 0) services.log.warn({ runs: ended.length }, 'runs interrupted by a stop of the service');
}

const REMOVED_AT_ONCE = 1000;

/**
 * Removes a deleted function's runs and logs in the background: they are hidden already. After a crash, the retention
 * removes the rest.
 */
export function removeRunsOf(
  { db, log, account_id }: Pick<Ctx, 'db' | 'log' | 'account_id'>,
  function_id: string,
): void {
  const removeAll = async () => {
    while ((await store.removeSome(db, account_id, function_id, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  };
  removeAll().catch((error: unknown) =>
    log.warn({ err: error, function_id }, 'runs of a deleted function could not be removed'),
  );
}

async function getRun(ctx: Ctx, function_id: string, run_id: string): Promise<Reply<'runGet'>> {
  const row = await findSettled(ctx, { function_id, run_id });
  if (!row) throw notFound('Run');
  return describe(row);
}

async function page(ctx: Ctx, input: Input<'runList'> | Input<'runListAll'>, function_id?: string, run_ids?: string[]) {
  const { status, version, caller, key_id, q, since, until, min_duration: min_ms, max_duration: max_ms } = input.query;
  const { limit, after } = openPage(ctx, input);
  const filter = {
    function_id,
    run_ids,
    status,
    version,
    caller,
    key_id,
    q: q || undefined,
    since: since && toTimestamp(since),
    until: until && toTimestamp(until),
    min_ms,
    max_ms,
  };
  await ctx.memory.runs.settle(
    (key) => key.account_id === ctx.account_id && (key.function_id === function_id || !function_id),
    ctx.settings.runPatience.manyMs,
  );
  const { rows, next } = await runPages.page(ctx.db, ctx.account_id, filter, { limit, before: after?.[0] });
  return { runs: rows.map(describeRow), next_token: next && pageToken(ctx, input, [next]) };
}

/** The trace context of the API request continues unless the given headers have one. */
function invokedHeaders({ trace }: Ctx, headers: Record<string, string>): [string, string][] {
  const pairs = headerPairs(headers);
  const hasOwn = pairs.some(([name]) => name.toLowerCase() === 'traceparent');
  return trace && !hasOwn ? [...pairs, ...Object.entries(traceHeaders(trace))] : pairs;
}

/** Header values of a request from JSON: an invalid one is rejected by name. */
function headerPairs(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw badRequest(`headers.${name}: expected a header name and a value that HTTP can carry`);
    }
    return [name, value];
  });
}

/** A path as sent over HTTP; existing escapes are kept. */
const asciiOf = (path: string) => path.replace(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(char.toWellFormed()));

const describe = (row: store.NamedRun): Reply<'runGet'> => ({
  run_id: row.run_id,
  function_id: row.function_id,
  version: row.version,
  status: row.status,
  request: JSON.parse(row.request) as Reply<'runGet'>['request'],
  response: responseOf(row),
  created_at: row.created_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
  duration_ms: row.duration_ms,
  timing: timingOf(row),
  error: errorOf(row),
  caller: callerOf(row),
  key_id: row.key_id,
  key_name: row.key_name,
  cause: causeOf(row),
});

const describeRow = (row: store.ListedRun): Reply<'runList'>['runs'][number] => ({
  run_id: row.run_id,
  function_id: row.function_id,
  function_name: row.function_name,
  version: row.version,
  status: row.status,
  method: row.method,
  path: row.path,
  response_status: row.response_status,
  duration_ms: row.duration_ms,
  created_at: row.created_at,
  error_message: errorOf(row)?.message ?? null,
  caller: callerOf(row),
  key_id: row.key_id,
  key_name: row.key_name,
  cause: causeOf(row),
});

function responseOf(row: RunsTable): Reply<'runGet'>['response'] {
  if (row.response_status === null) return null;
  return {
    status: row.response_status,
    headers: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
    body: row.response_base64 ? row.response_body : jsonOrText(row.response_body ?? ''),
    ...(row.response_base64 ? { is_base64_encoded: true } : {}),
    ...(row.response_truncated ? { truncated: true } : {}),
  };
}

function jsonOrText(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

const errorOf = ({ error }: Pick<RunsTable, 'error'>) =>
  error === null ? null : (JSON.parse(error) as Reply<'runGet'>['error']);

function timingOf({ start, ready_ms, loaded_ms, answer_ms }: RunsTable): Reply<'runGet'>['timing'] {
  return start === null ? null : { start, ready_ms, loaded_ms, answer_ms };
}

const callerOf = ({ caller, delivery_id }: store.ListedRun) => caller ?? (delivery_id === null ? null : 'EVENT');

function causeOf({ trigger_id, event_id, delivery_id, attempt }: store.ListedRun): Reply<'runGet'>['cause'] {
  if (trigger_id === null || event_id === null || delivery_id === null || attempt === null) return null;
  return { trigger_id, event_id, delivery_id, attempt };
}
