/**
 * How a node stops.
 *
 *   serving ─ signal ─▶ lame duck ─ timeout ─▶ draining ─ all finished ───────────▶ stopped
 *                                                       ─ timeout ─▶ cutting off ─▶ stopped
 *
 * *Lame duck*: readiness fails and every response closes its connection, so that load balancers use other nodes.
 * Requests are still served. *Draining*: no new connections are accepted, live streams and WebSockets end, and workers
 * start no new work. Runs, gateway calls, other open responses and attempts may finish. *Cutting off*: attempts return
 * to the queue unrecorded, so that another node or the next start repeats them. Runs end with the error
 * "ServiceStopped". Gateway calls are aborted and logged as such. Callers of both get 503 if their response has not
 * begun. Then connections are closed. A second signal skips the waits.
 */
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { closeListener } from './lib/close-listener.ts';

export type DrainParts = {
  server: Server;
  log: Logger;
  lameDuckMs: number;
  drainMs: number;
  /** Called first: makes readiness fail. */
  onDraining(): void;
  /** Ends live streams and WebSockets, which have no end to wait for. */
  hangUp(): void;
  workers: { drain(): Promise<void> }[];
  /** Aborts work in flight. Resolves when the callers of aborted runs have their responses. */
  cutOff(): Promise<void>;
};

export type Drain = {
  /** Resolves when no request, run or attempt is open. */
  run(): Promise<void>;
  /** Ends the waits of `run`, or skips them if `run` has not begun. */
  hurry(): void;
};

/** Time for the responses of aborted runs to reach their callers. */
const LAST_RESPONSES_MS = 500;
/** Also the time for the first request of a connection that was just accepted. */
const IDLE_CHECK_MS = 100;

/** Prepares the stop of a node; `run` performs it. */
export function createDrain(parts: DrainParts): Drain {
  const { server, log, workers } = parts;
  const hurried = new AbortController();

  async function run() {
    parts.onDraining();
    server.prependListener('request', (_, res) => {
      res.shouldKeepAlive = false;
    });
    await waitFor(parts.lameDuckMs, hurried.signal);
    const { connections: closed } = await closeListener(server);
    parts.hangUp();
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const early = new AbortController();
    const finished = Promise.all([closed, ...workers.map((worker) => worker.drain())]).finally(() => early.abort());
    await Promise.race([finished, waitFor(parts.drainMs, AbortSignal.any([hurried.signal, early.signal]))]);
    let late: NodeJS.Timeout | undefined;
    if (!early.signal.aborted) {
      log.warn({ drain_seconds: parts.drainMs / 1000, hurried: hurried.signal.aborted }, 'drain ended, cutting off');
      await parts.cutOff();
      late = setTimeout(() => server.closeAllConnections(), LAST_RESPONSES_MS);
    }
    await finished;
    clearTimeout(late);
    clearInterval(idle);
  }

  return { run, hurry: () => hurried.abort() };
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
}
