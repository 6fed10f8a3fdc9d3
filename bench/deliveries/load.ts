/**
 * The source and the receiver of the bench: both in one process, so that one clock says when an event left and when it
 * arrived.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { messageOf, seqIn } from './message.ts';

const MOST_EVENTS = 4_000_000;
const STALLED_MS = 20_000;

export type Receiver = {
  url: string;
  /** When the event of this number first arrived; 0: not yet. */
  arrivedMs: Float64Array;
  /** Different events that have arrived, and how often one came again. */
  figures: { arrived: number; again: number };
  close(): void;
};

/** Answers every POST with 200. */
export async function startReceiver(): Promise<Receiver> {
  const arrivedMs = new Float64Array(MOST_EVENTS);
  const figures = { arrived: 0, again: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const seq = seqIn(Buffer.concat(chunks).toString('latin1'));
      if (arrivedMs[seq]) figures.again++;
      else {
        arrivedMs[seq] = performance.now();
        figures.arrived++;
      }
      res.writeHead(200, { 'content-length': '2' }).end('ok');
    });
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivedMs,
    figures,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
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
 * Sends events to `paths` in turn, for some seconds, and waits until all that were acknowledged have arrived. With
 * `perSecond` they leave at that rate, whatever comes back; else each of `clients` sends the next as it is answered.
 */
export async function send(
  receiver: Receiver,
  door: { origin: string; paths: string[] },
  { seconds, clients = 64, perSecond }: { seconds: number; clients?: number; perSecond?: number },
): Promise<Traffic> {
  const pool = new Pool(door.origin, { connections: clients, pipelining: 1 });
  const acknowledged: { seq: number; sentMs: number }[] = [];
  const ackMs: number[] = [];
  let refused = 0;
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs >= seconds * 1000;

  async function one(sentMs: number) {
    const seq = next++;
    const { body, headers } = messageOf(seq);
    const path = door.paths[seq % door.paths.length] ?? '/';
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode >= 300) {
      refused++;
      if (refused === 1) process.stderr.write(`${door.origin}: ${answer.statusCode}\n`);
      return;
    }
    ackMs.push(performance.now() - sentMs);
    acknowledged.push({ seq, sentMs });
  }

  if (perSecond === undefined) {
    const client = async () => {
      while (!isOver()) await one(performance.now());
    };
    await Promise.all(Array.from({ length: clients }, client));
  } else {
    const going: Promise<void>[] = [];
    for (let i = 0; !isOver(); i++) {
      const dueMs = startMs + (i * 1000) / perSecond;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((ok) => setTimeout(ok, waitMs));
      // Time lost before it could leave counts: who waits for a slow service doesn't stop the clock. A timer's own
      // millisecond doesn't, as it is this program's.
      going.push(one(performance.now() - dueMs > 5 ? dueMs : performance.now()));
    }
    await Promise.all(going);
  }
  await arrived(receiver, acknowledged);
  await pool.close();
  const lastMs = acknowledged.reduce((latest, { seq }) => Math.max(latest, receiver.arrivedMs[seq] ?? 0), 0);
  return {
    acknowledged: acknowledged.length,
    refused,
    seconds: (lastMs - startMs) / 1000,
    ackMs,
    arrivalMs: acknowledged.map(({ seq, sentMs }) => (receiver.arrivedMs[seq] ?? 0) - sentMs),
  };
}

async function arrived({ arrivedMs, figures }: Receiver, acknowledged: { seq: number }[]): Promise<void> {
  let before = -1;
  let sinceMs = performance.now();
  for (let missing = acknowledged; missing.length > 0; missing = missing.filter(({ seq }) => !arrivedMs[seq])) {
    await new Promise((ok) => setTimeout(ok, 5));
    if (figures.arrived !== before) sinceMs = performance.now();
    before = figures.arrived;
    if (performance.now() - sinceMs > STALLED_MS) throw new Error(`${missing.length} events did not arrive`);
  }
}
