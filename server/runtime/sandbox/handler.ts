/** Loads a function's code, and adapts its handler to the form that the server calls. */

import { type RequestHead, requestEvent } from '../event.ts';
import type { Assignment } from '../fleet/frames.ts';
import { checkedResponse, neverTap, responseOf } from './answer.ts';
import { gatewayEnv } from './gateway.ts';
import { loadNode, mayUseNode } from './node.ts';
import { type Leave, RunRequest } from './request.ts';
import { isMadeOf } from './websocket.ts';

export type Context = {
  runId: string;
  /** Extends the run until the promise has settled, without delaying the response. */
  waitUntil(work: Promise<unknown>): void;
};

// Saved before a function's code can replace it.
const GenuineRequest = Request;

/** A request without its head: by HTTP, or a small one. */
export type Incoming =
  | Request
  | (Pick<Request, 'arrayBuffer'> & { body: Uint8Array<ArrayBuffer> | null; leave: Leave });

export type Handler = (incoming: Incoming, head: RequestHead, context: Context) => Promise<Response>;

type Fetcher = { fetch(request: Request, env: unknown, context: Context): unknown };

/** Runs the module (its top level belongs to the first run) and finds the handler; throws the module's error. */
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

/** The request as its caller sent it: with its original URL, and without the service's headers. */
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
