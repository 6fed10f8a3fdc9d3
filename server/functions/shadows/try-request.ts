/**
 * Runs one version on a stored request, without network and gateway. Such a run is not recorded as a run: it appears in
 * no list, no statistic and no problem. Its process runs nothing else.
 */
import { createHash } from 'node:crypto';
import { FUNCTION_BODY_MAX_BYTES, SHADOW_RUN_SECONDS } from '../../../contract/limits.ts';
import type { LogLevel, ShadowOutcome } from '../../../contract/states.ts';
import { newId } from '../../lib/ids.ts';
import type { Services } from '../../platform/context.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import type { CancelSignal } from '../../runtime/cancellation.ts';
import type { RunRequest } from '../../runtime/fleet/forward.ts';
import type { FunctionSpec } from '../../runtime/function-spec.ts';
import type { RunAnswer } from '../../runtime/run.ts';
import type { LogLine } from '../../runtime/run-log.ts';
import { CALLER_GONE, type RunError, SERVICE_STOPPED } from '../../runtime/watch-run.ts';
import { callableOf } from '../calls/callables.ts';
import { loadSpec } from '../calls/function-specs.ts';
import { storedResponse } from '../runs/run-exchange.ts';

const KEPT_BYTES = 16 * 1024;
const LINES_MAX = 200;
const HOSTS_MAX = 50;
const HOST_MAX_CHARS = 200;
/** What the sandbox logs for each connection that the network policy does not allow (runtime/sandbox/refusals.ts). */
const REFUSED = /^The connection to (\S+) was refused: /;

export type Side = { fn: FunctionsTable; spec: FunctionSpec };
export type Line = { level: LogLevel; message: string };

export type Tried = {
  outcome: ShadowOutcome;
  response_status: number;
  duration_ms: number;
  error: RunError | null;
  /** Hosts and apps whose calls were blocked. */
  hosts: string[];
  headers: Record<string, string>;
  body: string;
  is_base64_encoded: boolean;
  body_bytes: number;
  body_sha256: string;
  log: Line[];
  /** Of all lines, also those that are not kept. */
  log_sha256: string;
  truncated: boolean;
};

/** A version with the current variables of its function, and no network. */
export async function loadSide(services: Services, fn: FunctionsTable, version: number): Promise<Side> {
  const callable = await callableOf(services, { ...fn, network_policy: 'DENY_ALL', allowed_hosts: '[]' }, version);
  const spec = await loadSpec(services, callable);
  return { fn, spec: { ...spec, key: `${spec.key}/shadow` } };
}

/**
 * Resolves with null if the run was interrupted by `signal`, or by a stop of the service. Throws AtCapacity when no
 * process is free.
 */
export async function tryRequest(
  services: Pick<Services, 'runtime' | 'runTokens'>,
  { fn, spec }: Side,
  request: RunRequest,
  signal: CancelSignal,
): Promise<Tried | null> {
  const runId = newId();
  const hosts = new Set<string>();
  const note = (host: string) => {
    if (hosts.size < HOSTS_MAX) hosts.add(host.slice(0, HOST_MAX_CHARS).replace(/[^\x20-\x7e]/g, '?'));
  };
  const { account_id, function_id } = fn;
  const onBlocked = (app: string) => note(`gateway: ${app}`);
  const gateway = services.runTokens.open({ account_id, function_id, run_id: runId, fn, onBlocked });
  const log = openLog(note);
  const startedMs = performance.now();
  try {
    const answer = await services.runtime.invoke(spec, request, {
      runId,
      gatewayToken: gateway.token,
      timeoutMs: Math.min(fn.timeout_seconds, SHADOW_RUN_SECONDS) * 1000,
      onLog: log.add,
      signal,
    });
    const body = await readBody(answer);
    const finish = await answer.finished;
    const { name } = finish.error ?? {};
    if (name === SERVICE_STOPPED || (name === CALLER_GONE && signal.aborted)) return null;
    const error: RunError | null = body.isTooLarge
      ? {
          name: 'ResponseTooLarge',
          message: `The response was longer than ${FUNCTION_BODY_MAX_BYTES} bytes`,
          stack: null,
        }
      : (finish.error ?? null);
    const failed = error !== null || finish.outcome !== 'OK' || answer.status >= 400;
    // The start of the process says nothing about the version.
    const beganMs = answer.times.loaded_ms ?? answer.times.ready_ms ?? 0;
    const stored = storedResponse(answer.headers, { bytes: body.kept, cut: body.bytes > body.kept.length });
    return {
      outcome: !failed ? 'SUCCESS' : hosts.size > 0 ? 'BLOCKED' : 'FAILURE',
      response_status: answer.status,
      duration_ms: Math.max(0, Math.round((performance.now() - startedMs - beganMs) * 1000) / 1000),
      error,
      hosts: [...hosts].sort(),
      headers: JSON.parse(stored.response_headers) as Record<string, string>,
      body: stored.response_body,
      is_base64_encoded: stored.response_base64,
      body_bytes: body.bytes,
      body_sha256: body.sha256,
      ...log.kept(),
      truncated: stored.response_truncated || log.isCut(),
    };
  } finally {
    gateway.close();
  }
}

/** Reads a body to its end. Of an interrupted one, what arrived; the run's error has the reason. */
async function readBody({ whole, body }: RunAnswer) {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let bytes = 0;
  let keptBytes = 0;
  const take = (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (keptBytes === KEPT_BYTES) return;
    const part = Buffer.from(chunk.subarray(0, KEPT_BYTES - keptBytes));
    kept.push(part);
    keptBytes += part.length;
  };
  if (whole) take(whole);
  else {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        take(chunk);
        if (bytes > FUNCTION_BODY_MAX_BYTES) break;
      }
    } catch {
      // The run's error has the reason.
    }
  }
  const isTooLarge = bytes > FUNCTION_BODY_MAX_BYTES;
  return { kept: Buffer.concat(kept), bytes, sha256: hash.digest('hex'), isTooLarge };
}

/** What differs between two runs of the same code: UUIDs, times, and numbers such as durations. */
const VOLATILE =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\d+(?:\.\d+)?/gi;

function openLog(note: (host: string) => void) {
  const hash = createHash('sha256');
  const lines: Line[] = [];
  let chars = 0;
  let isCut = false;
  return {
    add({ level, message }: LogLine) {
      const host = level === 'warn' ? REFUSED.exec(message)?.[1] : undefined;
      if (host) note(host);
      hash.update(`${level} ${message.replace(VOLATILE, '0')}\n`);
      if (lines.length < LINES_MAX && chars + message.length <= KEPT_BYTES) {
        chars += message.length;
        lines.push({ level, message });
      } else isCut = true;
    },
    kept: () => ({ log: lines, log_sha256: hash.copy().digest('hex') }),
    isCut: () => isCut,
  };
}
