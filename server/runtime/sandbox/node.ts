/**
 * What Node offers, for functions that use it. Deno loads its own version of it when it is first touched, which takes
 * as long as all the rest of a start: functions that need nothing of Node don't pay for it. What is changed about it
 * for functions is changed before their code runs.
 */
import type Net from 'node:net';
import type Os from 'node:os';
import type Process from 'node:process';

type Change = (net: typeof Net, process: typeof Process, os: typeof Os) => void;

/** In every text of code that can get at Node: by a name, or by a name it makes up as it runs. */
const MAY_USE_NODE = /node:|process|require|import\s*\(|eval|Function|global|Buffer|self\b|\\[ux]/;
const changes: Change[] = [];
let loading: Promise<void> | undefined;

/** To be called while the sandbox boots. */
export const changeNode = (change: Change): void => void changes.push(change);

export const mayUseNode = (code: string): boolean => MAY_USE_NODE.test(code);

/** Resolves when Node's part is loaded, with all changes. */
export function loadNode(): Promise<void> {
  loading ??= (async () => {
    const [net, process, os] = await Promise.all([import('node:net'), import('node:process'), import('node:os')]);
    for (const change of changes) change(net.default, process.default, os.default);
  })();
  return loading;
}
