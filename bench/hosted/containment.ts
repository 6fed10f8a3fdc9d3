/** One function loops, exhausts memory or ends its process, while another is called continuously. */
import { type Host, type Hosted, pause } from './host.ts';

const TIMEOUT_SECONDS = 1;
const CODE = `export default { async fetch(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/loop') for (;;);
  if (pathname === '/memory') for (const all = []; ; ) all.push(new Array(100_000).fill(Math.random()));
  if (pathname === '/exit') process.exit(3);
  return new Response('ok');
} };`;

export type Contained = {
  what: string;
  /** From the call until the run has ended, including a time-out of one second. */
  endedMs: number;
  /** The next call of the same function. */
  nextMs: number;
};
export type Containment = { ways: Contained[]; others: number; errors: number; othersP99: number };

export async function containment(host: Host, rounds: number): Promise<Containment> {
  const victim = await host.publish(CODE, { timeout_seconds: TIMEOUT_SECONDS });
  const other = await host.publish('export default { fetch: () => new Response("ok") };');
  await host.call(other);
  const ms: number[] = [];
  let errors = 0;
  let isOver = false;
  const beside = (async () => {
    while (!isOver) {
      const result = await host.call(other).catch(() => undefined);
      if (result?.status === 200) ms.push(result.ms);
      else errors++;
      await pause(10);
    }
  })();
  const ways: Contained[] = [];
  for (const what of ['loop', 'memory', 'exit']) {
    const all: Contained[] = [];
    for (let round = 0; round < rounds; round++) all.push(await once(host, victim, what));
    ways.push({
      what,
      endedMs: Math.max(...all.map(({ endedMs }) => endedMs)),
      nextMs: Math.max(...all.map(({ nextMs }) => nextMs)),
    });
  }
  isOver = true;
  await beside;
  const sorted = ms.toSorted((a, b) => a - b);
  return { ways, others: ms.length, errors, othersP99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

async function once(host: Host, victim: Hosted, what: string): Promise<Contained> {
  // Typical state: a warm process, and a spare process ready.
  await host.call(victim);
  await pause(500);
  const startMs = performance.now();
  const { status, run_id } = await host.call(victim, { path: `/${what}` });
  let runStatus = 'RUNNING';
  while (runStatus === 'RUNNING')
    runStatus = (await host.service.call<{ status: string }>('GET', `/functions/${victim.function_id}/runs/${run_id}`))
      .body.status;
  const endedMs = performance.now() - startMs;
  // On an overloaded machine the time-out can come before memory is exhausted.
  const expected = what === 'exit' ? ['ERROR 500'] : what === 'loop' ? ['TIMEOUT 504'] : ['ERROR 500', 'TIMEOUT 504'];
  if (!expected.includes(`${runStatus} ${status}`)) throw new Error(`${what}: ${runStatus}, responded ${status}`);
  const next = await host.call(victim);
  if (next.text !== 'ok') throw new Error(`${what}: the next call responded ${next.status}`);
  return { what, endedMs, nextMs: next.ms };
}
