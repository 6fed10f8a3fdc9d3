/** Nodes that claim the same due deliveries at once. */
import { LEASE_MS } from '../../server/deliveries/intake/store-events.ts';
import { PER_CLAIM, PER_DESTINATION } from '../../server/deliveries/sending/leases.ts';
import { claim } from '../../server/deliveries/store/queue/waiting-deliveries.ts';
import { newId } from '../../server/lib/ids.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { FIRST, startBacklog } from '../deliveries/claim.ts';
import { quantile } from '../quantile.ts';

export type Claimers = { nodes: number; claims: number; p50Ms: number; p99Ms: number; claimed: number; twice: number };

/** Each node claims until a whole round finds nothing. */
export async function claimers(nodes: number): Promise<Claimers> {
  const { dead, open, stop } = await startBacklog();
  const took: number[] = [];
  const ids: string[] = [];
  const databases = Array.from({ length: nodes }, open);
  try {
    await Promise.all(databases.map((database) => claimAll(database, dead, took, ids)));
  } finally {
    await Promise.all(databases.map(({ close }) => close()));
    await stop();
  }
  const claimed = new Set(ids).size;
  return {
    nodes,
    claims: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    claimed,
    twice: ids.length - claimed,
  };
}

async function claimAll({ kysely }: Database, dead: string, took: number[], ids: string[]): Promise<void> {
  const node_id = newId();
  const options = { node_id, leaseMs: LEASE_MS, perDestination: PER_DESTINATION, total: PER_CLAIM, probed: [] };
  for (let after = FIRST, found = 0; ; ) {
    const startedMs = performance.now();
    const { leases, upTo } = await claim(kysely, { ...options, after, without: [dead] });
    took.push(performance.now() - startedMs);
    ids.push(...leases.map(({ delivery_id }) => delivery_id));
    found += leases.length;
    if (upTo === null && found === 0) return;
    if (upTo === null) found = 0;
    after = upTo ?? FIRST;
  }
}
