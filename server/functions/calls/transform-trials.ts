/** Tests of a transformation: the function runs, and neither the run nor its log is stored. */
import { TRANSFORM_SECONDS } from '../../../contract/limits.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import { AtCapacity, ShareUsed } from '../../runtime/at-capacity.ts';
import type { FunctionSpec } from '../../runtime/function-spec.ts';
import type { LogLine } from '../../runtime/run-log.ts';
import type { RunError } from '../../runtime/watch-run.ts';
import { build } from '../versions/publish.ts';
import type { Callable } from './callables.ts';
import { busy } from './function-concurrency.ts';
import { loadSpec } from './function-specs.ts';
import { checkSandbox } from './sandbox-rule.ts';
import { failureWords, readAnswer, requestHead, TOO_LONG } from './transform-calls.ts';

export type Trial = {
  text: string;
  problem: string | null;
  error: RunError | null;
  logs: LogLine[];
  duration_ms: number | null;
};

const LOGS_KEPT = 100;

/**
 * Opens the code for tests: that of the version, or of `files` that are not deployed, with the handler and variables of
 * the version. 400 with file, line and column if they do not compile. `run` tries it with one input; it has no access to
 * the gateway.
 */
export async function openTrials(
  ctx: Ctx,
  callable: Callable,
  files: Record<string, string> | undefined,
): Promise<{ run(headers: [string, string][], body: Buffer): Promise<Trial>; close(): void }> {
  if (ctx.runtime.isFallback) await checkSandbox(ctx);
  const spec = await loadSpec(ctx, callable);
  if (!files) return { run: (headers, body) => tryOnce(ctx, callable, spec, headers, body), close: () => undefined };
  const { runtime, handler } = callable.version;
  const built = await build(ctx, runtime, files, handler);
  const draft = { ...spec, ...built, key: `${callable.fn.function_id}/draft/${newId()}` };
  return {
    run: (headers, body) => tryOnce(ctx, callable, draft, headers, body),
    close: () => ctx.runtime.retire(draft.key),
  };
}

async function tryOnce(
  services: Services,
  callable: Callable,
  spec: FunctionSpec,
  headers: [string, string][],
  body: Buffer,
): Promise<Trial> {
  const slot = services.memory.functionConcurrency.acquireSlot(callable.fn);
  const logs: LogLine[] = [];
  const onLog = (line: LogLine) => {
    if (logs.length < LOGS_KEPT) logs.push(line);
  };
  const startedMs = performance.now();
  try {
    const answer = await services.runtime.invoke(
      spec,
      { ...requestHead(services, callable), headers, body },
      { runId: newId(), timeoutMs: TRANSFORM_SECONDS * 1000, onLog },
    );
    const { text, isCut, isBroken } = await readAnswer({ whole: answer.whole, openBody: () => answer.body });
    const { error, outcome } = await answer.finished;
    const isFailed = answer.status < 200 || answer.status >= 300 || isBroken || outcome !== 'OK';
    const duration_ms = Math.round((performance.now() - startedMs - (answer.times.ready_ms ?? 0)) * 10) / 10;
    const problem = isCut ? TOO_LONG : isFailed ? failureWords(answer.status, error) : null;
    return { text, problem, error: error ?? null, logs, duration_ms };
  } catch (error) {
    if (error instanceof AtCapacity) throw busy(error instanceof ShareUsed ? 429 : 503, error.message);
    throw error;
  } finally {
    slot.close();
  }
}
