/**
 * Stores captured calls. Calls don't wait for it: a captured call is decoded, masked and written within a second after
 * its end. The captures in memory are limited, in all and for each account: further calls are not captured. A crash
 * loses the last second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CAPTURE } from '../../../contract/limits.ts';
import { readableBody } from '../../lib/bodies/readable-body.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import type { CapturedCallsTable } from '../../platform/database/tables/connection-tables.ts';
import type { NotedCall } from '../calls-log.ts';
import * as store from '../store/captured-calls.ts';
import type { Capture, CapturedBytes } from './capture.ts';
import { maskBody, maskHeaders, maskPath, type Secrets } from './mask.ts';

export type CaptureLog = {
  /** Whether another call of this account may be captured: then `add` has to be called when it ends. */
  reserve(account_id: string): boolean;
  add(capture: Capture, call: NotedCall): void;
  /** Writes what is buffered. */
  flush(): Promise<void>;
};

const FLUSH_AFTER_MS = 500;
/** Captures in memory: calls in flight and ended ones that are not stored yet. Each has up to two bodies. */
const TOTAL_MAX = 200;
/** In one statement. */
const BATCH = 20;

type Parts = Pick<Services, 'db' | 'log' | 'changed'>;
type Ended = { capture: Capture; call: NotedCall };

export function createCaptureLog({ db, log, changed }: Parts): CaptureLog {
  /** Reserved and not stored yet, by account. */
  const held = new Map<string, number>();
  let total = 0;
  const ended: Ended[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function release({ call: { account_id } }: Ended) {
    total--;
    const left = (held.get(account_id) ?? 1) - 1;
    if (left > 0) held.set(account_id, left);
    else held.delete(account_id);
  }

  async function write(): Promise<void> {
    while (ended.length > 0) {
      const batch = ended.splice(0, BATCH);
      try {
        const rows: CapturedCallsTable[] = [];
        for (const each of batch) {
          const row = await rowOf(each);
          if (row) rows.push(row);
          // Other work goes first: masking takes up to some milliseconds.
          await nextTurn();
        }
        if (rows.length > 0) await store.insert(db, rows);
        const connections = new Map(rows.map(({ account_id, connection_id }) => [connection_id, account_id]));
        for (const [connection_id, account_id] of connections) changed(account_id, { noun: 'call', connection_id });
      } catch (error) {
        log.warn({ ...errorFields(error), calls: batch.length }, 'captured calls could not be stored');
      }
      for (const each of batch) release(each);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    reserve(account_id) {
      const own = held.get(account_id) ?? 0;
      if (total >= TOTAL_MAX || own >= CAPTURE.atOnce) return false;
      held.set(account_id, own + 1);
      total++;
      return true;
    },
    add(capture, call) {
      ended.push({ capture, call });
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },
    async flush() {
      await writing;
      await flush();
    },
  };
}

async function rowOf({ capture, call }: Ended): Promise<CapturedCallsTable | undefined> {
  const { sent, received, requestBody, responseBody } = capture;
  // The call ended before a request was sent.
  if (!sent || call.call_id === undefined) return undefined;
  const { secrets, method, path, headers } = sent;
  const request = JSON.stringify({
    method,
    path: maskPath(path, secrets),
    headers: maskHeaders(headers, secrets),
    body: await described(requestBody, headers, secrets),
  });
  const response =
    received &&
    JSON.stringify({
      status: received.status,
      reason: received.reason,
      headers: maskHeaders(received.headers, secrets),
      body: await described(responseBody, received.headers, secrets),
    });
  return {
    account_id: call.account_id,
    call_id: call.call_id,
    connection_id: call.connection_id,
    request,
    response: response ?? null,
    bytes: request.length + (response?.length ?? 0),
  };
}

type Body = { kept: 'NONE' | 'WHOLE' | 'TRUNCATED' | 'BINARY'; text: string | null; bytes: number };

async function described(captured: CapturedBytes, headers: readonly string[], secrets: Secrets): Promise<Body> {
  const { bytes, isCut } = captured;
  if (bytes === 0) return { kept: 'NONE', text: null, bytes };
  const limits = { maxBytes: CAPTURE.bodyBytes, truncated: isCut };
  const { text, encoding, truncated } = await readableBody(
    captured.whole(),
    headerOf(headers, 'content-encoding'),
    limits,
  );
  if (encoding === 'base64' || text.includes('\0')) return { kept: 'BINARY', text: null, bytes };
  const masked = maskBody(text, headerOf(headers, 'content-type'), secrets);
  return { kept: truncated ? 'TRUNCATED' : 'WHOLE', text: masked, bytes };
}

function headerOf(headers: readonly string[], wanted: string): string {
  const values: string[] = [];
  for (let i = 0; i < headers.length; i += 2)
    if ((headers[i] ?? '').toLowerCase() === wanted) values.push(headers[i + 1] ?? '');
  return values.join();
}
