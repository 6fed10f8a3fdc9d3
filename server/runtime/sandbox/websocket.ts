/**
 * WebSockets: a handler answers an upgrade with what Deno.upgradeWebSocket(request) gives. Deno knows the request that
 * came, the function another one made of it; and a run is in progress until its connection is closed.
 */
import { deno, type UpgradeOptions } from './deno.ts';
import { replaceLazily } from './replace-lazily.ts';

const incomings = new WeakMap<Request, Request>();
const closings = new WeakMap<Response, Promise<unknown>>();

/** `given` is what the function knows `incoming` as. */
export const isMadeOf = (given: Request, incoming: Request): void => void incomings.set(given, incoming);

/** Resolves when the connection that `response` opens is closed; there is none for every other response. */
export const closingOf = (response: Response): Promise<unknown> | undefined => closings.get(response);

export function openUpgrades(): void {
  replaceLazily(deno, 'upgradeWebSocket', (upgrade) => (request: Request, options?: UpgradeOptions) => {
    const made = upgrade(incomings.get(request) ?? request, options);
    const closed = new Promise((resolve) => made.socket.addEventListener('close', resolve));
    closings.set(made.response, closed);
    return made;
  });
}
