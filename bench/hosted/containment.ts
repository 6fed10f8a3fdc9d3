/** One function loops, eats memory or ends its process, while another is called all the time. */
import { type Host, type Hosted, pause } from './host.ts';

const TIMEOUT_SECONDS = 1;
const CODE = `export default { async fetch(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/loop') for (;;);
  if (pathname === '/memory') for (const all = []; ; ) all.push(new Array(100_000).fill(Math.random()));
  if (pathname === '/exit') process.exit(3);
  return new Response('well');
} };`;

export type Contained = {
  what: string;
  /** From the call until the run is marked: a time-out of one second is part of it. */
  markedMs: number;
  /** The next call of the same function. */
  nextMs: number;
};
export type Containment = { ways: Contained[]; others: number; errors: number; othersP99: number };

export async function containment(host: Host, rounds: number): Promise<Containment> {
  const victim = await host.publish(CODE, { timeout_seconds: TIMEOUT_SECONDS });
  const other = await host.publish('export default { fetch: () => new Response("well") };');
  await host.call(other);
  const ms: number[] = [];
  let errors = 0;
  let isOver = false;
  const beside = (async () => {
    while (!isOver) {
      const answer = await host.call(other).catch(() => undefined);
      if (answer?.status === 200) ms.push(answer.ms);
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
      markedMs: Math.max(...all.map(({ markedMs }) => markedMs)),
      nextMs: Math.max(...all.map(({ nextMs }) => nextMs)),
    });
  }
  isOver = true;
  await beside;
  const sorted = ms.toSorted((a, b) => a - b);
  return { ways, others: ms.length, errors, othersP99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

async function once(host: Host, victim: Hosted, what: string): Promise<Contained> {
  // As it is all day: warm, and with a spare that waits.
  await host.call(victim);
  await pause(500);
  const startMs = performance.now();
  const { status, run_id } = await host.call(victim, { path: `/${what}` });
  let marked = 'RUNNING';
  while (marked === 'RUNNING')
    marked = (await host.service.call<{ status: string }>('GET', `/functions/${victim.function_id}/runs/${run_id}`))
      .body.status;
  const markedMs = performance.now() - startMs;
  // On a machine that is overloaded memory isn't full within the second.
  const expected = what === 'exit' ? ['ERROR 500'] : what === 'loop' ? ['TIMEOUT 504'] : ['ERROR 500', 'TIMEOUT 504'];
  if (!expected.includes(`${marked} ${status}`)) throw new Error(`${what}: ${marked}, answered ${status}`);
  const next = await host.call(victim);
  if (next.text !== 'well') throw new Error(`${what}: the next call answered ${next.status}`);
  return { what, markedMs, nextMs: next.ms };
}
