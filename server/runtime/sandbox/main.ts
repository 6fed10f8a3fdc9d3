/**
 * The entry of a sandboxed process. It boots without a function; an order on stdin assigns one function version and its
 * environment, and every request from then on is a run of that version (runs.ts). The first run loads the module. When
 * stdin closes, the service has ended, and the process exits.
 */
import { INTERPRETER_FILE, type Order, SNAPSHOT, WARM } from '../fleet/frames.ts';
import { responseOf, watchResponses } from './answer.ts';
import { takeCalls } from './calls.ts';
import { replaceConsole } from './console.ts';
import { deno, onStray } from './deno.ts';
import { openEgress } from './egress.ts';
import { openGateway } from './gateway.ts';
import type { Interpreter, OpenInterpreter } from './interpreter.ts';
import { hideProcess, replaceMachine } from './machine.ts';
import { loadNode } from './node.ts';
import { explainRefusals } from './refusals.ts';
import { report, writeAll, writeError } from './report.ts';
import { followRequests } from './request.ts';
import { assign, isLive, serveRun, setInterpreter } from './runs.ts';
import { currentScope, say, within } from './scope.ts';
import { seal } from './seal.ts';
import { filterSystemCalls } from './system-calls.ts';
import { asText } from './thrown.ts';
import { followTimers, scopeOf } from './timers.ts';
import { openUpgrades } from './websocket.ts';

const exit = deno.exit.bind(deno);

function obey(order: Order): void {
  if (order[0] === 'ping') {
    report(['pong', isLive(order[1]), order[2]]);
    return;
  }
  if (order[0] === 'prepare') {
    void loadNode();
    return;
  }
  const [, assignment] = order;
  for (const key of Object.keys(deno.env.toObject())) deno.env.delete(key);
  for (const [key, value] of Object.entries(assignment.env)) deno.env.set(key, value);
  assign(assignment);
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

// APIs with which a function could leave data for another one, or continue unobserved.
for (const name of ['localStorage', 'sessionStorage', 'caches', 'Worker']) Reflect.deleteProperty(globalThis, name);
replaceConsole();
watchResponses();
followRequests();
followTimers();
replaceMachine();
openUpgrades();
onStray('unhandledrejection', (event) => {
  event.preventDefault();
  say('error', `Unhandled rejection: ${asText(event.reason)}`);
});
onStray('error', (event) => {
  event.preventDefault();
  within(scopeOf(event.error), () => say('error', `Uncaught ${asText(event.error)}`));
});

/** Opens the language's interpreter, then drops the permission to read its files. */
async function openInterpreter(folder: string): Promise<Interpreter> {
  const module: { open: OpenInterpreter } = await import(String(`file://${folder}/${INTERPRETER_FILE}`));
  const tools = { currentScope, within, say, responseOf, exit };
  const opened = await module.open(folder, tools, socketPath === SNAPSHOT);
  deno.permissions.revokeSync({ name: 'read', path: folder });
  return opened;
}

const [socketPath = '', callsPath = '', gatewayPath = '', egressPath, languageFolder, filters] = deno.args;

/** Before any code of a function; the permission that it needs is then dropped. */
function closeSystemCalls(): void {
  try {
    if (filters) filterSystemCalls();
  } catch (error) {
    writeError(asText(error));
    exit(1);
  }
  deno.permissions.revokeSync({ name: 'ffi' });
}

try {
  if (languageFolder) {
    await loadNode();
    const interpreter = await openInterpreter(languageFolder);
    setInterpreter(interpreter);
    if (socketPath === SNAPSHOT) writeAll(interpreter.makeSnapshot());
  }
} catch (error) {
  writeError(asText(error));
  exit(1);
}
if (socketPath === SNAPSHOT) {
  exit(0);
} else if (socketPath === WARM) {
  closeSystemCalls();
  // Deno loads these on first use, and caches their compiled code.
  const { serve, listen: listenTo, createHttpClient, upgradeWebSocket, stdin } = deno;
  const { signal } = new Request('http://localhost/', { method: 'POST', body: 'x' });
  void [serve, listenTo, createHttpClient, upgradeWebSocket, stdin.readable, signal, WebSocket, setTimeout];
  await loadNode();
} else {
  void takeCalls(callsPath).finally(() => exit(0));
  deno.serve(
    { path: socketPath, onListen: () => report(['ready']), onError: () => new Response(null, { status: 500 }) },
    serveRun,
  );
  const egress = egressPath ? openEgress(egressPath) : undefined;
  openGateway(gatewayPath, egress, egress ? undefined : explainRefusals());
  // Every egress connection needs its permission; those for the other sockets are dropped.
  for (const path of [socketPath, callsPath, gatewayPath])
    for (const name of ['read', 'write'] as const) deno.permissions.revokeSync({ name, path });
  closeSystemCalls();
  hideProcess();
  seal();
  void listen().finally(() => exit(0));
}
