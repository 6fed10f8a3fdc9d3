/** Which run a line of code is working for: carried through every await and timer by AsyncLocalStorage. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogLevel } from '../../../contract/states.ts';
import { LOG_MAX_CHARS, LOG_MAX_LINES } from '../frames.ts';
import { report } from './report.ts';

export type Scope = { runId: string; gatewayToken: string; indent: string; lines: number; chars: number };

const scopes = new AsyncLocalStorage<Scope>();
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

/** Says a line for the current run. What is beyond a run's allowance isn't even sent, past one line that shows it. */
export function say(level: LogLevel, message: string): void {
  const scope = currentScope();
  if (scope.runId && (scope.lines > LOG_MAX_LINES || scope.chars > LOG_MAX_CHARS)) return;
  const text = scope.indent ? scope.indent + message.replaceAll('\n', `\n${scope.indent}`) : message;
  scope.lines += 1;
  scope.chars += text.length;
  report(['log', scope.runId, Date.now(), level, text.slice(0, LOG_MAX_CHARS + 1)]);
}
