/**
 * WebSockets: a handler returns the result of Deno.upgradeWebSocket(request) for an upgrade. Deno needs the original
 * request, but the function has another one created from it. The run lasts until the connection is closed.
 */
import { deno, type UpgradeOptions } from './deno.ts';
import { replaceLazily } from './replace-lazily.ts';

const incomings = new WeakMap<Request, Request>();
const closings = new WeakMap<Response, Promise<unknown>>();

/** `given` is the function's request for `incoming`. */
export const isMadeOf = (given: Request, incoming: Request): void => void incomings.set(given, incoming);

/** Resolves when the connection that `response` opens is closed; undefined for any other response. */
export const closingOf = (response: Response): Promise<unknown> | undefined => closings.get(response);

export function openUpgrades(): void {
  replaceLazily(deno, 'upgradeWebSocket', (upgrade) => (request: Request, options?: UpgradeOptions) => {
    const made = upgrade(incomings.get(request) ?? request, options);
    const closed = new Promise((resolve) => made.socket.addEventListener('close', resolve));
    closings.set(made.response, closed);
    return made;
  });
}
