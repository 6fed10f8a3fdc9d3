/** A hundred and fifty functions, each called for the first time, and what the processes of those that stay take. */
import { type Host, pause, pssMb } from './host.ts';

const FUNCTIONS = 150;
const CALLERS = 10;
/** After five seconds without a run a process is stopped. */
const IDLE_MS = 6_500;

export type Many = { seconds: number; processes: number; warmMb: number; frozenMb: number; again: number };

export async function many(host: Host): Promise<Many> {
  const functions = [];
  for (let n = 0; n < FUNCTIONS; n++)
    functions.push(await host.publish(`export default { fetch: () => new Response("hello ${n}") };`));
  await pause(500);
  const waiting = [...functions];
  const startMs = performance.now();
  const caller = async () => {
    for (let fn = waiting.shift(); fn; fn = waiting.shift()) {
      const { status } = await host.call(fn);
      if (status !== 200) throw new Error(`a fresh function answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const seconds = (performance.now() - startMs) / 1000;
  await pause(500);
  const warm = memory(host);
  await pause(IDLE_MS);
  const frozen = memory(host);
  const last = functions.at(-1);
  const again = last ? (await host.call(last)).ms : Number.NaN;
  return { seconds, processes: warm.processes, warmMb: warm.each, frozenMb: frozen.each, again };
}

/** Of all processes that belong to functions, what is around them included; spares count as much as any other. */
function memory(host: Host): { processes: number; each: number } {
  const all = host.sandboxes();
  const processes = all.filter(({ command }) => /^\S*deno run /.test(command)).length;
  return { processes, each: all.reduce((sum, { pid }) => sum + pssMb(pid), 0) / processes };
}
