/**
 * The runs of this process. A small request arrives as a line on a shared connection (sandbox/calls.ts), any other by
 * HTTP. The response to a small request is sent as a report if it is a short text; otherwise it is held to be fetched
 * by HTTP, as all streams are.
 */
import { ANSWER_HEADER, type Assignment, type Call, LAST_HEADER, RUN_HEADER } from '../fleet/frames.ts';
import { pieceOf, sendableHeaders, tapped, threwResponse } from './answer.ts';
import { type Handler, type Incoming, loadHandler } from './handler.ts';
import type { Interpreter } from './interpreter.ts';
import { report } from './report.ts';
import { Leave } from './request.ts';
import { newScope, type Scope, say, within } from './scope.ts';
import { asText, describe } from './thrown.ts';
import { closingOf } from './websocket.ts';

/** A run in progress. */
type Run = {
  /** Its end is always reported. */
  isAwaited: boolean;
  leave?: Leave;
  /** Its response, until it is fetched, and work that the response does not wait for. */
  held?: { response: Response; background: Promise<unknown>[] };
};
type Head = Parameters<Handler>[1];

const live = new Map<string, Run>();
const assigned = Promise.withResolvers<Assignment>();
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
let handler: Promise<Handler> | undefined;
let ready: Handler | undefined;
let interpreter: Interpreter | undefined;

export const assign = assigned.resolve;
export const setInterpreter = (opened: Interpreter): void => {
  interpreter = opened;
};

/** Whether a run is in progress; if so, its end will be reported, as its response may have lost its reader. */
export function isLive(runId: string): boolean {
  const run = live.get(runId);
  if (run) run.isAwaited = true;
  return run !== undefined;
}

/** A run by HTTP, or the response of one to fetch. */
export function serveRun(incoming: Request, info: { completed: Promise<void> }): Promise<Response> | Response {
  const fetched = incoming.headers.get(ANSWER_HEADER);
  return fetched === null ? runByHttp(incoming, info) : respondToFetched(fetched, incoming, info);
}

async function runByHttp(incoming: Request, info: { completed: Promise<void> }): Promise<Response> {
  const [runId = '', scheme, source_ip = '', protocol = '', token = ''] = (
    incoming.headers.get(RUN_HEADER) ?? ''
  ).split(' ');
  live.set(runId, { isAwaited: false });
  const [, host = '', path = '/'] = /^http\+unix:\/\/([^/?]*)(.*)$/.exec(incoming.url) ?? [];
  const head: Head = {
    method: incoming.method,
    scheme: scheme === 'https' ? 'https' : 'http',
    host,
    path: path.startsWith('/') ? path : `/${path}`,
    protocol,
    source_ip,
    headers: [...incoming.headers].filter(([name]) => name !== RUN_HEADER && name !== 'connection'),
  };
  const scope = newScope(runId, token);
  const { response, background } = await answerOf(incoming, head, scope);
  if (background.length === 0 && pieceOf(response)) {
    response.headers.set(LAST_HEADER, runId);
    info.completed.then(
      () => close(runId, false),
      () => close(runId, true),
    );
    return response;
  }
  void finish(runId, info.completed, background);
  return tapped(response, { scope, background }, (error) => report(['throw', runId, describe(error)]));
}

/** A run by the connection for small requests. */
export async function runCall(call: Call): Promise<void> {
  const [runId, token, method, scheme, host, path, protocol, source_ip, raw, body] = call;
  const leave = new Leave();
  const run: Run = { isAwaited: false, leave };
  live.set(runId, run);
  const headers: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) headers.push([raw[at] ?? '', raw[at + 1] ?? '']);
  const head: Head = { method, scheme, host, path, protocol, source_ip, headers };
  const bytes = body === null ? null : fromBase64(body);
  const incoming: Incoming = {
    body: bytes,
    leave,
    arrayBuffer: async () => bytes?.buffer ?? new ArrayBuffer(),
  };
  const scope = newScope(runId, token);
  const { response, headers: sent, background } = await answerOf(incoming, head, scope);
  const piece = pieceOf(response);
  if (piece !== undefined) {
    const isLast = background.length === 0;
    if (isLast) live.delete(runId);
    report(['answer', runId, response.status, sent, piece, isLast]);
    if (!isLast) void finish(runId, undefined, background);
    return;
  }
  const flowing = tapped(response, { scope, background }, (error) => report(['throw', runId, describe(error)]));
  run.held = { response: flowing, background };
  if (leave.isGone) return dropAnswer(runId, run);
  report(['stream', runId]);
}

/** No caller waits for the response any more: the function is notified, and a held response is canceled. */
export function leaveRun(runId: string): void {
  const run = live.get(runId);
  run?.leave?.abort();
  if (run?.held) dropAnswer(runId, run);
}

function dropAnswer(runId: string, run: Run): void {
  const { response, background = [] } = run.held ?? {};
  delete run.held;
  void finish(runId, response?.body?.cancel(), background);
}

function respondToFetched(runId: string, { signal }: Request, info: { completed: Promise<void> }): Response {
  const run = live.get(runId);
  const { response, background } = run?.held ?? {};
  if (!run || !response || !background) return threwResponse();
  delete run.held;
  signal.addEventListener('abort', () => run.leave?.abort());
  void finish(runId, info.completed, background);
  return response;
}

/** Calls the handler; returns the response in any case, and work that it does not wait for. */
async function answerOf(
  incoming: Incoming,
  head: Head,
  scope: Scope,
): Promise<{ response: Response; headers: string[]; background: Promise<unknown>[] }> {
  const { runId } = scope;
  const background: Promise<unknown>[] = [];
  const context = {
    runId,
    waitUntil: (work: Promise<unknown>) => void background.push(Promise.resolve(work).catch(lost(scope))),
  };
  try {
    const assignment = await assigned.promise;
    const response = await within(scope, async () => {
      handler ??= (interpreter?.load(assignment) ?? loadHandler(assignment)).finally(() => report(['loaded', runId]));
      ready ??= await handler;
      return ready(incoming, head, context);
    });
    const closing = closingOf(response);
    const headers = sendableHeaders(response, closing !== undefined);
    if (closing !== undefined) background.push(closing);
    return { response, headers, background };
  } catch (error) {
    report(['throw', runId, describe(error)]);
    const response = threwResponse();
    return { response, headers: sendableHeaders(response, false), background };
  }
}

async function finish(runId: string, sent: Promise<void> | undefined, background: Promise<unknown>[]): Promise<void> {
  await sent?.catch(() => undefined);
  while (background.length > 0) await background.shift();
  close(runId, true);
}

/** `isNew`: the response did not already report the end. */
function close(runId: string, isNew: boolean): void {
  const isAwaited = live.get(runId)?.isAwaited;
  live.delete(runId);
  if (isNew || isAwaited) report(['end', runId]);
}

const lost = (scope: Scope) => (error: unknown) => within(scope, () => say('error', `waitUntil: ${asText(error)}`));
