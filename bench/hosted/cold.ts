/** The first answer of a version that has never run: from a spare process, and from one that has yet to be started. */
import { quantile } from '../quantile.ts';
import { type Host, pause } from './host.ts';
import { coldNode, coldWorkerd } from './others.ts';

/** Until the next spare has booted, on a machine that is not overloaded. */
const REFILL_MS = 350;

export type Cold = { node: number[]; spare: number[]; demand: number[]; workerd: number[] };

/** In turn, so that all have the same machine. A list of hosts is one function's own: for it no spare can wait. */
export async function cold(host: Host, times: number): Promise<Cold> {
  const found: Cold = { node: [], spare: [], demand: [], workerd: [] };
  const code = (n: number) => `export default { fetch: () => new Response("hello ${n}") };`;
  const onDemand = { network_policy: 'ALLOW_LIST', allowed_hosts: ['example.com'] };
  const of = async (n: number, more = {}) => {
    const fn = await host.publish(code(n), more);
    await pause(REFILL_MS);
    const { status, ms } = await host.call(fn);
    if (status !== 200) throw new Error(`a fresh function answered ${status}`);
    return ms;
  };
  for (let n = 0; n < times; n++) {
    found.node.push(await coldNode());
    found.spare.push(await of(n));
    found.demand.push(await of(n, onDemand));
    const ms = await coldWorkerd();
    if (ms !== undefined) found.workerd.push(ms);
  }
  return found;
}

export const p50 = (values: number[]): number => quantile(values, 0.5);
export const p95 = (values: number[]): number => quantile(values, 0.95);
