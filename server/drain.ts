/**
 * How a node stops.
 *
 *   serving ─ signal ─▶ lame duck ─ time up ─▶ draining ─ all finished ───────────▶ stopped
 *                                                       ─ time up ─▶ cutting off ─▶ stopped
 *
 * *Lame duck*: readiness fails and every response closes its connection, so that load balancers move on; everything is
 * still served. *Draining*: nothing new is accepted, streams of live changes and WebSockets end, workers start nothing
 * new; runs, calls through the gateway, other open responses and attempts may finish. *Cutting off*: attempts are given
 * back to the queue unrecorded, so that the next node or the next start makes them again; runs end with the error
 * "ServiceStopped"; calls through the gateway are cut and logged as cut by the stop; callers of both get 503 where
 * their response has not begun; then connections are closed. A second signal skips the waiting.
 */
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

export type DrainParts = {
  server: Server;
  log: Logger;
  lameDuckMs: number;
  drainMs: number;
  /** Called first: from now on the node is not ready. */
  onDraining(): void;
  /** Ends responses that have no end a drain could wait for. */
  hangUp(): void;
  workers: { drain(): Promise<void> }[];
  /** Cuts what is still open. Resolves when the callers of cut runs have their responses. */
  cutOff(): Promise<void>;
};

export type Drain = {
  /** Resolves when nothing is open any more. */
  run(): Promise<void>;
  /** Ends the waiting of `run`, or lets it not begin. */
  hurry(): void;
};

/** For the responses of cut runs to reach their callers. */
const LAST_RESPONSES_MS = 500;
const IDLE_CHECK_MS = 100;

/** Prepares the stop of a node; nothing happens before `run`. */
export function createDrain(parts: DrainParts): Drain {
  const { server, log, workers } = parts;
  const hurried = new AbortController();

  async function run() {
    parts.onDraining();
    server.prependListener('request', (_, res) => {
      res.shouldKeepAlive = false;
    });
    await waitFor(parts.lameDuckMs, hurried.signal);
    const closed = new Promise((done) => server.close(done));
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
