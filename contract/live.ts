/**
 * Messages of the live stream. A change has a noun and the ids to look up; the console fetches what it needs again.
 * Changes carry no payloads and no secrets. Zod-free.
 */
import type { ExportStatus } from './states.ts';

export type LiveChange =
  | { noun: 'event'; event_id: string; trigger_id: string }
  | { noun: 'delivery'; event_id: string; trigger_id: string; delivery_id: string; status: string }
  | { noun: 'run'; run_id: string; function_id: string; status: string }
  | { noun: 'connection'; connection_id: string; status: string }
  /** Calls went through the gateway with this connection, or were refused: published at most once a second. */
  | { noun: 'call'; connection_id: string | null }
  /** A capture of calls began or ended. */
  | { noun: 'capture' }
  | { noun: 'trigger'; trigger_id: string }
  | { noun: 'rejection'; trigger_id: string }
  /** Progress of an export that has an id: at most once per second. `total`: null if it is not known. */
  | { noun: 'export'; export_id: string; status: ExportStatus; events: number; total: number | null }
  | { noun: 'saved_filter'; saved_filter_id: string }
  | { noun: 'saved_request'; saved_request_id: string }
  | { noun: 'replay'; replay_id: string; status: string }
  | { noun: 'problem'; problem_id: string }
  | { noun: 'function'; function_id: string }
  | { noun: 'shadow'; function_id: string; shadow_id: string }
  | { noun: 'account' };

/** Names of server-sent events: `change` carries LiveChange[]; `resync`: changes were missed, fetch all again. */
export const LIVE_EVENTS = { change: 'change', resync: 'resync', hello: 'hello' } as const;

/** Events of a log tail: `lines` carries FunctionLogEvent[]; `gap`: lines were dropped. */
export const TAIL_EVENTS = { hello: 'hello', lines: 'lines', gap: 'gap' } as const;

/**
 * Events of a streamed search: `results` carries the reply so far; `done` carries the complete reply and is the last.
 * `error`, instead of `done`, carries the body of an error.
 */
export const SEARCH_EVENTS = { results: 'results', done: 'done', error: 'error' } as const;

/**
 * Events of a streamed request to an app: `response` carries status and headers, `data` the text that arrived since the
 * last one and the bytes received so far; `done` carries the complete reply and is the last. `error`, instead of `done`,
 * carries the body of an error.
 */
export const REQUEST_EVENTS = { response: 'response', data: 'data', done: 'done', error: 'error' } as const;
export type AppResponseHead = { status: number; reason: string; headers: [name: string, value: string][] };
export type AppResponseData = { text: string; bytes: number };
