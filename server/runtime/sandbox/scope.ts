/** The run that the current code belongs to, preserved through every await and timer. */
import type { LogLevel } from '../../../contract/states.ts';
import { LOG_MAX_CHARS, LOG_MAX_LINES } from '../fleet/frames.ts';
import { deno } from './deno.ts';
import { report } from './report.ts';

export type Scope = { runId: string; gatewayToken: string; indent: string; lines: number; chars: number };

const scopes = await openScopes();
const outside: Scope = { runId: '', gatewayToken: '', indent: '', lines: 0, chars: 0 };

export const newScope = (runId: string, gatewayToken: string): Scope => ({
  runId,
  gatewayToken,
  indent: '',
  lines: 0,
  chars: 0,
});
export const currentScope = (): Scope => scopes.getStore() ?? outside;
export const within = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/**
 * The basis of AsyncLocalStorage in Deno, which would load a tenth of Node and delay the start. A Deno without it uses
 * AsyncLocalStorage.
 */
async function openScopes(): Promise<{ getStore(): Scope | undefined; run<T>(scope: Scope, work: () => T): T }> {
  const { AsyncVariable, setAsyncContext } = deno[deno.internal]?.core ?? {};
  if (!AsyncVariable || !setAsyncContext) return new (await import('node:async_hooks')).AsyncLocalStorage<Scope>();
  const variable = new AsyncVariable<Scope>();
  return {
    getStore: () => variable.get(),
    run(scope, work) {
      const before = variable.enter(scope);
      try {
        return work();
      } finally {
        setAsyncContext(before);
      }
    },
  };
}

/** Logs a line for the current run. Beyond the run's limit, nothing is sent, except one line that exceeds it. */
export function say(level: LogLevel, message: string): void {
  const scope = currentScope();
  if (scope.runId && (scope.lines > LOG_MAX_LINES || scope.chars > LOG_MAX_CHARS)) return;
  const text = scope.indent ? scope.indent + message.replaceAll('\n', `\n${scope.indent}`) : message;
  scope.lines += 1;
  scope.chars += text.length;
  report(['log', scope.runId, Date.now(), level, text.slice(0, LOG_MAX_CHARS + 1)]);
}
