export type Target = { host?: string; port?: number | string; path?: string };

/** The target in any form of the arguments of net.Socket.connect; undefined unless it is TCP. */
export function targetOf(values: unknown[]): { target: Target; done: (() => void) | undefined } | undefined {
  // Node's internal callers pass normalized arguments.
  const [first, second, third] = Array.isArray(values[0]) ? values[0] : values;
  const done = [second, third].find((each): each is () => void => typeof each === 'function');
  if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first)))
    return { target: { port: first, ...(typeof second === 'string' ? { host: second } : {}) }, done };
  const isTcp = typeof first === 'object' && first !== null && 'port' in first && !('path' in first && first.path);
  return isTcp ? { target: first, done } : undefined;
}
