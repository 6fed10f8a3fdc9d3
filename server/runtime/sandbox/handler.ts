/** A function's code, loaded, and its handler in the one form that the server calls. */

import { type RequestHead, requestEvent } from '../event.ts';
import type { Assignment } from '../fleet/frames.ts';
import { checkedResponse, neverTap, responseOf } from './answer.ts';
import { gatewayEnv } from './gateway.ts';
import { loadNode, mayUseNode } from './node.ts';
import { type Leave, RunRequest } from './request.ts';
import { isMadeOf } from './websocket.ts';

export type Context = {
  runId: string;
  /** Keeps the run going until the promise has settled; the answer isn't held up by it. */
  waitUntil(work: Promise<unknown>): void;
};

// Taken before a function's code can replace it.
const GenuineRequest = Request;

/** What there is of a request besides its head: by HTTP, or of a small one. */
export type Incoming =
  | Request
  | (Pick<Request, 'arrayBuffer'> & { body: Uint8Array<ArrayBuffer> | null; leave: Leave });

export type Handler = (incoming: Incoming, head: RequestHead, context: Context) => Promise<Response>;

type Fetcher = { fetch(request: Request, env: unknown, context: Context): unknown };

/** Runs the module (its top level belongs to the first run) and finds the handler, or throws what it threw. */
export async function loadHandler(assignment: Assignment): Promise<Handler> {
  if (mayUseNode(assignment.code)) await loadNode();
  const address = URL.createObjectURL(new Blob([assignment.code], { type: 'text/javascript' }));
  const module: Record<string, unknown> = await import(address);
  const { exportName, handler: name, label } = assignment;
  const found = module[exportName] ?? memberOf(module['default'], exportName);
  if (isFetcher(found)) return webHandler(found, assignment.env);
  if (typeof found === 'function') return eventHandler(found as (event: unknown, context: Context) => unknown, label);
  const what = found === undefined ? `there is no export "${exportName}"` : `it is a ${typeof found}`;
  throw new TypeError(
    `The handler "${name}" should be a function or an object with fetch(request, env, ctx), but ${what}`,
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const isFetcher = (value: unknown): value is Fetcher => typeof memberOf(value, 'fetch') === 'function';

function webHandler(fetcher: Fetcher, env: Record<string, string>): Handler {
  return async (incoming, head, context) => {
    const address = `${head.scheme}://${head.host}${head.path}`;
    const request =
      incoming instanceof GenuineRequest
        ? remade(incoming, address, head)
        : new RunRequest(address, head.method, { headers: head.headers, body: incoming.body }, incoming.leave);
    return checkedResponse(
      await fetcher.fetch(request as Request, Object.freeze({ ...env, ...gatewayEnv() }), context),
    );
  };
}

/** As its caller sent it: by its own address, without what the service wrote into it. */
function remade(incoming: Request, address: string, head: RequestHead): Request {
  const headers = Array.from(head.headers, ([name, value]): [string, string] => [name, value]);
  const { body, signal } = incoming;
  const request = new GenuineRequest(address, { method: head.method, headers, body, signal, redirect: 'manual' });
  isMadeOf(request, incoming);
  neverTap(request.body);
  return request;
}

function eventHandler(handle: (event: unknown, context: Context) => unknown, label: string): Handler {
  return async (incoming, head, context) => {
    const body = incoming.body ? new Uint8Array(await incoming.arrayBuffer()) : new Uint8Array();
    return responseOf(await handle(requestEvent(head, label, body), context));
  };
}
