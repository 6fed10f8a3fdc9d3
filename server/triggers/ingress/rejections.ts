/**
 * Rejected requests, to diagnose a trigger without events. They are buffered and flushed every second. Any client that
 * knows a URL can cause unlimited rejections, so each trigger has a rate limit; rejections above it are only counted,
 * and every response about rejections contains that count. Requests don't wait for the flush; a crash loses one second.
 *
 * A complete request is stored as a whole, so that a user can accept it as an event. Such bodies have a second limit per
 * trigger, in bytes; above it, and for an incomplete request, only the beginning of the body is stored.
 */
import { REJECTION_KEPT_BYTES } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { RejectionCause } from '../../../contract/states.ts';
import { notFound } from '../../lib/failure.ts';
import { msOf, newId } from '../../lib/ids.ts';
import { mask } from '../../lib/masking.ts';
import { errorFields } from '../../lib/outage-log.ts';
import { createRateLimit, type OwnRateLimit } from '../../lib/rate-limit.ts';
import { timestampOf } from '../../platform/chart-range.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { RejectionsTable } from '../../platform/database/schema.ts';
import { closePage, openPage } from '../../platform/paging.ts';
import * as store from '../store/rejections.ts';
import * as triggerStore from '../store/triggers.ts';
import type { Hook } from './hooks.ts';
import type { Headers, Seen } from './incoming.ts';
import { keptRequest } from './kept-request.ts';
import type { Problem } from './signature.ts';

/** The buffer of rejected requests, and the number of dropped ones. */
export type RejectionLog = {
  waiting: RejectionsTable[];
  /** Bytes of whole bodies in `waiting`. */
  waitingBytes: number;
  rate: OwnRateLimit;
  /** For whole bodies, in blocks. */
  blocks: OwnRateLimit;
  notKept: Map<string, number>;
  tries: number;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
};
const FLUSH_AFTER_MS = 1_000;
const WAITING_MAX = 1_000;
/** A batch is dropped after this number of failed attempts. */
const TRIES = 20;
/** Rate limit per trigger: burst, and rate per second. */
const KEPT = { burst: 100, perSecond: 0.5 };
/** Limit of whole bodies per trigger: 10 MiB at once, then 16 KiB/s. */
const BLOCK_BYTES = 64 * 1024;
const KEPT_BLOCKS = { burst: 160, perSecond: 0.25 };
const WAITING_MAX_BYTES = 32 * 1024 * 1024;
const COUNTED_MAX = 10_000;

export function noteRejection(
  services: Pick<Services, 'db' | 'log' | 'changed' | 'memory'>,
  hook: Hook,
  { cause, message }: Problem,
  seen: Seen,
): void {
  const { account_id, trigger_id } = hook;
  const log = services.memory.rejections;
  if (log.waiting.length >= WAITING_MAX || !log.rate.take(trigger_id).allowed) {
    countOnly(log, trigger_id);
    return;
  }
  const isWhole = mayAccept(cause, seen) && takesWhole(log, trigger_id, seen.body.length);
  if (isWhole) log.waitingBytes += seen.body.length;
  log.waiting.push({
    account_id,
    rejection_id: newId(),
    trigger_id,
    cause,
    message: storable(message),
    method: seen.method.slice(0, 20),
    headers: JSON.stringify(shownHeaders(seen.headers)),
    body: seen.bytes === 0 ? null : shownBody(seen.body),
    bytes: seen.bytes,
    ip: seen.ip,
    request_id: seen.answered_id(),
    request: isWhole ? keptRequest(hook, seen, null).text : null,
    whole_body: isWhole ? seen.body : null,
    event_id: null,
  });
  log.timer ??= setTimeout(() => void flushRejections(services), FLUSH_AFTER_MS).unref();
}

/** Whether the request is complete and within the limits of an event. */
const mayAccept = (cause: RejectionCause, { method, body, bytes }: Seen): boolean =>
  !INCOMPLETE.has(cause) && METHODS.test(method) && body.length === bytes;

const INCOMPLETE = new Set<RejectionCause>(['BODY_CUT', 'TOO_LARGE', 'RATE_LIMITED']);

const METHODS = /^(?:POST|PUT|PATCH|GET|DELETE)$/;

