/**
 * Measures the delay of the live tail at a thousand lines per second, read as the browser reads it, on the node that
 * runs the function and on another node of the same database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../server/platform/database/embedded/start.ts';
import { KEY } from '../../server/test/spawned.ts';
import { p50 } from './cold.ts';
import { type Host, type Hosted, startHost } from './host.ts';

const PER_SECOND = 1000;
/** A run stores at most ten thousand lines; this duration stays below. */
const RUN_SECONDS = 4;
const CODE = `export default { async fetch(request) {
  const until = Date.now() + Number(new URL(request.url).searchParams.get('ms'));
  let lines = 0;
  for (const from = Date.now(); Date.now() < until; await new Promise((ok) => setTimeout(ok, 5)))
    for (const due = (Date.now() - from) * ${PER_SECOND / 1000}; lines < due; lines++) console.log('line ' + lines + ' of the log of a function');
  return new Response(String(lines));
} };`;

export type Tail = { where: string; lines: number; written: number; p50Ms: number; p99Ms: number };

export async function tail(): Promise<Tail[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const database = await startEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  const { host: folder, user } = database.connection;
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    SLUICE_MASTER_KEY: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    SLUICE_DATA_DIR: join(dataDir, 'nodes'),
  };
  const one = await startHost(env);
  const other = await startHost(env);
  try {
    const fn = await one.publish(CODE, { timeout_seconds: 60 });
    await one.call(fn, { path: '/?ms=500' });
    const found: Tail[] = [];
    for (const [where, reader] of [
      ['the same node', one],
      ['another node', other],
    ] as const)
      found.push({ where, ...(await follow(one, reader, fn)) });
    return found;
  } finally {
    await one.stop();
    await other.stop();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function follow(runner: Host, reader: Host, fn: Hosted): Promise<Omit<Tail, 'where'>> {
  const gone = new AbortController();
  const response = await fetch(`${reader.service.url}/api/functions/${fn.function_id}/logs:tail`, {
    headers: { authorization: `Bearer ${KEY}` },
    signal: gone.signal,
  });
  const behindMs: number[] = [];
  const isOver = Promise.withResolvers<void>();
  const hello = Promise.withResolvers<void>();
  let startMs = Number.POSITIVE_INFINITY;
  const reading = (async () => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const messages = (rest + chunk).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        if (message.startsWith('event: hello')) hello.resolve();
        if (!message.startsWith('event: lines')) continue;
        const lines = JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? '[]') as {
          timestamp: number;
          message: string;
        }[];
        for (const line of lines) {
          // The tail also sends lines of recent runs: skip them.
          if (line.timestamp < startMs) continue;
          if (line.message.startsWith('line ')) behindMs.push(Date.now() - line.timestamp);
          if (line.message.startsWith('REPORT ')) isOver.resolve();
        }
      }
    }
  })().catch(() => undefined);
  await hello.promise;
  startMs = Date.now();
  const { text } = await runner.call(fn, { path: `/?ms=${RUN_SECONDS * 1000}` });
  await isOver.promise;
  gone.abort();
  await reading;
  const sorted = behindMs.toSorted((a, b) => a - b);
  return {
    lines: behindMs.length,
    written: Number(text),
    p50Ms: p50(behindMs),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  };
}
