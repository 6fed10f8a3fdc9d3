/**
 * The calls that the gateway refused and that never reached an app. A caller with a valid key or the token of a run owns
 * them; calls of other callers belong to no account and are not recorded. Equal ones of a window of five minutes are one
 * row with a count. An account has a limited number of rows per window: further calls are counted in one row for each
 * status, so that a flood of refused calls fills neither the table nor the memory. Rows are written once a second.
 */
import { REFUSED_CALLS } from '../../../contract/limits.ts';
import { timestampAt } from '../../lib/clock.ts';
import type { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { addCalls, type NewRefusal } from '../store/refused-calls.ts';

export type RefusedCall = {
  account_id: string;
  run_id: string | null;
  key_id: string | null;
  key_name: string | null;
  /** As the caller named it. */
  app: string | null;
  /** As the caller named it: stored only if it is one of the account. */
  connection_id: string | null;
  method: string;
  /** Without the query. */
  path: string;
  failure: Failure;
  request_id: string;
};

export type RefusedCalls = {
  note(call: RefusedCall): void;
  /** Writes what is buffered. */
  flush(): Promise<void>;
};

const FLUSH_AFTER_MS = 1_000;
const ACCOUNTS_MAX = 1_000;
const PATH_MAX_CHARS = 500;
const ERROR_MAX_CHARS = 500;
const NAME_MAX_CHARS = 64;

/** The rows of an account in the current window, by what their calls have in common. */
type Window = { sinceMs: number; rows: Map<string, NewRefusal>; different: number };

type Parts = Pick<Services, 'db' | 'log' | 'changed'>;

export function createRefusedCalls({ db, log, changed }: Parts): RefusedCalls {
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function windowOf(account_id: string, nowMs: number): Window | undefined {
    const known = windows.get(account_id);
    if (known && nowMs < known.sinceMs + REFUSED_CALLS.windowMs) return known;
    if (windows.size >= ACCOUNTS_MAX && !known)
      for (const [id, { sinceMs, rows }] of windows)
        if (nowMs >= sinceMs + REFUSED_CALLS.windowMs && ![...rows.values()].some(isUnwritten)) windows.delete(id);
    if (windows.size >= ACCOUNTS_MAX && !known) return undefined;
    const fresh: Window = { sinceMs: nowMs, rows: new Map(), different: 0 };
    // What was counted since the last flush moves along.
    for (const [key, row] of known?.rows ?? []) if (isUnwritten(row)) fresh.rows.set(`before ${key}`, row);
    windows.set(account_id, fresh);
    return fresh;
  }

  async function write(): Promise<void> {
    const rows = [...windows.values()].flatMap(({ rows }) => [...rows.values()].filter(isUnwritten));
    if (rows.length === 0) return;
    const counted = rows.map((row) => ({ ...row }));
    for (const row of rows) row.calls = 0;
    try {
      await addCalls(db, counted);
    } catch (error) {
      log.warn({ ...errorFields(error), rows: rows.length }, 'refused gateway calls could not be stored, retrying');
      for (const [i, row] of rows.entries()) row.calls += counted[i]?.calls ?? 0;
      later();
      return;
    }
    for (const account_id of new Set(rows.map(({ account_id }) => account_id)))
      changed(account_id, { noun: 'call', connection_id: null });
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }
  function later() {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (writing !== undefined) later();
      else void flush();
    }, FLUSH_AFTER_MS).unref();
  }

  return {
    note(call) {
      const nowMs = Date.now();
      const window = windowOf(call.account_id, nowMs);
      if (!window) return;
      const wanted = rowOf(call, nowMs);
      const key = keyOf(wanted);
      const isKnown = window.rows.has(key);
      const isFull = !isKnown && window.different >= REFUSED_CALLS.rows;
      const row = isFull ? restOf(wanted) : wanted;
      const place = isFull ? keyOf(row) : key;
      const known = window.rows.get(place);
      if (known) {
        known.calls++;
        known.last_at = wanted.last_at;
      } else {
        window.rows.set(place, row);
        window.different++;
      }
      later();
    },
    async flush() {
      await writing;
      await flush();
      clearTimeout(timer);
    },
  };
}

const isUnwritten = ({ calls }: NewRefusal) => calls > 0;

function rowOf({ failure, ...call }: RefusedCall, nowMs: number): NewRefusal {
  return {
    ...call,
    call_id: newId(nowMs),
    app: call.app === null ? null : (cut(call.app, NAME_MAX_CHARS) ?? null),
    method: cut(call.method, NAME_MAX_CHARS),
    path: cut(call.path, PATH_MAX_CHARS) || '/',
    status: failure.status,
    error: cut(failure.message, ERROR_MAX_CHARS),
    calls: 1,
    last_at: timestampAt(nowMs),
  };
}

/** A row for all calls with this status beyond the limit. */
const restOf = (row: NewRefusal): NewRefusal => ({
  ...row,
  run_id: null,
  key_id: null,
  key_name: null,
  app: null,
  connection_id: null,
  method: '*',
  path: '*',
  error: `Refused with ${row.status} for several reasons: more than ${REFUSED_CALLS.rows} different calls were refused within five minutes.`,
});

const keyOf = (row: NewRefusal) =>
  [row.status, row.key_id, row.run_id, row.connection_id, row.app, row.method, row.path, row.error].join('\n');

/** A copy: a slice would keep the whole text in memory. PostgreSQL stores no NUL. */
const cut = (text: string, chars: number) =>
  Buffer.from(text.slice(0, chars).replaceAll('\0', '')).toString().toWellFormed();
