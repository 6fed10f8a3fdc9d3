import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { NotedCall } from '../calls-log.ts';

/** `run_id` is set if a hosted function is the caller. */
export type Caller = {
  account_id: string;
  request_id: string;
  /** The X-Request-Id of the caller's request. */
  given_request_id?: string | undefined;
  run_id?: string;
};

/** A call in flight: the caller, and its entry in the call log. */
export type Call = {
  caller: Caller;
  log: Logger;
  startedMs: number;
  noted: NotedCall;
};

/** The log entry contains the path without the query, and no headers. */
export function newCall(
  caller: Caller,
  log: Logger,
  startedMs: number,
  connection_id: string,
  app: string,
  req: IncomingMessage,
  rest: string,
): Call {
  const { account_id, run_id = null } = caller;
  const noted: NotedCall = {
    account_id,
    connection_id,
    run_id,
    app,
    method: req.method ?? 'GET',
    path: pathOf(rest),
    status: null,
    duration_ms: 0,
    request_bytes: 0,
    response_bytes: 0,
    error: null,
    request_id: caller.given_request_id ?? null,
    at_ms: Date.now(),
  };
  return { caller, log, startedMs, noted };
}

const PATH_MAX_CHARS = 2048;

function pathOf(rest: string): string {
  const mark = rest.indexOf('?');
  const path = (mark < 0 ? rest : rest.slice(0, mark)).slice(0, PATH_MAX_CHARS) || '/';
  // A slice would keep a long query in memory while the row is buffered.
  return rest.length > 2 * PATH_MAX_CHARS ? Buffer.from(path, 'latin1').toString('latin1') : path;
}
