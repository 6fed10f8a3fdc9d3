/**
 * The record of a run: a row from its start, its lines while it is in progress, and its end last, so that a run that is
 * not RUNNING is complete. After a crash of the service it stays RUNNING until runs.sweepOrphanRuns ends it.
 */
import type { RunCaller } from '../../../contract/states.ts';
import { now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { KeyRef, Services } from '../../platform/context.ts';
import type {
  FunctionsTable,
  FunctionVersionsTable,
  RunsTable,
} from '../../platform/database/tables/function-tables.ts';
import type { RequestHead } from '../../runtime/event.ts';
import type { LogLine } from '../../runtime/run-log.ts';
import type { Finish, RunTimes } from '../../runtime/watch-run.ts';
import type { RunEnd } from '../store/run-batch.ts';
import { type KeptBody, storedRequest, storedResponse } from './run-exchange.ts';

export type RunCause = { trigger_id: string; event_id: string; delivery_id: string; attempt: number };
type RunResponse = { status: number; headers: [string, string][]; body: KeptBody };

export type RunRecord = {
  run_id: string;
  onLog(line: LogLine): void;
  /** The caller has the whole response. */
  answered(): void;
  /** Records the last lines and the end. `response` is null when the run returned none. Never rejects. */
  end(finish: Finish, request: KeptBody, response: RunResponse | null, times?: RunTimes): Promise<void>;
};

const NO_BODY: KeptBody = { bytes: Buffer.alloc(0), cut: false };
const NOT_OVER: Omit<RunEnd, 'request'> = {
  status: 'RUNNING',
  response_status: null,
  response_headers: null,
  response_body: null,
  response_base64: false,
  response_truncated: false,
  error: null,
  ended_at: null,
  duration_ms: null,
  start: null,
  ready_ms: null,
  loaded_ms: null,
  answer_ms: null,
};

export function openRecord(
  services: Services,
  fn: FunctionsTable,
  { version }: Pick<FunctionVersionsTable, 'version'>,
  head: RequestHead,
  cause: RunCause | null,
  caller: RunCaller,
  key: KeyRef | null,
  isAwaited: boolean,
): RunRecord {
  const { account_id, function_id, label } = fn;
  const run_id = newId();
  const created_at = now();
  const runKey = { account_id, function_id, run_id };
  // Field by field, here and below: merging objects would cost more than the rest of the record, for every call.
  const rowOf = (end: RunEnd, log: string | null): RunsTable => ({
    account_id,
    run_id,
    function_id,
    version,
    method: head.method,
    path: head.path.split('?', 1)[0] ?? head.path,
    trigger_id: cause?.trigger_id ?? null,
    event_id: cause?.event_id ?? null,
    delivery_id: cause?.delivery_id ?? null,
    attempt: cause?.attempt ?? null,
    caller,
    key_id: key?.key_id ?? null,
    key_name: key?.name ?? null,
    node_id: services.nodeId,
    created_at,
    started_at: created_at,
    status: end.status,
    request: end.request,
    response_status: end.response_status,
    response_headers: end.response_headers,
    response_body: end.response_body,
    response_base64: end.response_base64,
    response_truncated: end.response_truncated,
    error: end.error,
    ended_at: end.ended_at,
    duration_ms: end.duration_ms,
    start: end.start,
    ready_ms: end.ready_ms,
    loaded_ms: end.loaded_ms,
    answer_ms: end.answer_ms,
    log,
  });
  const recording = services.memory.runs.begin(
    runKey,
    version,
    (end, log) => rowOf(end ?? { ...NOT_OVER, request: storedRequest(head, label, NO_BODY) }, log),
    caller === 'TRANSFORM',
  );
  const startedMs = performance.now();

  return {
    run_id,
    onLog: recording.add,
    answered: recording.answered,
    end({ outcome, error }, request, response, times) {
      const duration_ms = Math.round((performance.now() - startedMs) * 1000) / 1000;
      const stored = response ? storedResponse(response.headers, response.body) : NOT_OVER;
      return recording.end(
        {
          status: outcome,
          request: storedRequest(head, label, request),
          response_status: response ? response.status : null,
          response_headers: stored.response_headers,
          response_body: stored.response_body,
          response_base64: stored.response_base64,
          response_truncated: stored.response_truncated,
          error: error ? JSON.stringify(error) : null,
          ended_at: now(),
          duration_ms,
          start: times ? times.start : null,
          ready_ms: times ? times.ready_ms : null,
          loaded_ms: times ? times.loaded_ms : null,
          answer_ms: times ? times.answer_ms : null,
        },
        isAwaited,
      );
    },
  };
}
