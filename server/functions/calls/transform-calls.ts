/**
 * Calls a function that turns an event into a request. The call is a run like any other, except that the caller does
 * not wait until it is recorded. Its time limit begins when the process is ready, so a cold start costs none of it.
 */
import { TRANSFORM_ANSWER_MAX_BYTES, TRANSFORM_SECONDS } from '../../../contract/limits.ts';
import { Failure } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { RunError } from '../../runtime/watch-run.ts';
import type { RunCause } from '../runs/run-record.ts';
import * as functionStore from '../store/functions.ts';
import { type Callable, callableOf } from './callables.ts';
import { type Call, startCall } from './start-call.ts';

export type Wanted = {
  account_id: string;
  function_id: string;
  /** Null: the live one. */
  version: number | null;
};
/** A function's response; `problem` explains one that is not the complete result of the function. */
export type TransformAnswer = {
  run_id: string | null;
  version: number | null;
  text: string;
  problem: string | null;
};

/** The time for a process to start, beyond the time limit of the run. */
const START_MS = 15_000;

/** The function and version, with its variables; cached. Undefined if the account has no such function. */
export async function wantedCallable(
  services: Pick<Services, 'db' | 'memory'>,
  { account_id, function_id, version }: Wanted,
): Promise<Callable | undefined> {
  const key = `${account_id} ${function_id} ${version ?? ''}`;
  const look = async () => {
    const fn = await functionStore.find(services.db, account_id, function_id);
    return fn && callableOf(services, fn, version ?? undefined);
  };
  return services.memory.callables.recent(key) ?? services.memory.callables.find(key, look);
}

/**
 * Calls the function with `body` as JSON, after other transformations by it while many are in progress. Failures of the
 * function and refusals of the call are part of the result; rejects only for errors of the service.
 */
export function callTransform(
  services: Services,
  wanted: Wanted,
  headers: [string, string][],
  body: Buffer,
  cause: RunCause | null,
): Promise<TransformAnswer> {
  return services.memory.transformTurns.run(wanted.function_id, async () => {
    let callable: Callable | undefined;
    try {
      callable = await wantedCallable(services, wanted);
      if (!callable) return refused(null, 'The function was deleted.');
      return await call(services, callable, headers, body, cause);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return refused(callable?.version.version ?? wanted.version, error.message);
    }
  });
}

const refused = (version: number | null, problem: string): TransformAnswer => ({
  run_id: null,
  version,
  text: '',
  problem,
});

async function call(
  services: Services,
  callable: Callable,
  headers: [string, string][],
  body: Buffer,
  cause: RunCause | null,
): Promise<TransformAnswer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), START_MS + TRANSFORM_SECONDS * 1000);
  try {
    const started = await startCall(
      services,
      callable,
      { ...requestHead(services, callable), headers, body },
      {
        caller: cause ? 'TRANSFORM' : 'TEST',
        cause,
        isTransform: true,
        timeoutMs: TRANSFORM_SECONDS * 1000,
        signal: abort.signal,
      },
    );
    const { text, isCut, isBroken } = await readAnswer(started);
    const { run_id, status } = started;
    const answer = { run_id, version: callable.version.version, text, problem: null };
    if (isCut) return { ...answer, problem: TOO_LONG };
    if (status >= 200 && status < 300 && !isBroken) return answer;
    return { ...answer, problem: failureWords(status, (await started.finished).error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The head of a request to the function's URL. */
export function requestHead({ settings }: Pick<Services, 'settings'>, { fn }: Callable) {
  const { functions_domain, functions_scheme } = settings.addresses;
  return {
    method: 'POST',
    path: '/',
    host: `${fn.label}.${functions_domain}`,
    scheme: functions_scheme === 'https' ? ('https' as const) : ('http' as const),
    protocol: 'HTTP/1.1',
    source_ip: '127.0.0.1',
  };
}

export const TOO_LONG = `The function returned more than ${TRANSFORM_ANSWER_MAX_BYTES} bytes.`;

/** A run that failed, or a status that the function chose. */
export const failureWords = (status: number, error: RunError | undefined): string =>
  error ? `${error.name}: ${error.message}`.slice(0, 2000) : `The function returned the status ${status}.`;

/** Reads a response to its end, or to the limit. `isBroken`: it was interrupted. */
export async function readAnswer({
  whole,
  openBody,
}: Pick<Call, 'whole' | 'openBody'>): Promise<{ text: string; isCut: boolean; isBroken: boolean }> {
  if (whole) return { text: whole.toString(), isCut: whole.length > TRANSFORM_ANSWER_MAX_BYTES, isBroken: false };
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of openBody() as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > TRANSFORM_ANSWER_MAX_BYTES) return { text: '', isCut: true, isBroken: false };
      chunks.push(chunk);
    }
  } catch {
    return { text: '', isCut: false, isBroken: true };
  }
  return { text: Buffer.concat(chunks).toString(), isCut: false, isBroken: false };
}
