/**
 * The source and the receiver of the benchmark. Both are in one process, so that one clock measures when an event was
 * sent and when it arrived.
 */
import { messageOf, seqIn } from './message.ts';
import { plainClient, serve } from './plain-http.ts';

const MOST_EVENTS = 4_000_000;
const STALLED_MS = 20_000;

export type Receiver = {
  url: string;
  /** By sequence number: when the event first arrived, or 0. */
  arrivedMs: Float64Array;
  /** Distinct events that arrived, and repeated arrivals. */
  counts: { arrived: number; again: number };
  close(): void;
};

/** Starts a server that responds to each event with the status of its sequence number. */
export async function startReceiver(statusOf: (seq: number) => number = () => 200): Promise<Receiver> {
  const arrivedMs = new Float64Array(MOST_EVENTS);
  const counts = { arrived: 0, again: 0 };
  const server = await serve((body) => {
    const seq = seqIn(body);
    if (arrivedMs[seq]) counts.again++;
    else {
      arrivedMs[seq] = performance.now();
      counts.arrived++;
    }
    return statusOf(seq);
  });
  return { url: `http://127.0.0.1:${server.port}`, arrivedMs, counts, close: server.close };
}

export type Traffic = {
  acknowledged: number;
  refused: number;
  /** From the first request to the last arrival. */
  seconds: number;
  ackMs: number[];
  arrivalMs: number[];
};

let next = 0;

/**
 * Sends events to `paths` in turn for `seconds`, and waits until all acknowledged events have arrived. With `perSecond`
 * events are sent at that rate, independent of responses. Without it, each of `clients` sends the next on a response.
 */
export async function send(
  receiver: Receiver,
  target: { origin: string; paths: string[] },
  { seconds, clients = 64, perSecond }: { seconds: number; clients?: number; perSecond?: number },
): Promise<Traffic> {
  const client = plainClient(target.origin, clients);
  const acknowledged: { seq: number; sentMs: number }[] = [];
  const ackMs: number[] = [];
  let refused = 0;
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs >= seconds * 1000;

  async function one(sentMs: number) {
    const seq = next++;
    const { body, headers } = messageOf(seq);
    const path = target.paths[seq % target.paths.length] ?? '/';
    const status = await client.post(path, headers, body);
    if (status >= 300) {
      refused++;
      if (refused === 1) process.stderr.write(`${target.origin}: ${status}\n`);
      return;
    }
    ackMs.push(performance.now() - sentMs);
    acknowledged.push({ seq, sentMs });
  }

  if (perSecond === undefined) {
    const sendInTurn = async () => {
      while (!isOver()) await one(performance.now());
    };
    await Promise.all(Array.from({ length: clients }, sendInTurn));
  } else {
    const requests: Promise<void>[] = [];
    for (let i = 0; !isOver(); i++) {
      const dueMs = startMs + (i * 1000) / perSecond;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((ok) => setTimeout(ok, waitMs));
      // Latency is measured from the due time, so that a slow service cannot delay the measurement. A timer that is up
      // to 5 ms late is this program's delay and does not count.
      requests.push(one(performance.now() - dueMs > 5 ? dueMs : performance.now()));
    }
    await Promise.all(requests);
  }
  await waitForArrivals(receiver, acknowledged);
  client.close();
  const lastMs = acknowledged.reduce((latest, { seq }) => Math.max(latest, receiver.arrivedMs[seq] ?? 0), 0);
  return {
    acknowledged: acknowledged.length,
    refused,
    seconds: (lastMs - startMs) / 1000,
    ackMs,
    arrivalMs: acknowledged.map(({ seq, sentMs }) => (receiver.arrivedMs[seq] ?? 0) - sentMs),
  };
}

async function waitForArrivals({ arrivedMs, counts }: Receiver, acknowledged: { seq: number }[]): Promise<void> {
  let before = -1;
  let sinceMs = performance.now();
  for (let missing = acknowledged; missing.length > 0; missing = missing.filter(({ seq }) => !arrivedMs[seq])) {
    await new Promise((ok) => setTimeout(ok, 5));
    if (counts.arrived !== before) sinceMs = performance.now();
    before = counts.arrived;
    if (performance.now() - sinceMs > STALLED_MS) throw new Error(`${missing.length} events did not arrive`);
  }
}
