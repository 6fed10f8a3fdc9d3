/** Calls 150 new functions, and measures the memory of the processes that remain. */
import { type Host, pause, pssMb } from './host.ts';

const FUNCTIONS = 150;
const CALLERS = 10;
/** A process is suspended after five seconds without a run. */
const IDLE_MS = 6_500;

export type Many = { seconds: number; processes: number; warmMb: number; frozenMb: number; again: number };

export async function many(host: Host): Promise<Many> {
  const functions = [];
  for (let n = 0; n < FUNCTIONS; n++)
    functions.push(await host.publish(`export default { fetch: () => new Response("hello ${n}") };`));
  await pause(500);
  const uncalled = [...functions];
  const startMs = performance.now();
  const caller = async () => {
    for (let fn = uncalled.shift(); fn; fn = uncalled.shift()) {
      const { status } = await host.call(fn);
      if (status !== 200) throw new Error(`a new function responded ${status}`);
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

/** Average memory per function process, including its wrapper processes. Spares count too. */
function memory(host: Host): { processes: number; each: number } {
  const all = host.sandboxes();
  const processes = all.filter(({ command }) => /^\S*deno run /.test(command)).length;
  return { processes, each: all.reduce((sum, { pid }) => sum + pssMb(pid), 0) / processes };
}
