/** Measures the first response of a new version: from a spare process, and from a process started on demand. */
import { quantile } from '../quantile.ts';
import { type Host, pause } from './host.ts';
import { coldNode, coldWorkerd } from './others.ts';

/** Time for the next spare process to boot, unless the machine is overloaded. */
const REFILL_MS = 350;

export type Cold = { node: number[]; spare: number[]; demand: number[]; workerd: number[] };

/** Measures all kinds in turn. A function with `allowed_hosts` needs a dedicated process, so it never uses a spare. */
export async function cold(host: Host, times: number): Promise<Cold> {
  const found: Cold = { node: [], spare: [], demand: [], workerd: [] };
  const code = (n: number) => `export default { fetch: () => new Response("hello ${n}") };`;
  const onDemand = { network_policy: 'ALLOW_LIST', allowed_hosts: ['example.com'] };
  const firstCall = async (n: number, more = {}) => {
    const fn = await host.publish(code(n), more);
    await pause(REFILL_MS);
    const { status, ms } = await host.call(fn);
    if (status !== 200) throw new Error(`a new function responded ${status}`);
    return ms;
  };
  for (let n = 0; n < times; n++) {
    found.node.push(await coldNode());
    found.spare.push(await firstCall(n));
    found.demand.push(await firstCall(n, onDemand));
    const ms = await coldWorkerd();
    if (ms !== undefined) found.workerd.push(ms);
  }
  return found;
}

export const p50 = (values: number[]): number => quantile(values, 0.5);
export const p95 = (values: number[]): number => quantile(values, 0.95);