function takesWhole({ waitingBytes, blocks }: RejectionLog, trigger_id: string, bytes: number): boolean {
  if (waitingBytes + bytes > WAITING_MAX_BYTES) return false;
  const wanted = Math.ceil(bytes / BLOCK_BYTES);
  for (let taken = 0; taken < wanted; taken++) {
    if (blocks.take(trigger_id).allowed) continue;
    for (; taken > 0; taken--) blocks.giveBack(trigger_id);
    return false;
  }
  return true;
}

/** Flushes the buffer, also what another call is writing. A failed batch is retried with the next flush. */
export async function flushRejections(services: Pick<Services, 'db' | 'log' | 'changed' | 'memory'>): Promise<void> {
  const log = services.memory.rejections;
  // Of several calls that waited for a batch, the first one writes the next batch.
  while (log.writing !== undefined) await log.writing;
  clearTimeout(log.timer);
  log.timer = undefined;
  if (log.waiting.length === 0) return;
  log.writing = write(services, log);
  await log.writing;
  log.writing = undefined;
}

async function write(
  { db, log: logger, changed }: Pick<Services, 'db' | 'log' | 'changed' | 'memory'>,
  log: RejectionLog,
): Promise<void> {
  const batch = log.waiting.splice(0);
  log.waitingBytes -= bytesOf(batch);
  try {
    await store.insert(db, batch);
    log.tries = 0;
  } catch (error) {
    const isOver = ++log.tries >= TRIES;
    logger.warn({ ...errorFields(error), rejections: batch.length }, 'rejected requests could not be stored');
    if (isOver) for (const { trigger_id } of batch) countOnly(log, trigger_id);
    else {
      log.waiting.unshift(...batch);
      log.waitingBytes += bytesOf(batch);
    }
    if (isOver) log.tries = 0;
    return;
  }
  const triggers = new Map(batch.map(({ trigger_id, account_id }) => [trigger_id, account_id]));
  for (const [trigger_id, account_id] of triggers) changed(account_id, { noun: 'rejection', trigger_id });
}

const bytesOf = (rows: RejectionsTable[]) => rows.reduce((sum, { whole_body }) => sum + (whole_body?.length ?? 0), 0);

/** Rejected requests of a trigger, newest first. */
export async function list(ctx: Ctx, input: Input<'rejectionList'>): Promise<Reply<'rejectionList'>> {
  const { limit, after } = openPage(ctx, input);
  const { trigger_id } = input.params;
  if (!(await triggerStore.find(ctx.db, ctx.account_id, trigger_id))) throw notFound('Trigger');
  await flushRejections(ctx);
  const found = await store.list(ctx.db, ctx.account_id, trigger_id, { limit: limit + 1, before: after?.[0] });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.rejection_id]);
  return { rejections: rows.map(describe), next_token, not_kept: ctx.memory.rejections.notKept.get(trigger_id) ?? 0 };
}

function describe(row: store.ListedRejection): Reply<'rejectionList'>['rejections'][number] {
  const { rejection_id, cause, message, method, body, bytes, ip, event_id, is_whole } = row;
  const headers = JSON.parse(row.headers) as Record<string, string>;
  const at = timestampOf(msOf(rejection_id));
  return { rejection_id, at, cause, message, method, headers, body, bytes, ip, event_id, can_accept: is_whole };
}

export const createRejectionLog = (): RejectionLog => ({
  waiting: [],
  waitingBytes: 0,
  rate: createRateLimit(KEPT),
  blocks: createRateLimit(KEPT_BLOCKS),
  notKept: new Map(),
  tries: 0,
  timer: undefined,
  writing: undefined,
});

function countOnly({ notKept }: RejectionLog, trigger_id: string): void {
  const before = notKept.get(trigger_id) ?? 0;
  if (before === 0 && notKept.size >= COUNTED_MAX) return;
  notKept.set(trigger_id, before + 1);
}

const SENSITIVE = /auth|cookie|signature|secret|token|key|hmac|password/i;
const HEADERS_MAX = 50;
const VALUE_MAX_CHARS = 500;

/** Masks signatures and secrets: a valid one would allow replaying the request. */
function shownHeaders(headers: Headers): Record<string, string> {
  const shown = Object.entries(headers).slice(0, HEADERS_MAX);
  return Object.fromEntries(
    shown.map(([name, value]) => {
      const text = String(value ?? '').slice(0, VALUE_MAX_CHARS);
      return [name, SENSITIVE.test(name) ? mask(text) : text];
    }),
  );
}

const shownBody = (body: Buffer) => storable(body.subarray(0, REJECTION_KEPT_BYTES).toString());

/** PostgreSQL's `text` can't contain NUL or lone surrogates. */
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd');
