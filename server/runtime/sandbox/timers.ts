/**
 * An error in a timer's callback belongs to the run that set the timer. Deno reports it in the context of the code that
 * first set any timer.
 */
import { replaceLazily } from './replace-lazily.ts';
import { currentScope, type Scope } from './scope.ts';

type Callback = (...values: unknown[]) => unknown;

let last: { error: unknown; scope: Scope } | undefined;

export function followTimers(): void {
  const target = globalThis as unknown as Record<'setTimeout' | 'setInterval' | 'setImmediate', Callback>;
  for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const)
    replaceLazily(
      target,
      name,
      (genuine) =>
        new Proxy(genuine, {
          apply: (set, self, [callback, ...rest]: unknown[]) => Reflect.apply(set, self, [noting(callback), ...rest]),
        }),
    );
}

/** The run that owns the uncaught error being reported. */
export const scopeOf = (error: unknown): Scope => (last && last.error === error ? last.scope : currentScope());

function noting(callback: unknown): unknown {
  if (typeof callback !== 'function') return callback;
  return function (this: unknown, ...values: unknown[]) {
    try {
      return Reflect.apply(callback, this, values);
    } catch (error) {
      last = { error, scope: currentScope() };
      throw error;
    }
  };
}
