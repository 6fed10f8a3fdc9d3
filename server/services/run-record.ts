/**
 * The record of a run: a row from its start, its lines while it goes on, and its end last of all, so that a run that is
 * not RUNNING any more is complete. A service that dies in between leaves it RUNNING; runs.sweepOrphanRuns ends it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { RequestHead } from '../runtime/event.ts';
import type { LogLine } from '../runtime/run-log.ts';
import type { Finish, RunTimes } from '../runtime/watch-run.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import * as store from '../store/runs.ts';
import type { Services } from './context.ts';
import { type KeptBody, storedRequest, storedResponse } from './run-exchange.ts';
import { openRunLog } from './run-log-writer.ts';

export type RunCause = { trigger_id: string; event_id: string; delivery_id: string; attempt: number };
type RunResponse = { status: number; headers: [string, string][]; body: KeptBody };

export type RunRecord = {
  run_id: string;
  onLog(line: LogLine): void;
  /** Writes the last lines and the end. `response` is null when the run gave none. Never rejects. */
  end(finish: Finish, request: KeptBody, response: RunResponse | null, times?: RunTimes): Promise<void>;
};

export async function openRecord(
  services: Services,
  fn: FunctionsTable,
  { version }: Pick<FunctionVersionsTable, 'version'>,
  head: RequestHead,
  cause: RunCause | null,
): Promise<RunRecord> {
  const { account_id, function_id } = fn;
  const run_id = newId();
  const created_at = now();
  await store.start(services.db, account_id, {
    run_id,
    function_id,
    version,
    method: head.method,
    path: head.path.split('?', 1)[0] ?? head.path,
    request: storedRequest(head, fn.label, { bytes: Buffer.alloc(0), cut: false }),
    trigger_id: cause?.trigger_id ?? null,
    event_id: cause?.event_id ?? null,
    delivery_id: cause?.delivery_id ?? null,
    attempt: cause?.attempt ?? null,
    node_id: services.nodeId,
    created_at,
    started_at: created_at,
  });
  const publish = (status: string) => services.live.publish(account_id, { noun: 'run', run_id, function_id, status });
  publish('RUNNING');
  const lines = openRunLog(services, { account_id, function_id, run_id });
  const say = (message: string) => lines.add({ timestamp: Date.now(), level: 'info', message });
  const startedMs = performance.now();
  say(`START RunId: ${run_id} Version: ${version}`);

  return {
    run_id,
    onLog: lines.add,
    async end({ outcome, error }, request, response, times: RunTimes | typeof NO_TIMES = NO_TIMES) {
      const duration_ms = Math.round((performance.now() - startedMs) * 1000) / 1000;
      const ended_at = now();
      say(`END RunId: ${run_id}`);
      say(
        `REPORT RunId: ${run_id} Duration: ${duration_ms.toFixed(2)} ms${outcome === 'OK' ? '' : ` Status: ${outcome}`}`,
      );
      const change: store.RunEnd = {
        status: outcome,
        request: storedRequest(head, fn.label, request),
        response_status: response?.status ?? null,
        ...(response
          ? storedResponse(response.headers, response.body)
          : { response_headers: null, response_body: null, response_base64: false, response_truncated: false }),
        error: error ? JSON.stringify(error) : null,
        ended_at,
        duration_ms,
        ...times,
      };
      try {
        await stubbornly(() => lines.close());
        await stubbornly(() => store.end(services.db, account_id, run_id, change));
        publish(outcome);
      } catch (failure) {
        services.log.error({ err: failure, run_id }, 'the end of a run could not be stored');
      }
    },
  };
}

const NO_TIMES = { start: null, ready_ms: null, loaded_ms: null, answer_ms: null };

/** A database that is being restarted should cost nobody the record of a run. */
const WAITS_MS = [250, 1000, 4000];

async function stubbornly(work: () => Promise<void>): Promise<void> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch {
      await wait(waitMs);
    }
  }
  return work();
}
