/**
 * Node's APIs, for functions that use them. Deno loads them on first use, which takes as long as the rest of a start:
 * functions without Node do not pay for it. Changes to the APIs are applied before the function's code runs.
 */
import type Net from 'node:net';
import type Os from 'node:os';
import type Process from 'node:process';

type Change = (net: typeof Net, process: typeof Process, os: typeof Os) => void;

/** Matches any code that could access Node, by a literal or a computed name. */
const MAY_USE_NODE = /node:|process|require|import\s*\(|eval|Function|global|Buffer|self\b|\\[ux]/;
const changes: Change[] = [];
let loading: Promise<void> | undefined;
let loaded: Parameters<Change> | undefined;

/** Applies a change when Node's APIs load, or now if they have. Called while the sandbox boots. */
export function changeNode(change: Change): void {
  changes.push(change);
  if (loaded) change(...loaded);
}

export const mayUseNode = (code: string): boolean => MAY_USE_NODE.test(code);

/** Resolves when Node's APIs are loaded and changed. */
export function loadNode(): Promise<void> {
  loading ??= (async () => {
    const [net, process, os] = await Promise.all([import('node:net'), import('node:process'), import('node:os')]);
    loaded = [net.default, process.default, os.default];
    for (const change of changes) change(...loaded);
  })();
  return loading;
}
