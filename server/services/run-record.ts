/**
 * The record of a run: a row from its start, its lines while it goes on, and its end last of all, so that a run that is
 * not RUNNING any more is complete. A service that dies in between leaves it RUNNING; runs.sweepOrphanRuns ends it.
 */
import { now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { RequestHead } from '../runtime/event.ts';
import type { LogLine } from '../runtime/run-log.ts';
import type { Finish, RunTimes } from '../runtime/watch-run.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import type { Services } from './context.ts';
import { type KeptBody, storedRequest, storedResponse } from './run-exchange.ts';
import { runWriter } from './run-writer.ts';

export type RunCause = { trigger_id: string; event_id: string; delivery_id: string; attempt: number };
type RunResponse = { status: number; headers: [string, string][]; body: KeptBody };

export type RunRecord = {
  run_id: string;
  onLog(line: LogLine): void;
  /** Writes the last lines and the end. `response` is null when the run gave none. Never rejects. */
  end(finish: Finish, request: KeptBody, response: RunResponse | null, times?: RunTimes): Promise<void>;
};

const NO_BODY: KeptBody = { bytes: Buffer.alloc(0), cut: false };
const NOT_OVER = {
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
} as const;

export function openRecord(
  services: Services,
  fn: FunctionsTable,
  { version }: Pick<FunctionVersionsTable, 'version'>,
  head: RequestHead,
  cause: RunCause | null,
  isAwaited: boolean,
): RunRecord {
  const { account_id, function_id, label } = fn;
  const run_id = newId();
  const created_at = now();
  const key = { account_id, function_id, run_id };
  const pen = runWriter(services).begin(key, version, (end) => ({
    ...key,
    version,
    method: head.method,
    path: head.path.split('?', 1)[0] ?? head.path,
    trigger_id: cause?.trigger_id ?? null,
    event_id: cause?.event_id ?? null,
    delivery_id: cause?.delivery_id ?? null,
    attempt: cause?.attempt ?? null,
    node_id: services.nodeId,
    created_at,
    started_at: created_at,
    ...(end ?? { ...NOT_OVER, request: storedRequest(head, label, NO_BODY) }),
  }));
  const startedMs = performance.now();

  return {
    run_id,
    onLog: pen.add,
    end({ outcome, error }, request, response, times) {
      const duration_ms = Math.round((performance.now() - startedMs) * 1000) / 1000;
      return pen.end(
        {
          ...NOT_OVER,
          status: outcome,
          request: storedRequest(head, label, request),
          ...(response
            ? { response_status: response.status, ...storedResponse(response.headers, response.body) }
            : undefined),
          error: error ? JSON.stringify(error) : null,
          ended_at: now(),
          duration_ms,
          ...times,
        },
        isAwaited,
      );
    },
  };
}
