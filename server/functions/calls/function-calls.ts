/**
 * The single way to run a function, used by its public URL (http/doors/function-front.ts), `:invoke` (runs.ts) and
 * deliveries to it (`callFunction`). Every call that passes the access and capacity checks is a run (start-call.ts).
 */
import { RUN_BODY_KEPT_BYTES } from '../../../contract/limits.ts';
import { Failure, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import type { Finish } from '../../runtime/watch-run.ts';
import type { RunCause } from '../runs/run-record.ts';
import { type Callable, callableOfVersion, callableWithLabel, chosen } from './callables.ts';
import { type Call, startCall } from './start-call.ts';

/**
 * Returns the function at a label if `account_id` (null: anonymous) may call it, with the version that serves this call. 404: unknown label; 401: not allowed.
 */
export async function findCallable(
  services: Pick<Services, 'db' | 'memory'>,
  label: string,
  account_id: () => string | null | Promise<string | null>,
): Promise<Callable> {
  const callable = services.memory.callables.recent(label) ?? (await callableWithLabel(services, label));
  if (!callable) throw notFound('Function');
  const { fn } = callable;
  if (isOpen(fn)) return chosen(callable);
  const caller = account_id();
  if ((caller instanceof Promise ? await caller : caller) === fn.account_id) return chosen(callable);
  throw new Failure(401, "An API key of the function's owner is needed: Authorization: Bearer <API_KEY>.", {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Whether it may be called without an API key. */
export const isOpen = (fn: Pick<FunctionsTable, 'invoke_access' | 'visibility'>): boolean =>
  fn.invoke_access === 'ANYONE' && fn.visibility !== 'PRIVATE';

export type FunctionCall = {
  /** The account that calls: it may call its PRIVATE functions. */
  account_id: string;
  label: string;
  /** Instead of the live version. Fails with 404 if the label belongs to another function now. */
  version?: { function_id: string; number: number } | undefined;
  request: { method: string; path: string; rawQuery: string; headers: [string, string][]; body: Buffer };
  cause: RunCause | null;
  /** Milliseconds from now. */
  deadlineMs: number;
  signal?: AbortSignal;
};
export type FunctionAnswer = {
  status: number;
  headers: [string, string][];
  /** The first 256 KiB. */
  body: Buffer;
  body_truncated: boolean;
  outcome: Finish['outcome'];
  /** Null when another account owns the function, as only owners see runs. */
  run_id: string | null;
  function_id: string | null;
};

/**
 * Calls a function by its label from inside the service; resolves when the run is over and recorded. Fails like a
 * request to its URL: 404, 401, 429, 503.
 */
export async function callFunction(services: Services, call: FunctionCall): Promise<FunctionAnswer> {
  const { account_id, label, version, request, cause, deadlineMs, signal } = call;
  const live = await findCallable(services, label, () => account_id);
  if (version && version.function_id !== live.fn.function_id) throw notFound('Function');
  const callable = version ? await callableOfVersion(services, live.fn, version.number) : live;
  const { fn } = callable;
  const own = fn.account_id === account_id;
  const { method, path, rawQuery, headers, body } = request;
  const { functions_domain, functions_scheme } = services.settings.addresses;
  const started = await startCall(
    services,
    callable,
    {
      method,
      path: rawQuery ? `${path}?${rawQuery}` : path,
      headers,
      body,
      host: `${label}.${functions_domain}`,
      scheme: functions_scheme === 'https' ? 'https' : 'http',
      protocol: 'HTTP/1.1',
      source_ip: '127.0.0.1',
    },
    {
      caller: !own ? 'ANYONE' : cause ? 'EVENT' : 'TEST',
      cause: own ? cause : null,
      timeoutMs: deadlineMs,
      isAwaited: true,
      ...(signal ? { signal } : {}),
    },
  );
  const answer = await readAnswer(started);
  const { outcome } = await started.recorded;
  return {
    status: started.status,
    headers: started.headers,
    ...answer,
    outcome,
    run_id: own ? started.run_id : null,
    function_id: own ? fn.function_id : null,
  };
}

/** Reads a response to its end, and captures its beginning. Of an interrupted body, what arrived is captured. */
async function readAnswer({ whole, openBody }: Call): Promise<{ body: Buffer; body_truncated: boolean }> {
  if (whole && whole.length <= RUN_BODY_KEPT_BYTES) return { body: whole, body_truncated: false };
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of openBody() as AsyncIterable<Buffer>) {
      if (sizeBytes < RUN_BODY_KEPT_BYTES) chunks.push(chunk.subarray(0, RUN_BODY_KEPT_BYTES - sizeBytes));
      sizeBytes += chunk.length;
    }
  } catch {
    // The run's record has the reason.
  }
  return { body: Buffer.concat(chunks), body_truncated: sizeBytes > RUN_BODY_KEPT_BYTES };
}
