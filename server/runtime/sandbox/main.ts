/**
 * Inside a sandboxed process. It boots without knowing whose it will be; an order by stdin gives it one function
 * version and its environment, and from then on every HTTP request on its socket is a run of that version. The module
 * is loaded by the first run. When stdin closes, the service is gone and so is this process.
 */
import { type Assignment, LAST_HEADER, type Order, RUN_HEADER, SNAPSHOT, THREW_HEADER, WARM } from '../frames.ts';
import { isOnePiece, responseOf, tapped, watchResponses } from './answer.ts';
import { replaceConsole } from './console.ts';
import { deno, onStray } from './deno.ts';
import { openEgress } from './egress.ts';
import { openGateway } from './gateway.ts';
import { type Handler, loadHandler } from './handler.ts';
import { loadNode } from './node.ts';
import type { openPython, Python } from './python/open-python.ts';
import { report, writeAll, writeError } from './report.ts';
import { currentScope, newScope, type Scope, say, within } from './scope.ts';
import { asText, describe } from './thrown.ts';
import { closingOf, openUpgrades } from './websocket.ts';

const exit = deno.exit.bind(deno);
const assigned = Promise.withResolvers<Assignment>();
/** Runs that go on; whether their end is to be reported in any case. */
const live = new Map<string, { isAwaited: boolean }>();
let handler: Promise<Handler> | undefined;
let python: Python | undefined;

async function serveRun(incoming: Request, info: { completed: Promise<void> }): Promise<Response> {
  const [runId = '', scheme, source_ip = '', protocol = '', token = ''] = (
    incoming.headers.get(RUN_HEADER) ?? ''
  ).split(' ');
  live.set(runId, { isAwaited: false });
  const assignment = await assigned.promise;
  const scope = newScope(runId, token);
  const background: Promise<unknown>[] = [];
  const [, host = '', path = '/'] = /^http\+unix:\/\/([^/?]*)(.*)$/.exec(incoming.url) ?? [];
  const head = {
    method: incoming.method,
    scheme: scheme === 'https' ? ('https' as const) : ('http' as const),
    host,
    path: path.startsWith('/') ? path : `/${path}`,
    protocol,
    source_ip,
    headers: [...incoming.headers].filter(([name]) => name !== RUN_HEADER && name !== 'connection'),
  };
  const context = {
    runId,
    waitUntil: (work: Promise<unknown>) => void background.push(Promise.resolve(work).catch(lost(scope))),
  };
  let response: Response;
  let isLast = false;
  try {
    response = await within(scope, async () => {
      handler ??= (python?.load(assignment) ?? loadHandler(assignment)).finally(() => report(['loaded', runId]));
      return (await handler)(incoming, head, context);
    });
    const closing = closingOf(response);
    if (closing !== undefined) background.push(closing);
    isLast = background.length === 0 && isOnePiece(response);
    if (isLast) response.headers.set(LAST_HEADER, runId);
    else response = tapped(response, scope, (error) => report(['throw', runId, describe(error)]));
  } catch (error) {
    report(['throw', runId, describe(error)]);
    response = new Response(null, { status: 500, headers: { [THREW_HEADER]: '1' } });
  }
  if (isLast) {
    info.completed.then(
      () => close(runId, false),
      () => close(runId, true),
    );
  } else void finish(runId, info.completed, background);
  return response;
}

async function finish(runId: string, completed: Promise<void>, background: Promise<unknown>[]): Promise<void> {
  await completed.catch(() => undefined);
  while (background.length > 0) await background.shift();
  close(runId, true);
}

/** `isNews`: the answer alone doesn't tell it. */
function close(runId: string, isNews: boolean): void {
  const isAwaited = live.get(runId)?.isAwaited;
  live.delete(runId);
  if (isNews || isAwaited) report(['end', runId]);
}

const lost = (scope: Scope) => (error: unknown) => within(scope, () => say('error', `waitUntil: ${asText(error)}`));

function obey(order: Order): void {
  if (order[0] === 'ping') {
    const run = live.get(order[1]);
    // Its answer may have nobody any more.
    if (run) run.isAwaited = true;
    report(['pong', run !== undefined]);
    return;
  }
  if (order[0] === 'prepare') {
    void loadNode();
    return;
  }
  const [, assignment] = order;
  for (const key of Object.keys(deno.env.toObject())) deno.env.delete(key);
  for (const [key, value] of Object.entries(assignment.env)) deno.env.set(key, value);
  assigned.resolve(assignment);
}

async function listen(): Promise<void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of deno.stdin.readable) {
    const [rest = '', ...next] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(rest);
    for (const begun of next) {
      obey(JSON.parse(parts.join('')));
      parts = [begun];
    }
  }
}

// What a function could use to leave something behind for another one, or to run on unseen.
for (const name of ['localStorage', 'sessionStorage', 'caches', 'Worker']) Reflect.deleteProperty(globalThis, name);
replaceConsole();
watchResponses();
openUpgrades();
onStray('unhandledrejection', (event) => {
  event.preventDefault();
  say('error', `Unhandled rejection: ${asText(event.reason)}`);
});
onStray('error', (event) => {
  event.preventDefault();
  say('error', `Uncaught ${asText(event.error)}`);
});

/** The interpreter, when the process is for one of Python's functions; the right to read its files is given up. */
async function openInterpreter(folder: string): Promise<Python> {
  const module: { openPython: typeof openPython } = await import(String(`file://${folder}/python.mjs`));
  const tools = { currentScope, within, say, responseOf, exit };
  const opened = await module.openPython(folder, tools, socketPath === SNAPSHOT);
  deno.permissions.revokeSync({ name: 'read', path: folder });
  return opened;
}

const [socketPath = '', gatewayPath = '', egressPath, pythonPath] = deno.args;
try {
  if (pythonPath) {
    await loadNode();
    python = await openInterpreter(pythonPath);
  }
  if (socketPath === SNAPSHOT && python) writeAll(python.makeSnapshot());
} catch (error) {
  writeError(asText(error));
  exit(1);
}
if (socketPath === SNAPSHOT) {
  exit(0);
} else if (socketPath === WARM) {
  // Deno loads these when they are first touched, and keeps their compiled code.
  const { serve, createHttpClient, upgradeWebSocket, stdin } = deno;
  const { signal } = new Request('http://localhost/', { method: 'POST', body: 'x' });
  void [serve, createHttpClient, upgradeWebSocket, stdin.readable, signal, WebSocket, setTimeout];
  await loadNode();
} else {
  deno.serve(
    { path: socketPath, onListen: () => report(['ready']), onError: () => new Response(null, { status: 500 }) },
    serveRun,
  );
  openGateway(gatewayPath, egressPath ? openEgress(egressPath) : undefined);
  // The way out is asked for with each connection; what it takes to open the others is given up.
  for (const path of [socketPath, gatewayPath])
    for (const name of ['read', 'write'] as const) deno.permissions.revokeSync({ name, path });
  void listen().finally(() => exit(0));
}
