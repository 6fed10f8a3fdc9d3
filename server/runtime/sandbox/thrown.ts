import type { Thrown } from '../frames.ts';

/** Anything that can be thrown, as text. Getters of a hostile error object may throw in turn. */
export function describe(error: unknown): Thrown {
  try {
    if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: null };
    return { name: String(error.name), message: String(error.message), stack: stackOf(error) };
  } catch {
    return { name: 'Error', message: 'A value that cannot be shown was thrown', stack: null };
  }
}

function stackOf(error: Error): string {
  const seen: string[] = [];
  let each: unknown = error;
  while (each instanceof Error && seen.length < 5) {
    seen.push(String(each.stack ?? each));
    each = each.cause;
  }
  return seen.join('\nCaused by: ');
}

/** The stack where there is one, which begins with name and message. */
export const asText = (error: unknown): string => {
  const { name, message, stack } = describe(error);
  return stack ?? `${name}: ${message}`;
};
