/**
 * Inside a sandboxed process. It boots without knowing whose it will be; an order by stdin gives it one function
 * version and its environment, and from then on every HTTP request on its socket is a run of that version. The module
 * is loaded by the first run. When stdin closes, the service is gone and so is this process.
 */
import { type Assignment, type Order, RUN_HEADER, SNAPSHOT, THREW_HEADER, WARM } from '../frames.ts';
import { responseOf, tapped, watchResponses } from './answer.ts';
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
/** A process that is not needed at once gets ready for functions that use Node. */
const IDLE_MS = 500;
const live = new Set<string>();
let handler: Promise<Handler> | undefined;
let python: Python | undefined;

async function serveRun(incoming: Request, info: { completed: Promise<void> }): Promise<Response> {
  const [runId = '', scheme, source_ip = '', protocol = '', token = ''] = (
    incoming.headers.get(RUN_HEADER) ?? ''
  ).split(' ');
  live.add(runId);
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
  try {
    response = await within(scope, async () => {
      handler ??= (python?.load(assignment) ?? loadHandler(assignment)).finally(() => report(['loaded', runId]));
      return (await handler)(incoming, head, context);
    });
    background.push(closingOf(response));
    response = tapped(response, scope, (error) => report(['throw', runId, describe(error)]));
  } catch (error) {
    report(['throw', runId, describe(error)]);
    response = new Response(null, { status: 500, headers: { [THREW_HEADER]: '1' } });
  }
  void finish(scope, info.completed, background);
  return response;
}

async function finish(scope: Scope, completed: Promise<void>, background: Promise<unknown>[]): Promise<void> {
  await completed.catch(() => undefined);
  while (background.length > 0) await background.shift();
  live.delete(scope.runId);
  report(['end', scope.runId]);
}

const lost = (scope: Scope) => (error: unknown) => within(scope, () => say('error', `waitUntil: ${asText(error)}`));

function obey(order: Order): void {
  if (order[0] === 'ping') {
    report(['pong', live.has(order[1])]);
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
  void [deno.serve, deno.stdin.readable, new Request('http://localhost/', { method: 'POST', body: 'x' }).signal];
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
  const idle = setTimeout(() => void loadNode(), IDLE_MS);
  void assigned.promise.then(() => clearTimeout(idle));
}
